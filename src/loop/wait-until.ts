/**
 * A wait is an absolute moment in the journal, so a restart waits for the rest of it and no more. It ends when the wall
 * clock is there, or when as much time has passed as it was to take: a wall clock may be put forward or back meanwhile.
 * A person may end it, and so may another run of the same account that found its limit gone.
 */

import { localMoment } from '../report/index.ts';
import { obey } from './obey.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';

/** So often the wall clock is looked at again, and the inbox, in case a nudge was lost. */
const LOOK_MS = 30_000;
/** So often whether another run has found the limit gone. */
const LOOK_SHARED_MS = 2_000;

export async function waitUntil(session: Session): Promise<Stop | undefined> {
  const { clock, state, waitingFor } = session;
  const { waitUntil: until, waitMs = Number.POSITIVE_INFINITY } = state;
  if (until === undefined) return undefined;
  const stop = tooLong(session, until);
  if (stop) return stop;
  const began = clock.monotonic();
  const planned = Math.min(until - clock.now(), waitMs);
  const left = () => Math.min(until - clock.now(), planned - (clock.monotonic() - began));
  const look = waitingFor === undefined ? LOOK_MS : LOOK_SHARED_MS;
  while (left() > 0 && !isOver(session)) {
    await session.rest(Math.min(left(), look));
    const asked = await obey(session);
    if (asked) return asked;
  }
  session.waitingFor = undefined;
  if (session.state.waitUntil !== undefined) session.record({ type: 'wait.ended' });
  return undefined;
}

/** A person ended it, or the limit that was waited for is not there any more. */
function isOver({ state, waitingFor, options: { limits } }: Session): boolean {
  if (state.waitUntil === undefined) return true;
  return waitingFor !== undefined && limits !== undefined && limits.look(waitingFor) === undefined;
}

/** Nothing could be done between the end of the wait and the deadline. */
function tooLong({ clock, deadline, state }: Session, until: number): Stop | undefined {
  if (deadline === undefined || until < deadline) return undefined;
  const now = clock.now();
  const wait = `waiting until ${localMoment(until, now)}, ${state.waitWhy},`;
  return { reason: 'deadline', why: `${wait} would pass ${localMoment(deadline, now)}; ralph run waits for the rest` };
}
