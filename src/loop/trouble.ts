/** What follows from a provider's trouble: a wait that is in the journal, or the end of the run. */

import type { AgentFailure, FailureClass } from '../protocol.ts';
import { react } from '../retry/index.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';

/** Nobody's fault here: what it cut off counts neither as an iteration nor as a round of a review. */
const PROVIDERS: ReadonlySet<FailureClass> = new Set<FailureClass>([
  'network',
  'rate-limit',
  'overload',
  'auth',
  'setup',
]);

export const isProviders = (failure: AgentFailure): boolean => PROVIDERS.has(failure.class);

/** Called after the failure is in the journal, so that the state counts it. */
export function sitOut(session: Session, failure: AgentFailure, who = ''): Stop | undefined {
  const { clock, state, settings } = session;
  const reaction = react({
    failure,
    retries: state.retries - 1,
    troubleMs: state.troubleMs ?? 0,
    now: clock.now(),
    random: clock.random(),
    waitMs: settings.limits.waitMs,
  });
  if (reaction.type === 'give-up') return { reason: 'agent-unavailable', why: `${who}${reaction.why}` };
  if (reaction.type !== 'wait') return undefined;
  const { until, why, announced } = reaction;
  session.record({ type: 'wait.started', until, why, ...(announced ? { announced } : {}) });
  return undefined;
}
