/** A person's own mark on an item: in the plan file, and in the run's journal where there is a run. */

import type { Durable } from '../events.ts';
import { markOwnFile, markPlan, planFrom } from '../plan/index.ts';
import type { Actor, Mark } from '../protocol.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { Session } from './session.ts';
import { rereadTrusted } from './trusted-plan.ts';

/** `said` is what the journal says of it; without it, that it was the answer to the run's own question. */
export function markByPerson(session: Session, mark: Mark, said?: Durable): Result<void> {
  const current = rereadTrusted(session);
  const bytes = markPlan(current, mark);
  if (!bytes.ok) return bytes;
  if (!bytes.value.equals(current.bytes)) {
    writeAtomic(current.path, bytes.value);
    session.tree = '';
  }
  const read = markOwnFile(planFrom(current, bytes.value), mark);
  if (!read.ok) return read;
  if (read.value !== session.plan) session.tree = '';
  session.plan = read.value;
  const { id: item, to, note: why = 'marked by you' } = mark;
  session.record(said ?? { type: 'item.marked', item, to, by: 'person', why, actor: ANSWER });
  return ok(undefined);
}

/** Of an attended run. */
export const ANSWER: Actor = { via: 'question' };

/** Once more from its first attempt, and what its next brief is to say. */
export const retryByPerson = (
  session: Session,
  retried: { readonly item: string; readonly hint: string; readonly asked?: number; readonly actor?: Actor },
): Result<void> => markByPerson(session, { id: retried.item, to: 'pending' }, { type: 'item.retried', ...retried });
