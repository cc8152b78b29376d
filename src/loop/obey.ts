/** Takes what other terminals ask for, at the boundary between two iterations. */
import { itemIn, type Request } from '../journal/index.ts';
import type { Actor } from '../protocol.ts';
import { itemOf } from '../state.ts';
import { pastDeadline } from './limits.ts';
import { markByPerson, retryByPerson } from './mark-by-person.ts';
import { judgeOrders, requestsOf } from './orders.ts';
import { changeLessons } from './remember.ts';
import type { Order, Session } from './session.ts';
import type { Stop } from './stop.ts';

/** Empties the inbox, holds while paused, and says whether the run has to stop. */
export async function obey(session: Session): Promise<Stop | undefined> {
  for (;;) {
    takeRequests(session);
    const { request } = session.options.stopper;
    if (request) return { reason: request.reason, why: '' };
    if (!session.state.paused) return undefined;
    const late = pastDeadline(session);
    if (late) return late;
    await session.rest(LOOK_MS);
  }
}

function takeRequests(session: Session): void {
  judgeOrders(session);
  for (const { request, at, asker, done } of requestsOf(session)) {
    take(session, { request, at, ...(asker.actor ? { actor: asker.actor } : {}) });
    done();
  }
  for (const order of session.orders.splice(0)) {
    const { request, at } = order;
    session.brake.release();
    if (isOvertaken(session, request, at)) session.notice('info', overtaken(request));
    else take(session, order);
  }
}

/** A person has said something else about the item since: the later word counts. */
function isOvertaken({ state }: Session, request: Request, at: number): boolean {
  const item = itemIn(request);
  return item !== undefined && at < (itemOf(state, item).markedAt ?? 0);
}

const overtaken = (request: Request): string =>
  `an older ${request.type} of ${itemIn(request) ?? ''} is dropped: it was marked by hand since`;

function take(session: Session, { request, at: asked, actor }: Order): void {
  const by = actor ? { actor } : {};
  switch (request.type) {
    case 'stop':
      session.options.stopper.stop({ reason: 'stop-requested', now: request.now, ...by });
      return;
    case 'pause':
      if (!session.state.paused) session.record({ type: 'paused', ...by });
      return;
    case 'resume':
      if (session.state.paused) session.record({ type: 'unpaused', ...by });
      else if (session.state.waitUntil !== undefined) endWait(session, by);
      return;
    case 'steer':
      session.record({ type: 'steered', text: request.text, ...by });
      return;
    case 'lesson':
      changeLessons(session, request, actor);
      return;
    case 'retry': {
      const { item, hint } = request;
      const retried = retryByPerson(session, { item, hint, asked, ...by });
      if (!retried.ok) session.notice('warn', `could not try ${item} again: ${retried.error.message}`);
      return;
    }
    case 'mark': {
      const { id, to, note: why = 'marked by you' } = request.mark;
      const said = { type: 'item.marked', item: id, to, by: 'person', why, asked, ...by } as const;
      const marked = markByPerson(session, request.mark, said);
      if (!marked.ok) session.notice('warn', `could not mark ${request.mark.id}: ${marked.error.message}`);
      return;
    }
  }
}

/** Whoever ends a wait knows more than the clock does: other runs of the account need not wait either. */
function endWait(session: Session, by: { readonly actor?: Actor }): void {
  session.record({ type: 'wait.ended', by: 'person', ...by });
  if (session.waitingFor !== undefined) session.options.limits?.free(session.waitingFor);
}

/** While an agent runs only an immediate stop is obeyed; but who asks for the rest is looked at while they are there. */
export function watchInbox(session: Session): () => void {
  const look = () => {
    judgeOrders(session);
    for (const { request, asker, done } of requestsOf(session)) {
      if (request.type !== 'stop') continue;
      done();
      const by = asker.actor ? { actor: asker.actor } : {};
      session.options.stopper.stop({ reason: 'stop-requested', now: request.now, ...by });
    }
  };
  return session.options.stopper.onNudge(look);
}

/** Recorded as it is asked for: a person who does not wait for the end must not look like an item that kills its runner. */
export function noteStop(session: Session): () => void {
  const { stopper } = session.options;
  const note = () => {
    const { request } = stopper;
    if (!request || session.state.openIterations.length === 0) return;
    try {
      const { reason, actor } = request;
      session.record({ type: 'stopping', reason, ...(actor ? { actor } : {}) });
    } catch {
      // The loop meets the same refusal with its next record, and says so.
    }
  };
  stopper.signal.addEventListener('abort', note);
  return () => stopper.signal.removeEventListener('abort', note);
}

/** A nudge can be lost with the signal that carries it, so a paused run also looks by itself now and then. */
const LOOK_MS = 5_000;
