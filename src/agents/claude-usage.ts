/** Tokens of a Claude Code run. The `usage` of assistant events is the state at the start of a message: never summed. */
import type { Usage } from '../protocol.ts';
import { addUsage } from '../state.ts';
import { amountAt, isRecord, type Json, recordAt } from './json-lines.ts';

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
  const usage = recordAt(result, 'usage');
  return addUsage(before, {
    inputTokens: amountAt(usage, 'input_tokens') + amountAt(usage, 'cache_creation_input_tokens'),
    outputTokens: amountAt(usage, 'output_tokens'),
    cachedTokens: amountAt(usage, 'cache_read_input_tokens'),
  });
}
