/**
 * The plan as it is on disk, without marks that may be an agent's. A plan belongs to a person, who may edit it at any time;
 * but a file does not say who wrote it. A mark that makes an item done or skipped is a person's where nothing of an agent
 * was alive when it was made; otherwise it is taken out again, and `ralph done` or `ralph skip` makes it.
 */
import { lstatSync } from 'node:fs';
import { markPlan, type OpenPlan, planFrom, rereadPlan } from '../plan/index.ts';
import { systemTable } from '../process/index.ts';
import { itemOf } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { noteUndone } from './orders.ts';
import type { Session } from './session.ts';

/** What the file says now, as far as it can be believed; the file then says the same. */
export function rereadTrusted(session: Session): OpenPlan {
  const found = rereadPlan(session.plan);
  if (found === session.plan) return found;
  const trusted = withoutDoubtful(session, { found, file: session.plan.path });
  if (trusted !== found) writeAtomic(session.plan.path, trusted.bytes);
  return trusted;
}

/** A plan that was edited, without the marks nobody can answer for. Those that count are a person's, and recorded so. */
export function withoutDoubtful(
  session: Session,
  { found, file }: { readonly found: OpenPlan; readonly file: string },
): OpenPlan {
  const before = new Map(session.plan.plan.items.map(({ id, status }) => [id, status]));
  const marks = found.plan.items.filter(
    ({ id, status }) =>
      (status === 'done' || status === 'skipped') &&
      before.get(id) !== status &&
      itemOf(session.state, id).status !== status,
  );
  if (marks.length === 0) return found;
  const person = isByPerson(session, file);
  let trusted = found;
  for (const { id, status } of marks) {
    if (person) {
      const to = status === 'skipped' ? 'skipped' : 'done';
      session.record({
        type: 'item.marked',
        item: id,
        to,
        by: 'person',
        why: 'marked in the plan',
        actor: { via: 'plan' },
      });
      continue;
    }
    const undone = markPlan(trusted, { id, to: 'pending' });
    trusted = undone.ok ? planFrom(trusted, undone.value) : session.plan;
    const command = status === 'skipped' ? 'skip' : 'done';
    const what = `the plan said that ${id} is ${status}, written while an agent was at work`;
    noteUndone(session, `${what}; it was not believed`);
    session.notice('warn', `${what}; it does not count. If it was you: ralph ${command} ${id}`);
    if (!undone.ok) break;
  }
  return trusted;
}

/** Whether nothing of an agent was there to write a file when it was last written. */
function isByPerson({ firstAgent, quietSince, state }: Session, file: string): boolean {
  if (!firstAgent) return true;
  if (state.leftAlive?.boot === systemTable.boot()) return false;
  return (lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) > quietSince;
}
