/** A person's mark on an item: written into the plan file and recorded in the journal. */

import type { Durable } from '../events.ts';
import { markOwnFile, markPlan } from '../plan/index.ts';
import type { Actor, Mark } from '../protocol.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { Session } from './session.ts';
import { rereadTrusted } from './trusted-plan.ts';

/** `said` is the record for the journal; without it, the mark is the answer to the run's own question. */
export function markByPerson(session: Session, mark: Mark, said?: Durable): Result<void> {
  const written = writeMark(session, mark);
  if (!written.ok) return written;
  const { id: item, to, note: why = 'marked by you' } = mark;
  session.record(said ?? { type: 'item.marked', item, to, by: 'person', why, actor: ANSWER });
  return ok(undefined);
}

/** Writes the mark into the plan only; the caller takes care of the journal. */
export function writeMark(session: Session, mark: Mark): Result<void> {
  const current = rereadTrusted(session);
  const marked = markPlan(current, mark);
  if (!marked.ok) return marked;
  if (!marked.value.bytes.equals(current.bytes)) {
    writeAtomic(current.path, marked.value.bytes);
    session.tree = '';
  }
  const read = markOwnFile(marked.value, mark);
  if (!read.ok) return read;
  if (read.value !== session.plan) session.tree = '';
  session.plan = read.value;
  return ok(undefined);
}

/** The actor of answers in an attended run. */
export const ANSWER: Actor = { via: 'question' };

/** Restarts the item at its first attempt, with a hint for its next brief. */
export const retryByPerson = (
  session: Session,
  retried: { readonly item: string; readonly hint: string; readonly asked?: number; readonly actor?: Actor },
): Result<void> => markByPerson(session, { id: retried.item, to: 'pending' }, { type: 'item.retried', ...retried });
