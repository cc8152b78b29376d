/**
 * The plan on disk, without marks that an agent may have made. People may edit a plan at any time, but a file does not say who wrote it. A
 * mark that makes an item done or skipped counts as a person's if no process of an agent was alive when it was made. Otherwise it is
 * removed, and a person has to use `ralph done` or `ralph skip`.
 */
import { lstatSync } from 'node:fs';
import { markPlan, type OpenPlan, rereadPlan } from '../plan/index.ts';
import { systemTable } from '../process/index.ts';
import { itemOf } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { noteUndone } from './orders.ts';
import type { Session } from './session.ts';

/** Reads the plan without doubtful marks, and removes them from the file. */
export function rereadTrusted(session: Session): OpenPlan {
  const found = rereadPlan(session.plan);
  if (found === session.plan) return found;
  const trusted = withoutDoubtful(session, { found, file: session.plan.path });
  if (trusted !== found) writeAtomic(session.plan.path, trusted.bytes);
  return trusted;
}

/** Removes marks of unknown origin from an edited plan, and records the others as a person's. */
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
    trusted = undone.ok ? undone.value : session.plan;
    const command = status === 'skipped' ? 'skip' : 'done';
    const what = `the plan said that ${id} is ${status}, written while an agent was at work`;
    noteUndone(session, `${what}; it was not believed`);
    session.notice('warn', `${what}; it does not count. If it was you: ralph ${command} ${id}`);
    if (!undone.ok) break;
  }
  return trusted;
}

/** Whether no process of an agent was alive when the file was last written. */
function isByPerson({ firstAgent, quietSince, state }: Session, file: string): boolean {
  if (!firstAgent) return true;
  if (state.leftAlive?.boot === systemTable.boot()) return false;
  return (lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) > quietSince;
}
