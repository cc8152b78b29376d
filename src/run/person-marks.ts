/** Marks that a person made in the plan file itself, before the run or while it was not live. */
import { type Session, writeMark } from '../loop.ts';
import type { OpenPlan } from '../plan/index.ts';
import { isConfirmed, itemOf, type RunState } from '../state.ts';
import { ok, type Result } from '../util/result.ts';

/** Items that the plan marks as done or skipped. */
export const settledIn = ({ plan }: OpenPlan): readonly string[] =>
  plan.items.filter(({ status }) => status === 'done' || status === 'skipped').map(({ id }) => id);

/** When a runner last wrote this run's plan: at its end, or before the agents that were cut off. */
export const workedUntil = ({ finished, openIterations }: RunState): number =>
  finished?.at ?? Math.min(...openIterations.map(({ at = Infinity }) => at));

/**
 * Writes a person's newer marks, which are in the journal, into the run's plan. The plan lacks them if they were made in another checkout,
 * or if it was restored to its state before a dead runner's agent.
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

/** Records marks that a person made in the file while no run was live. */
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
