/** Items that a person added to the plan after a runner died, before the next one put the plan back. */
import { type OpenPlan, withItems } from '../plan/index.ts';
import { isClosed } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { firstFew } from '../util/show.ts';
import type { Session } from './session.ts';

/** `found` is the plan as the runner found it. */
export function keepAdded(session: Session, found: OpenPlan): void {
  const { ids } = session.plan.plan;
  if (found.plan.ids.every(id => ids.includes(id))) return;
  const added = found.plan.items.filter(({ id, status }) => !ids.includes(id) && !isClosed(status));
  const grown = withItems(session.plan, added);
  const which = firstFew(
    added.map(({ id }) => id),
    3,
  );
  if (!grown) {
    session.notice(
      'warn',
      `${which}: added to the plan since the runner died, and taken out with the rest of that edit`,
    );
    return;
  }
  writeAtomic(grown.path, grown.bytes);
  session.plan = grown;
  session.tree = '';
}
