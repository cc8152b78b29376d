/** The consequences of a provider's failure: another agent, a wait in the journal, or the end of the run. */
import type { AgentFailure, FailureClass } from '../protocol.ts';
import { type Reaction, react } from '../retry/index.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';
import { labelOf, sharedAccount, type Worker } from './workers.ts';

/** Not the item's fault: a failure of these classes counts neither as an iteration nor as a round of a review. */
const PROVIDERS: ReadonlySet<FailureClass> = new Set<FailureClass>([
  'network',
  'rate-limit',
  'overload',
  'auth',
  'setup',
]);

export const isProviders = (failure: AgentFailure): boolean => PROVIDERS.has(failure.class);

export interface Whose {
  /** The agent that failed, and all agents that could take over. */
  readonly worker: Worker;
  readonly team: readonly Worker[];
  readonly who?: string;
}

/** Called after the failure is in the journal, so that the state counts it. */
export function sitOut(session: Session, failure: AgentFailure, { worker, team, who = '' }: Whose): Stop | undefined {
  const { clock, state, settings } = session;
  const reaction = react({
    failure,
    retries: state.retries - 1,
    troubleMs: state.troubleMs ?? 0,
    now: clock.now(),
    random: clock.random(),
    waitMs: settings.limits.waitMs,
  });
  tellOthers(session, { worker, failure, reaction });
  if (isProviders(failure) && team.length > 1) {
    park(session, { worker, reaction, isUnusable: isUnusable(session, failure) });
    return undefined;
  }
  if (reaction.type === 'give-up') {
    const reason = isUnusable(session, failure) ? 'agent-unusable' : 'agent-unavailable';
    return { reason, why: `${who}${reaction.why}` };
  }
  if (reaction.type !== 'wait') return undefined;
  const { until, why, announced } = reaction;
  session.record({ type: 'wait.started', until, why, ...(announced ? { announced } : {}) });
  return undefined;
}

/** A wrong set-up fails before the first answer; once an agent has answered, the cause is something else. */
const isUnusable = ({ answered }: Session, failure: AgentFailure): boolean => failure.class === 'setup' && !answered;

/** The loop then takes the next free agent, or waits for the first that becomes free. */
function park(
  session: Session,
  {
    worker,
    reaction,
    isUnusable,
  }: { readonly worker: Worker; readonly reaction: Reaction; readonly isUnusable: boolean },
): void {
  if (reaction.type !== 'wait' && reaction.type !== 'give-up') return;
  const until = reaction.type === 'wait' ? { until: reaction.until } : {};
  const announced = reaction.type === 'wait' && reaction.announced ? { announced: true as const } : {};
  const unusable = isUnusable && reaction.type === 'give-up' ? { unusable: true as const } : {};
  const { why } = reaction;
  session.record({ type: 'agent.parked', agent: labelOf(worker), why, ...until, ...announced, ...unusable });
}

/** A limit belongs to the account, so all runs of that account on this machine wait for the same time. */
function tellOthers(
  session: Session,
  {
    worker,
    failure,
    reaction,
  }: { readonly worker: Worker; readonly failure: AgentFailure; readonly reaction: Reaction },
): void {
  const account = sharedAccount(worker, session);
  const { limits } = session.options;
  if (account === undefined || !limits) return;
  if (failure.class !== 'rate-limit' || reaction.type !== 'wait') {
    limits.release(account);
    return;
  }
  session.waitingFor = account;
  const told = limits.hit(account, { until: reaction.until, why: failure.message });
  if (!told)
    session.notice('warn', 'other runs cannot be informed about the limit: the state folder cannot be written');
}
