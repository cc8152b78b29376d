/** `ralph done | reset | skip | block | unblock`: a person's own marks. */

import type { Durable } from '../events.ts';
import { Journal } from '../journal/journal.ts';
import { acquireLock, type LockOwner } from '../journal/lock.ts';
import { journalOf, makeRalphFolder } from '../journal/runs.ts';
import { markPlan, type OpenPlan } from '../plan/open.ts';
import { unknownItem } from '../plan/unknown-item.ts';
import { isAlive, self } from '../process/identity.ts';
import type { Mark } from '../protocol.ts';
import { shellWord } from '../report/style.ts';
import { findRun } from '../start/find-run.ts';
import { openProject, type Project, type Refusal, refuse, runnablePlan } from '../start/project.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { repoPath } from '../workspace/repository.ts';
import { askRun } from './ask-run.ts';
import { itemsMeant } from './blocked-items.ts';
import { type Call, type Handler, textFlag } from './command.ts';
import { complain, printOnce } from './print.ts';

export { parseCall } from './command.ts';

const TARGETS: Readonly<Record<string, Mark['to']>> = {
  done: 'done',
  reset: 'pending',
  skip: 'skipped',
  block: 'blocked',
  unblock: 'pending',
};

export const mark: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env, withoutGit: true });
  if (!project.ok) return complain(project.error.failure, 2);
  const isUndone = call.command.name === 'unblock';
  const ids = isUndone ? itemsMeant(call, project.value) : ok(call.args.slice(0, 1));
  if (!ids.ok) return complain(ids.error.failure, ids.error.exit);
  const lines: string[] = [];
  for (const id of ids.value) {
    const done = markOne(call, { project: project.value, id, isUndone });
    if (!done.ok) return complain(done.error.failure, done.error.exit);
    lines.push(done.value);
  }
  printOnce(lines.length > 0 ? lines.join('\n') : 'No item is blocked.');
  return 0;
};

/** Marks one item, or asks the live run to; gives the sentence that says which. */
function markOne(
  call: Call,
  { project, id, isUndone }: { readonly project: Project; readonly id: string; readonly isUndone: boolean },
): Result<string, Refusal> {
  const note = textFlag(call, 'why');
  const wanted: Mark = {
    id,
    to: TARGETS[call.command.name] ?? 'pending',
    at: Date.now(),
    ...(note === undefined ? {} : { note }),
  };
  const marked = markItem({ project, plan: textFlag(call, 'plan'), wanted, isUndone });
  if (!marked.ok) return marked;
  const owner = marked.value;
  if (!owner) return ok(`${wanted.id} is ${wanted.to}.`);
  // While a run is live the plan is the runner's; it writes the mark at its next boundary.
  const asked = askRun(project.folder, owner, { type: 'mark', mark: wanted });
  if (!asked.ok) return asked;
  return ok(`${wanted.id} will be ${wanted.to} at the end of the current iteration (pid ${owner.process.pid}).`);
}

export interface MarkRequest {
  readonly project: Project;
  readonly plan: string | undefined;
  readonly wanted: Mark;
  /** What the run's journal says of it, where that is more than the mark. */
  readonly said?: Durable;
  /** What is done stays so: to unblock it must not throw it away. */
  readonly isUndone?: boolean;
}

/** Writes a person's mark into the plan and its run; nothing where a live runner, who is then returned, has the plan. */
export function markItem(request: MarkRequest): Result<LockOwner | undefined, Refusal> {
  const { project, plan: given, wanted, said, isUndone = false } = request;
  const plan = runnablePlan(project, given);
  if (!plan.ok) return plan;
  const { ids } = plan.value.plan;
  if (!ids.includes(wanted.id)) return refuse(2, unknownItem(wanted.id, ids));
  if (isUndone && plan.value.plan.items.find(item => item.id === wanted.id)?.status === 'done') {
    const hint = `To have it done again: ralph reset ${shellWord(wanted.id)}`;
    return refuse(2, {
      reason: 'not-blocked',
      message: `${wanted.id} is done, not blocked; nothing was changed`,
      hint,
    });
  }
  const { folder } = project;
  makeRalphFolder(folder);
  const lock = acquireLock({ file: folder.lock, me: self(), command: 'ralph mark', now: Date.now(), isAlive });
  if (!lock.ok) return ok(lock.error.owner);
  try {
    const bytes = markPlan(plan.value, wanted);
    if (!bytes.ok) return refuse(2, bytes.error);
    if (plan.value.created || !bytes.value.equals(plan.value.bytes)) writeAtomic(plan.value.path, bytes.value);
    const { id: item, to, note: why = 'marked by you' } = wanted;
    return tellRun(project, plan.value, said ?? { type: 'item.marked', item, to, by: 'person', why });
  } finally {
    lock.value.release();
  }
}

/** An unfinished run has an opinion of its own about the item; a person's word goes into its journal. */
function tellRun(project: Project, plan: OpenPlan, said: Durable): Result<undefined, Refusal> {
  const path = repoPath(project.repository, plan.path) ?? plan.path;
  const run = findRun(project.folder, { path, plan: plan.plan });
  if (!run.ok) return refuse(4, run.error);
  if (!run.value) return ok(undefined);
  const journal = Journal.open(journalOf(project.folder, run.value.run), () => undefined);
  if (!journal.ok) return refuse(4, journal.error);
  journal.value.append(said, Date.now());
  journal.value.close();
  return ok(undefined);
}
