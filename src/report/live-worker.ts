/** What one worker is doing now, derived from events. */
import type { Event } from '../events.ts';
import { type RecentSteps, recentSteps } from './recent-steps.ts';
import { say } from './style.ts';

export interface LiveWorker {
  readonly current?: { readonly iteration: number; readonly words: string; readonly since: number } | undefined;
  /** A step of the runner itself; while it is set, the agent's silence means nothing. */
  readonly step?: { readonly words: string; readonly since: number } | undefined;
  readonly heardAt: number;
  readonly agent: RecentSteps;
  see(event: Event, now: number): void;
}

type State = { -readonly [key in keyof Omit<LiveWorker, 'agent' | 'see'>]: LiveWorker[key] };

export function liveWorker({ steps, now: startedAt }: { readonly steps: number; readonly now: number }): LiveWorker {
  const agent = recentSteps(steps);
  const state: State = { heardAt: startedAt };
  const begin = (current: NonNullable<LiveWorker['current']>, words: string) => {
    Object.assign(state, { current, step: undefined, heardAt: current.since });
    agent.begin(words);
  };
  const evidence = (now: number) => ({ words: 'looking at the evidence', since: now });
  const see = (event: Event, now: number): void => {
    switch (event.type) {
      case 'iteration.started': {
        const attempt = event.attempt > 1 ? ` (attempt ${event.attempt})` : '';
        const words = `${[say(event.item), say(event.title)].filter(Boolean).join(' ')}${attempt}`;
        return begin({ iteration: event.iteration, words, since: now }, 'starting the agent');
      }
      case 'review.started': {
        const iteration = state.current?.iteration ?? 0;
        const words = `review of ${say(event.item)}, round ${event.round}`;
        return begin({ iteration, words, since: now }, 'starting the reviewer');
      }
      case 'agent.signal':
        state.heardAt = now;
        return agent.take(event.signal);
      case 'agent.output':
        state.heardAt = now;
        return;
      case 'agent.finished':
        agent.settle();
        state.step = evidence(now);
        return;
      case 'gate.started':
        state.step = { words: `${event.phase === 'item' ? '' : `${event.phase} `}gate ${say(event.name)}`, since: now };
        return;
      case 'gate.finished':
        state.step = state.current ? evidence(now) : undefined;
        return;
      case 'verdict':
        if (event.worker !== undefined && event.verdict.type === 'accepted')
          state.step = { words: 'waiting to land', since: now };
        return;
      case 'iteration.finished':
        Object.assign(state, { current: undefined, step: undefined });
        return;
      case 'iteration.aborted':
        state.current = undefined;
        return;
      case 'review.finished':
      case 'review.aborted':
        agent.settle();
        state.current = undefined;
        return;
      default:
        return;
    }
  };
  return {
    get current() {
      return state.current;
    },
    get step() {
      return state.step;
    },
    get heardAt() {
      return state.heardAt;
    },
    agent,
    see,
  };
}
