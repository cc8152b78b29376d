/** `brief.json`, beside the brief of an iteration: what each of its slots takes, and what did not find room. */
import { type Brief, SLOTS, type SlotUse } from './slots.ts';
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

/** Undefined where it is none; an agent could have written into it, so nothing of it is believed unseen. */
export function readBriefFigures(text: string): BriefFigures | undefined {
  try {
    const { tokens, bytes, slots } = JSON.parse(text) as Partial<BriefFigures>;
    if (!isCount(tokens) || !isCount(bytes) || !Array.isArray(slots)) return undefined;
    return { tokens, bytes, slots: slots.filter(isSlot) };
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0;

const isSlot = (value: unknown): value is SlotUse => {
  const { name, tokens, bytes, budget, dropped } = (value ?? {}) as Partial<SlotUse>;
  return SLOTS.some(slot => slot === name) && [tokens, bytes, budget, dropped].every(isCount);
};
