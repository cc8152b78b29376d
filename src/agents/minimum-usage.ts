/**
 * The least that an agent has used, by what can be seen of its work. Some count their tokens only at the end of a turn: until then,
 * and where they never come to that end, this is what is known.
 */
import type { AgentSignal, Usage } from '../protocol.ts';

/** Roughly, for code and English alike. */
const CHARS_PER_TOKEN = 4;

export interface LeastUsage {
  see(signal: AgentSignal): void;
  usage(): Usage;
}

export function leastUsage(briefChars: number): LeastUsage {
  let written = 0;
  let read = briefChars;
  let again = 0;
  let calls = 0;
  // Tools that are called at once are one answer of the model.
  let answering = false;
  return {
    see: signal => {
      if (signal.type === 'result') {
        read += signal.text.length;
        answering = false;
      }
      if (signal.type !== 'tool' && signal.type !== 'text') return;
      // Every answer is given to all that was there before it; what was read before is read from a cache.
      if (!answering) again += calls === 0 ? 0 : read + written;
      if (!answering) calls += 1;
      answering = true;
      written += signal.type === 'text' ? signal.text.length : signal.detail.length;
    },
    usage: () =>
      calls === 0
        ? { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
        : { inputTokens: tokens(read), outputTokens: tokens(written), cachedTokens: tokens(again) },
  };
}

const tokens = (chars: number): number => Math.round(chars / CHARS_PER_TOKEN);
