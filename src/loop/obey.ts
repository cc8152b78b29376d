/** Handles requests from other terminals, between two iterations. */
import { itemIn, type Request } from '../journal/index.ts';
import type { Actor } from '../protocol.ts';
import { itemOf } from '../state.ts';
import { pastDeadline } from './limits.ts';
import { markByPerson, retryByPerson } from './mark-by-person.ts';
import { judgeOrders, requestsOf } from './orders.ts';
import { answerByPerson } from './questions.ts';
import { changeLessons } from './remember.ts';
import type { Session } from './session.ts';
import type { Order } from './shared-run.ts';
import type { Stop } from './stop.ts';

/** Empties the inbox, waits while the run is paused, and returns a reason to stop, if any. `rest` is called before a pause. */
export async function obey(session: Session, rest?: () => Promise<void>): Promise<Stop | undefined> {
  for (;;) {
    takeRequests(session);
    const { request } = session.options.stopper;
    if (request) return { reason: request.reason, why: '' };
    if (!session.state.paused) return undefined;
    const late = pastDeadline(session);
    if (late) return late;
    await rest?.();
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

/** A person marked the item after this request was made: the later decision counts. */
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
    case 'answer': {
      const { item, text } = request;
      const answered = answerByPerson(session, { item, text, asked });
      if (!answered.ok) session.notice('warn', `could not answer ${item}: ${answered.error.message}`);
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

/** A person who ends a wait knows that the limit is over, so other runs of the account need not wait either. */
function endWait(session: Session, by: { readonly actor?: Actor }): void {
  session.record({ type: 'wait.ended', by: 'person', ...by });
  if (session.waitingFor !== undefined) session.options.limits?.free(session.waitingFor);
}

/** While an agent works, only an immediate stop is carried out; other requests are only checked for their sender, who may soon exit. */
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

/** Records a stop when it is requested, so that a kill by an impatient person does not count as a death caused by the item. */
export function noteStop(session: Session): () => void {
  const { stopper } = session.options;
  const note = () => {
    const { request } = stopper;
    if (!request || session.state.openIterations.length === 0) return;
    try {
      const { reason, actor } = request;
      session.record({ type: 'stopping', reason, ...(actor ? { actor } : {}) });
    } catch {
      // The loop's next record fails in the same way and reports it.
    }
  };
  stopper.signal.addEventListener('abort', note);
  return () => stopper.signal.removeEventListener('abort', note);
}

/** A nudge can get lost together with its signal, so a paused run also polls the inbox. */
const LOOK_MS = 5_000;
