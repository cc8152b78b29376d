/**
 * Tokens of a Claude Code run. The `usage` of assistant events is the state at the start of a message: good enough to
 * show while it works, and never what is recorded.
 */
import type { Usage } from '../protocol.ts';
import { addUsage, noUsage } from '../state.ts';
import { isRecord } from '../util/json.ts';
import { amountAt, type Json, recordAt, recordsAt } from './json-lines.ts';

/** The run's tokens after this result event; `before` is what earlier results of the same run said. */
export function claudeUsage(result: Json, before: Usage): Usage {
  // Per model, subagents included, and cumulative over the results of a run.
  const models = Object.values(recordAt(result, 'modelUsage') ?? {}).filter(isRecord);
  if (models.length > 0) {
    return models
      .map(model => ({
        inputTokens: amountAt(model, 'inputTokens') + amountAt(model, 'cacheCreationInputTokens'),
        outputTokens: amountAt(model, 'outputTokens'),
        cachedTokens: amountAt(model, 'cacheReadInputTokens'),
      }))
      .reduce(addUsage);
  }
  return addUsage(before, usageOf(recordAt(result, 'usage')));
}

const usageOf = (usage: Json | undefined): Usage => ({
  inputTokens: amountAt(usage, 'input_tokens') + amountAt(usage, 'cache_creation_input_tokens'),
  outputTokens: amountAt(usage, 'output_tokens'),
  cachedTokens: amountAt(usage, 'cache_read_input_tokens'),
});

/** Roughly, for code and English alike. */
const CHARS_PER_TOKEN = 4;
/** Sub-agents take turns with their caller; older messages do not come back. */
const MESSAGES = 32;

/** What the messages since the last result have used. What is written is told only at the end: until then by length. */
export function streamedUsage(): (message: Json | undefined) => Usage | undefined {
  const counted = new Set<string>();
  let total = noUsage;
  let chars = 0;
  return message => {
    const usage = recordAt(message, 'usage');
    if (!message || !usage) return undefined;
    // Each block of one message is an event of its own, with the same usage.
    const id = String(message.id);
    if (!counted.has(id)) total = addUsage(total, usageOf(usage));
    counted.add(id);
    const [oldest] = counted;
    if (counted.size > MESSAGES && oldest !== undefined) counted.delete(oldest);
    for (const block of recordsAt(message, 'content')) chars += lengthOf(block);
    return { ...total, outputTokens: Math.max(total.outputTokens, Math.round(chars / CHARS_PER_TOKEN)) };
  };
}

function lengthOf(block: Json): number {
  const written = block.text ?? block.thinking ?? block.input;
  return typeof written === 'string' ? written.length : JSON.stringify(written ?? '').length;
}
