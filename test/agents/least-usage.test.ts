import { describe, expect, it } from 'vitest';
import { leastUsage } from '../../src/agents/minimum-usage.ts';
import type { AgentSignal } from '../../src/protocol.ts';

const tool: AgentSignal = { type: 'tool', name: 'shell', detail: 'x'.repeat(40) };
const result: AgentSignal = { type: 'result', text: 'y'.repeat(400), lines: 1 };

function usageOf(...signals: readonly AgentSignal[]) {
  const least = leastUsage(4000);
  for (const signal of signals) least.see(signal);
  return least.usage();
}

describe('the least that was used', () => {
  it('is nothing before an answer', () => {
    expect(usageOf({ type: 'retrying', detail: '429' })).toEqual({ inputTokens: 0, outputTokens: 0, cachedTokens: 0 });
  });

  it('is the brief and the first answer, then all of it again with each further one', () => {
    expect(usageOf(tool)).toEqual({ inputTokens: 1000, outputTokens: 10, cachedTokens: 0 });
    expect(usageOf(tool, result, tool)).toEqual({ inputTokens: 1100, outputTokens: 20, cachedTokens: 1110 });
    expect(usageOf(tool, result, tool, result, tool).cachedTokens).toBe(1110 + 1220);
  });

  it('takes tools that are called at once for one answer', () => {
    expect(usageOf({ type: 'text', text: 'abcd' }, tool, tool)).toEqual({
      inputTokens: 1000,
      outputTokens: 21,
      cachedTokens: 0,
    });
  });
});
