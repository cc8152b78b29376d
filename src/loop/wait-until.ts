/**
 * The journal stores the end of a wait as an absolute time, so a restart waits only for the rest. A wait ends when the wall clock reaches
 * that time or its planned length has passed, because a wall clock may be set forward or back. A person can end it, and so can another run
 * of the same account that finds the limit gone.
 */

import { localMoment } from '../report/index.ts';
import { obey } from './obey.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';

/** How often the wall clock and the inbox are checked, in case a nudge was lost. */
const LOOK_MS = 30_000;
/** How often to check whether another run has found the limit gone. */
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

/** A person ended the wait, or the limit it was for is gone. */
function isOver({ state, waitingFor, options: { limits } }: Session): boolean {
  if (state.waitUntil === undefined) return true;
  return waitingFor !== undefined && limits !== undefined && limits.look(waitingFor) === undefined;
}

/** The wait would end after the deadline, so nothing could be done. */
function tooLong({ clock, deadline, state }: Session, until: number): Stop | undefined {
  if (deadline === undefined || until < deadline) return undefined;
  const now = clock.now();
  const wait = `waiting until ${localMoment(until, now)}, ${state.waitWhy},`;
  return { reason: 'deadline', why: `${wait} would pass ${localMoment(deadline, now)}; ralph run waits for the rest` };
}
