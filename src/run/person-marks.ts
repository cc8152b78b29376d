/** Marks that a person made in the plan file itself, before the run or while it was not live. */
import { join } from 'node:path';
import { type Session, writeMark } from '../loop.ts';
import { itemWords, type OpenPlan, planFrom } from '../plan/index.ts';
import { isClosed, isConfirmed, itemOf, type RunState, statusIn } from '../state.ts';
import { readBytes } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';

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

/**
 * A run in a worktree takes over what is edited in the person's plan while it is live. Between two runs either of the two copies may have
 * been edited, and nobody knows which one is meant: items that are in other words there are named, and stay as they are here.
 */
export function noteOtherWords(session: Session): void {
  const { plan, state, options } = session;
  const seen = options.checkoutPlan && readBytes(options.checkoutPlan.path);
  if (!seen || !options.checkoutPlan?.seen.equals(seen)) return;
  const there = new Map(planFrom(plan, seen).plan.items.map(item => [item.id, itemWords(item)]));
  const other = plan.plan.items
    .filter(item => !isClosed(statusIn(state, item)) && (there.get(item.id) ?? itemWords(item)) !== itemWords(item))
    .map(({ id }) => id);
  if (other.length === 0) return;
  const copy = join(state.workspace, state.plan.path);
  session.notice(
    'warn',
    `the plan in your checkout has other words for ${firstFew(other, 5)}; the run keeps those of its own copy. To change them, edit ${copy}`,
  );
}
