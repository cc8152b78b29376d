/** `brief.json`, beside the brief of an iteration: what each of its slots takes, and what did not find room. */
import type { Brief, SlotUse } from './slots.ts';
import { byteLength, estimateTokens } from './tokens.ts';

export interface BriefFigures {
  readonly tokens: number;
  readonly bytes: number;
  readonly slots: readonly SlotUse[];
}

export function briefFigures({ text, slots }: Brief): string {
  const figures: BriefFigures = { tokens: estimateTokens(text), bytes: byteLength(text), slots };
  return `${JSON.stringify(figures)}\n`;
}
