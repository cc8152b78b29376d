/** Marks that a person made in the plan file itself: before the run, and while none was live. */
import { type Session, writeMark } from '../loop.ts';
import type { OpenPlan } from '../plan/index.ts';
import { isConfirmed, itemOf, type RunState } from '../state.ts';
import { ok, type Result } from '../util/result.ts';

/** Items that the plan calls done or skipped. */
export const settledIn = ({ plan }: OpenPlan): readonly string[] =>
  plan.items.filter(({ status }) => status === 'done' || status === 'skipped').map(({ id }) => id);

/** When a runner last wrote the plan of this run: at its end, or before the agents that it was cut off with. */
export const workedUntil = ({ finished, openIterations }: RunState): number =>
  finished?.at ?? Math.min(...openIterations.map(({ at = Infinity }) => at));

/**
 * Marks of a person's since then that the plan of the run lacks, because they were made where it is not, or because it was put
 * back to what it was before the agent of a dead runner: the journal has them, and now the plan.
 */
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
