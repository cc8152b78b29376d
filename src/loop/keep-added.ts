/** What a person changed in the plan after a runner died, before the next one put the plan back. */
import { dirname, join, relative } from 'node:path';
import { runFolder } from '../journal/index.ts';
import { itemWords, type OpenPlan, withItems } from '../plan/index.ts';
import { isClosed } from '../state.ts';
import { writeAtomic, writeOwn } from '../util/files.ts';
import { firstFew } from '../util/show.ts';
import type { Session } from './session.ts';

/** `found` is the plan as the runner found it: what was added is added again, of anything else a copy is kept. */
export function keepAdded(session: Session, found: OpenPlan): void {
  const { ids } = session.plan.plan;
  const added = found.plan.items.filter(({ id, status }) => !ids.includes(id) && !isClosed(status));
  const grown = added.length > 0 ? withItems(session.plan, added) : undefined;
  if (grown) {
    writeAtomic(grown.path, grown.bytes);
    session.plan = grown;
    session.tree = '';
  }
  const now = new Map(session.plan.plan.items.map(item => [item.id, itemWords(item)]));
  const lost = found.plan.items.filter(item => now.get(item.id) !== itemWords(item)).map(({ id }) => id);
  if (lost.length === 0) return;
  const { state, options } = session;
  const file = join(runFolder(options.folder, state.run), `plan-${state.lastAt}.edited`);
  writeOwn(file, found.bytes);
  const where = relative(dirname(options.folder.root), file);
  session.notice(
    'warn',
    `${firstFew(lost, 3)}: written into the plan since the runner died, and put back; as it was found the plan is in ${where}`,
  );
}
