/** A person's own mark on an item: in the plan file, and in the run's journal where there is a run. */

import { markPlan } from '../plan/open.ts';
import type { Mark } from '../protocol.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { planFrom, rereadPlan } from './plan-bytes.ts';
import type { Session } from './session.ts';

export async function markByPerson(session: Session, mark: Mark): Promise<Result<void>> {
  const current = rereadPlan(session.plan);
  const bytes = markPlan(current, mark);
  if (!bytes.ok) return bytes;
  if (!bytes.value.equals(current.bytes)) {
    writeAtomic(current.path, bytes.value);
    session.tree = '';
  }
  session.plan = planFrom(current, bytes.value);
  session.record({ type: 'item.marked', item: mark.id, to: mark.to, by: 'person', why: mark.note ?? 'marked by you' });
  return ok(undefined);
}
