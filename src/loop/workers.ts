/** Chooses the agent for the next iteration or review: the first configured one that is available. */
import { basename } from 'node:path';
import { accountOf } from '../agents/index.ts';
import type { Agent, AgentOptions } from '../protocol.ts';
import { localMoment } from '../report/index.ts';
import { isSetBack } from '../retry/index.ts';
import { itemOf, type Parked } from '../state.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';

export interface Worker {
  readonly agent: Agent;
  readonly options: AgentOptions;
}

/** Distinguishes configured agents from each other, in the journal and on the screen. */
export function labelOf({ agent, options }: Worker): string {
  const [program] = options.command ?? options.acp ?? [];
  const what = program === undefined ? options.model : basename(program);
  const scenario = options.scenario === undefined ? undefined : basename(options.scenario);
  return [agent.name, what ?? scenario].filter(Boolean).join(':');
}

export const sharedAccount = ({ agent, options }: Worker, { options: { env } }: Session): string | undefined =>
  accountOf(agent, options, env);

/** All agents that may do this attempt, in order of preference. */
export function workersFor({ options }: Session, attempt: number): readonly Worker[] {
  const first: Worker = { agent: options.agent, options: options.agentOptions };
  const all = [first, ...(options.fallbacks ?? [])];
  return attempt > 1 && options.retrier ? [options.retrier, ...all] : all;
}

/** All agents that may review; without configured reviewers, those that work. */
export const reviewersOf = (session: Session): readonly Worker[] => session.options.reviewers ?? workersFor(session, 1);

/** How long to wait at a time for a limit on a shared account, while another run probes whether it is over. */
const PROBED_MS = 60_000;

export const takeWorker = (session: Session, item: string): Worker | Stop | undefined =>
  firstFree(session, workersFor(session, itemOf(session.state, item).attempts + 1));

/** Returns the agent to use; undefined if a wait was recorded; a stop if no agent can work and waiting would not help. */
export function firstFree(session: Session, workers: readonly Worker[]): Worker | Stop | undefined {
  const held: { readonly worker: Worker; readonly parked: Parked; readonly account?: string }[] = [];
  for (const worker of workers) {
    const parked = parkedNow(session, worker);
    if (!parked) return chosen(session, worker, held[0]);
    held.push({ worker, ...parked });
  }
  const [soonest] = held
    .filter(({ parked }) => parked.until !== undefined)
    .toSorted((a, b) => (a.parked.until ?? 0) - (b.parked.until ?? 0));
  if (!soonest?.parked.until) {
    return {
      reason: held.every(({ parked }) => parked.unusable) ? 'agent-unusable' : 'agent-unavailable',
      why: held.map(({ worker, parked }) => `${labelOf(worker)}: ${parked.why}`).join('; '),
    };
  }
  const { until, why, announced } = soonest.parked;
  session.waitingFor = soonest.account;
  session.record({ type: 'wait.started', until, why, ...(announced ? { announced } : {}) });
  return undefined;
}

function chosen(
  session: Session,
  worker: Worker,
  passed: { readonly worker: Worker; readonly parked: Parked } | undefined,
): Worker {
  if (passed) {
    const { until, why } = passed.parked;
    const when = until === undefined ? '' : ` until ${localMoment(until, session.clock.now())}`;
    session.notice('info', `${labelOf(worker)} works, because ${labelOf(passed.worker)} cannot${when}: ${why}`);
  }
  return worker;
}

function parkedNow(
  session: Session,
  worker: Worker,
): { readonly parked: Parked; readonly account?: string } | undefined {
  const now = session.clock.now();
  const own = session.state.parked?.[labelOf(worker)];
  if (own && (own.until === undefined || (own.until > now && !isSetBack(own.at, now)))) return { parked: own };
  const account = sharedAccount(worker, session);
  const { limits } = session.options;
  const limit = account === undefined ? undefined : limits?.look(account);
  if (account === undefined || !limit || !limits) return undefined;
  if (limit.until > now) {
    return {
      account,
      parked: { until: limit.until, why: `a limit of the same account: ${limit.why}`, announced: true },
    };
  }
  if (limits.probe(account)) return undefined;
  const why = 'another run tries whether the limit of the account is over';
  return { account, parked: { until: now + PROBED_MS, why, announced: true } };
}
