/**
 * A wait is an absolute moment in the journal, so a restart waits for the rest of it and no more. It ends when the wall
 * clock is there, or when as much time has passed as it was to take: a wall clock may be put forward or back meanwhile.
 */

import { localMoment } from '../report/index.ts';
import { obey } from './obey.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';

/** So often the wall clock is looked at again, and the inbox, in case a nudge was lost. */
const LOOK_MS = 30_000;

export async function waitUntil(session: Session): Promise<Stop | undefined> {
  const { clock, state } = session;
  const { waitUntil: until, waitMs = Number.POSITIVE_INFINITY } = state;
  if (until === undefined) return undefined;
  const stop = tooLong(session, until);
  if (stop) return stop;
  const began = clock.monotonic();
  const planned = Math.min(until - clock.now(), waitMs);
  const left = () => Math.min(until - clock.now(), planned - (clock.monotonic() - began));
  while (left() > 0) {
    await session.rest(Math.min(left(), LOOK_MS));
    const asked = await obey(session);
    if (asked) return asked;
  }
  session.record({ type: 'wait.ended' });
  return undefined;
}

/** Nothing could be done between the end of the wait and the deadline. */
function tooLong({ clock, deadline, state }: Session, until: number): Stop | undefined {
  if (deadline === undefined || until < deadline) return undefined;
  const now = clock.now();
  const wait = `waiting until ${localMoment(until, now)}, ${state.waitWhy},`;
  return { reason: 'deadline', why: `${wait} would pass ${localMoment(deadline, now)}; ralph run waits for the rest` };
}
