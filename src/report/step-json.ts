/** An agent's steps for programs: one JSON object per line. */
import type { EventSink } from '../events.ts';
import { type Step, transcript } from './transcript.ts';

/** One line of `ralph logs --json`. */
export interface StepJson extends Step {
  readonly iteration: number;
  /** Set for a reviewer's step; the reviewer works after that iteration. */
  readonly review?: number;
  /** Milliseconds since its agent's iteration or review began. */
  readonly offsetMs?: number;
}

export function stepReporter({ write }: { readonly write: (text: string) => void }): EventSink {
  let agent = transcript();
  let since = 0;
  return (event, at) => {
    if (event.type === 'iteration.started' || event.type === 'review.started') {
      agent = transcript();
      since = at;
    }
    if (event.type !== 'agent.signal') return;
    const { iteration, review } = event;
    for (const step of agent.take(event.signal, Number.isNaN(at) ? undefined : at)) {
      const line: StepJson = {
        iteration,
        ...(review === undefined ? {} : { review }),
        ...(step.at === undefined ? {} : { offsetMs: Math.max(0, step.at - since) }),
        ...step,
      };
      write(`${JSON.stringify(line)}\n`);
    }
  };
}
