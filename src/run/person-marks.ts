/** Marks that a person made in the plan file itself: before the run, and while none was live. */
import { type Session, writeMark } from '../loop.ts';
import type { OpenPlan } from '../plan/index.ts';
import { isConfirmed, itemOf } from '../state.ts';
import { ok, type Result } from '../util/result.ts';

/** Items that the plan calls done or skipped. */
export const settledIn = ({ plan }: OpenPlan): readonly string[] =>
  plan.items.filter(({ status }) => status === 'done' || status === 'skipped').map(({ id }) => id);

/** Marks of a person's since the run ended that were made where its plan is not: its journal has them, and now its plan. */
export function writeMarksSince(session: Session, endedAt: number): Result<void> {
  for (const { id, status } of session.plan.plan.items) {
    const { markedAt = 0, status: to, why } = itemOf(session.state, id);
    if (markedAt <= endedAt || to === status) continue;
    const written = writeMark(session, { id, to, at: markedAt, ...(why ? { note: why } : {}) });
    if (!written.ok) return written;
  }
  return ok(undefined);
}

/** What a person marked in the file while no run was live is theirs; the journal says so from here on. */
export function noteMarksBetween(session: Session): void {
  for (const { id, status } of session.plan.plan.items) {
    if ((status !== 'done' && status !== 'skipped') || isConfirmed(session.state, id)) continue;
    session.record({
      type: 'item.marked',
      item: id,
      to: status,
      by: 'person',
      why: 'marked in the plan between two runs',
      actor: { via: 'plan' },
    });
  }
}
