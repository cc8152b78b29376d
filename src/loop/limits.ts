/** The limits of a run, looked at in one place before anything more is paid for. */
import type { Stop } from '../loop.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import type { Session } from './session.ts';

export function limitReached(session: Session): Stop | undefined {
  const { iterations } = session.settings.limits;
  if (session.onceDone) return { reason: 'once', why: 'one iteration was asked for' };
  if (session.iterations >= iterations) return { reason: 'iterations', why: usedUp(iterations) };
  return spentLimit(session);
}

/** Time and money: what a review may use up too, which belongs to an iteration that is over. */
export function spentLimit(session: Session): Stop | undefined {
  const { timeMs, costUsd } = session.settings.limits;
  if (elapsed(session) >= timeMs) return { reason: 'time', why: `${showDuration(timeMs)} were used` };
  const spent = session.state.costUsd;
  if (spent >= costUsd) return { reason: 'cost', why: `${showCost(spent)} of ${showCost(costUsd)} were spent` };
  return undefined;
}

const usedUp = (iterations: number): string =>
  `${plural(iterations, 'iteration')} ${iterations === 1 ? 'was' : 'were'} used`;

export const elapsed = (session: Session): number => session.clock.monotonic() - session.startedAt;
