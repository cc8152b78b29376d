/** A wait is an absolute moment in the journal, so a restart waits for the rest of it and no more. */

import type { Stop } from '../loop.ts';
import { showDuration } from '../util/show.ts';
import { elapsed } from './limits.ts';
import { obey } from './obey.ts';
import type { Session } from './session.ts';

export async function waitUntil(session: Session): Promise<Stop | undefined> {
  const { waitUntil: until, waitWhy } = session.state;
  if (until === undefined) return undefined;
  const left = until - session.clock.now();
  const budget = session.settings.limits.timeMs - elapsed(session);
  if (left > budget) {
    return { reason: 'time', why: `waiting for ${showDuration(left)} (${waitWhy}) would go past the time limit` };
  }
  while (session.clock.now() < until) {
    const wake = new AbortController();
    const off = session.options.stopper.onNudge(() => wake.abort());
    await session.clock.sleep(until - session.clock.now(), wake.signal);
    off();
    const stop = await obey(session);
    if (stop) return stop;
  }
  session.record({ type: 'wait.ended' });
  return undefined;
}
