/** Marks that a person made in the plan file itself: before the run, and while none was live. */
import type { Session } from '../loop.ts';
import type { OpenPlan } from '../plan/index.ts';
import { isConfirmed } from '../state.ts';

/** Items that the plan calls done or skipped. */
export const settledIn = ({ plan }: OpenPlan): readonly string[] =>
  plan.items.filter(({ status }) => status === 'done' || status === 'skipped').map(({ id }) => id);

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
