/** Writes every state into the plan, for formats that store it (sprints, groups); for the others, the journal has it. */
import { beginInPlan, markPlan, type OpenPlan } from '../plan/index.ts';
import type { Begin, Mark } from '../protocol.ts';
import { itemOf } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { Session } from './session.ts';
import { rereadTrusted } from './trusted-plan.ts';

export function trackBegin(session: Session, begin: Begin): Result<void> {
  const current = rereadTrusted(session);
  const begun = beginInPlan(current, begin);
  if (!begun) return ok(undefined);
  if (!begun.ok) return begun;
  write(session, begun.value);
  return ok(undefined);
}

/** Records a decision of the runner about an item beyond its verdict. */
export function markByRunner(
  session: Session,
  mark: Mark & { readonly to: 'blocked' | 'skipped'; readonly note: string },
): void {
  session.record({ type: 'item.marked', item: mark.id, to: mark.to, by: 'runner', why: mark.note });
}

/** After a verdict that did not finish the item: writes its current state from the journal. */
export function trackVerdict(session: Session, id: string): void {
  if (!session.plan.document.begin) return;
  const { status, why } = itemOf(session.state, id);
  if (status === 'done') return;
  const current = rereadTrusted(session);
  const mark: Mark = {
    id,
    to: status,
    at: session.clock.now(),
    ...(status === 'pending' ? { again: true } : {}),
    ...(why ? { note: why } : {}),
  };
  const marked = markPlan(current, mark);
  if (marked.ok) write(session, marked.value);
  else session.notice('warn', `the plan could not be marked: ${marked.error.message}`);
}

function write(session: Session, plan: OpenPlan): void {
  if (plan.bytes.equals(rereadTrusted(session).bytes)) return;
  writeAtomic(session.plan.path, plan.bytes);
  session.plan = plan;
  session.tree = '';
}
