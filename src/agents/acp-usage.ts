/** Token counts of agents that speak the Agent Client Protocol: in the answer, beside it, or with each chunk. */
import type { Usage } from '../protocol.ts';
import { addUsage } from '../state.ts';
import type { Quirks } from './acp-quirks.ts';
import { amountAt, type Json, recordAt } from './json-lines.ts';

export interface Told {
  readonly update?: Json;
  readonly answer?: Json;
  /** What was told before. */
  readonly before: Usage;
}

/** All tokens so far, or undefined where this says nothing about them. */
export function acpUsage(
  { inputWithCache, lastCallOnly }: Pick<Quirks, 'inputWithCache' | 'lastCallOnly'>,
  { update, answer, before }: Told,
): Usage | undefined {
  const piece = recordAt(recordAt(update, '_meta'), 'usage');
  if (piece) return addUsage(before, counted(piece, inputWithCache));
  const usage = recordAt(answer, 'usage');
  // A count of the last call alone must not take back what was known before.
  if (usage) return lastCallOnly ? larger(before, counted(usage, inputWithCache)) : counted(usage, inputWithCache);
  const quota = recordAt(recordAt(recordAt(answer, '_meta'), 'quota'), 'token_count');
  if (!quota) return undefined;
  return {
    inputTokens: amountAt(quota, 'input_tokens'),
    outputTokens: amountAt(quota, 'output_tokens'),
    cachedTokens: 0,
  };
}

function counted(usage: Json, inputWithCache: true | undefined): Usage {
  const cachedTokens = amountAt(usage, 'cachedReadTokens');
  const all = amountAt(usage, 'inputTokens') + amountAt(usage, 'cachedWriteTokens');
  return {
    inputTokens: inputWithCache ? Math.max(0, all - cachedTokens) : all,
    outputTokens: amountAt(usage, 'outputTokens'),
    cachedTokens,
  };
}

const larger = (a: Usage, b: Usage): Usage => (a.inputTokens + a.outputTokens > b.inputTokens + b.outputTokens ? a : b);
