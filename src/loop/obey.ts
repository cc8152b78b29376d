/** Takes what other terminals ask for, at the boundary between two iterations. */
import { type Request, receiveRequests } from '../journal/control.ts';
import type { Stop } from '../loop.ts';
import { markByPerson } from './mark-by-person.ts';
import { changeLessons } from './remember.ts';
import type { Session } from './session.ts';

/** Empties the inbox, holds while paused, and says whether the run has to stop. */
export async function obey(session: Session): Promise<Stop | undefined> {
  for (;;) {
    takeRequests(session);
    const { request } = session.options.stopper;
    if (request) return { reason: request.reason, why: '' };
    if (!session.state.paused) return undefined;
    await nudged(session);
  }
}

function takeRequests(session: Session): void {
  for (const { request, done } of receiveRequests(session.options.folder.control)) {
    take(session, request);
    done();
  }
}

function take(session: Session, request: Request): void {
  switch (request.type) {
    case 'stop':
      session.options.stopper.stop({ reason: 'stop-requested', now: request.now });
      return;
    case 'pause':
      if (!session.state.paused) session.record({ type: 'paused' });
      return;
    case 'resume':
      if (session.state.paused) session.record({ type: 'unpaused' });
      return;
    case 'steer':
      session.record({ type: 'steered', text: request.text });
      return;
    case 'lesson':
      changeLessons(session, request);
      return;
    case 'retry': {
      const { item, hint } = request;
      const retried = markByPerson(session, { id: item, to: 'pending' }, { type: 'item.retried', item, hint });
      if (!retried.ok) session.notice('warn', `could not try ${item} again: ${retried.error.message}`);
      return;
    }
    case 'mark': {
      const marked = markByPerson(session, request.mark);
      if (!marked.ok) session.notice('warn', `could not mark ${request.mark.id}: ${marked.error.message}`);
      return;
    }
  }
}

/** While an agent runs only an immediate stop matters; the rest waits for the boundary. */
export function watchInbox(session: Pick<Session, 'options'>): () => void {
  const look = () => {
    for (const { request, done } of receiveRequests(session.options.folder.control)) {
      if (request.type !== 'stop') continue;
      done();
      session.options.stopper.stop({ reason: 'stop-requested', now: request.now });
    }
  };
  return session.options.stopper.onNudge(look);
}

/** Recorded as it is asked for: a person who does not wait for the end must not look like an item that kills its runner. */
export function noteStop(session: Session): () => void {
  const { stopper } = session.options;
  const note = () => {
    const { request } = stopper;
    if (!request || !session.state.open) return;
    try {
      session.record({ type: 'stopping', reason: request.reason });
    } catch {
      // The loop meets the same refusal with its next record, and says so.
    }
  };
  stopper.signal.addEventListener('abort', note);
  return () => stopper.signal.removeEventListener('abort', note);
}

/** A nudge can be lost with the signal that carries it, so a paused run also looks by itself now and then. */
const LOOK_MS = 5_000;

async function nudged(session: Session): Promise<void> {
  const wake = new AbortController();
  const off = session.options.stopper.onNudge(() => wake.abort());
  await session.clock.sleep(LOOK_MS, wake.signal);
  off();
}
