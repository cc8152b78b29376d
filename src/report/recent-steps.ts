/** The last few steps of an agent, one line each, and its usage: what a live view has room for. */
import type { AgentSignal, Usage } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { stepInOneLine, transcript } from './transcript.ts';

export interface RecentSteps {
  /** Another agent starts; these words are shown until its first step. */
  begin(words: string): void;
  take(signal: AgentSignal): void;
  /** The newest last; at least one. */
  lines(): readonly string[];
  spent(): Spent;
  /** Resets its usage, because it is counted elsewhere from now on. */
  settle(): void;
}

export interface Spent {
  readonly usage: Usage;
  readonly costUsd: number;
}

const NOTHING: Spent = { usage: noUsage, costUsd: 0 };

export function recentSteps(most: number): RecentSteps {
  let agent = transcript();
  let beginning = 'starting';
  let steps: readonly string[] = [];
  let spent = NOTHING;
  return {
    begin(words) {
      agent = transcript();
      beginning = words;
      steps = [];
      spent = NOTHING;
    },
    take(signal) {
      if (signal.type === 'usage') spent = { usage: signal.usage, costUsd: signal.costUsd ?? spent.costUsd };
      const words = signal.type === 'finished' ? ['finished, leaving'] : agent.take(signal).map(stepInOneLine);
      steps = [...steps, ...words.filter(Boolean)].slice(-most);
    },
    lines: () => (steps.length > 0 ? steps : [beginning]),
    spent: () => spent,
    settle() {
      spent = NOTHING;
    },
  };
}
