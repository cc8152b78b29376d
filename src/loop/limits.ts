/** Checks all limits of a run in one place, before more money is spent. */

import { localMoment } from '../report/index.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';

/** `begins`: how many more iterations are about to start. */
export function limitReached(session: Session, begins = 0): Stop | undefined {
  const { iterations } = session.settings.limits;
  if (session.onceDone) return { reason: 'once', why: 'one iteration was requested' };
  if (session.iterations + begins >= iterations) return { reason: 'iterations', why: usedUp(iterations) };
  return spentLimit(session) ?? session.brake.stop;
}

/** Time and cost: these also limit a review, which is part of a finished iteration. */
export function spentLimit(session: Session): Stop | undefined {
  const { timeMs, costUsd, softCostUsd } = session.settings.limits;
  if (session.worked >= timeMs) return { reason: 'time', why: `${showDuration(timeMs)} were used` };
  const late = pastDeadline(session);
  if (late) return late;
  const spent = session.state.costUsd;
  if (spent >= costUsd) return { reason: 'cost', why: `${showCost(spent)} of ${showCost(costUsd)} were spent` };
  if (softCostUsd !== undefined && spent >= softCostUsd)
    return { reason: 'cost', why: `${showCost(spent)} were spent, past the soft limit of ${showCost(softCostUsd)}` };
  return undefined;
}

const usedUp = (iterations: number): string =>
  `${plural(iterations, 'iteration')} ${iterations === 1 ? 'was' : 'were'} used`;
/** Compares the wall clock with the deadline, whatever the run is doing; a pause does not extend it. */
export function pastDeadline({ deadline, clock }: Session): Stop | undefined {
  if (deadline === undefined || clock.now() < deadline) return undefined;
  return { reason: 'deadline', why: `it is past ${localMoment(deadline, clock.now())}` };
}

/** The minimum time for an agent, so that one started at the last moment is ended properly. */
const LEAST_MS = 1000;

/** The time limit for one agent, from the time limit of the run and its deadline. */
export function timeLeft({ settings, worked, deadline = Number.POSITIVE_INFINITY, clock }: Session): number {
  return Math.max(LEAST_MS, Math.min(settings.limits.timeMs - worked, deadline - clock.now()));
}
