/** `ralph done | reset | skip | block | unblock`: a person's own marks. */

import { sendRequest } from '../journal/control.ts';
import { Journal } from '../journal/journal.ts';
import { acquireLock } from '../journal/lock.ts';
import { journalOf, makeRalphFolder } from '../journal/runs.ts';
import { markPlan, type OpenPlan } from '../plan/open.ts';
import { isAlive, self } from '../process/identity.ts';
import type { Mark } from '../protocol.ts';
import { findRun } from '../start/find-run.ts';
import { openProject, type Project, runnablePlan } from '../start/project.ts';
import { writeAtomic } from '../util/files.ts';
import { nearest } from '../util/suggest.ts';
import { repoPath } from '../workspace/repository.ts';
import { type Handler, textFlag } from './command.ts';
import { complain, print } from './print.ts';
import { nudge } from './talk.ts';

const TARGETS: Readonly<Record<string, Mark['to']>> = {
  done: 'done',
  reset: 'pending',
  skip: 'skipped',
  block: 'blocked',
  unblock: 'pending',
};

export const mark: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 2);
  const plan = runnablePlan(project.value, textFlag(call, 'plan'));
  if (!plan.ok) return complain(plan.error.failure, 2);
  const id = call.args[0] ?? '';
  const item = plan.value.plan.items.find(candidate => candidate.id === id);
  if (!item) {
    const near = nearest(
      id,
      plan.value.plan.items.map(candidate => candidate.id),
    );
    const hint = near ? `Did you mean ${near}?` : 'See them with: ralph check';
    return complain({ reason: 'no-item', message: `the plan has no item "${id}"`, hint }, 2);
  }
  const note = textFlag(call, 'why');
  return apply(project.value, plan.value, {
    id,
    to: TARGETS[call.command.name] ?? 'pending',
    ...(note === undefined ? {} : { note }),
  });
};

function apply(project: Project, plan: OpenPlan, wanted: Mark): number {
  const { folder } = project;
  makeRalphFolder(folder);
  const lock = acquireLock({ file: folder.lock, me: self(), command: 'ralph mark', now: Date.now(), isAlive });
  if (!lock.ok) {
    // While a run is live the plan is the runner's; it writes the mark at its next boundary.
    sendRequest(folder.control, { type: 'mark', mark: wanted });
    nudge(lock.error.owner.process.pid);
    print(
      `${wanted.id} will be ${wanted.to} at the end of the current iteration (pid ${lock.error.owner.process.pid}).`,
    );
    return 0;
  }
  try {
    const bytes = markPlan(plan, wanted);
    if (!bytes.ok) return complain(bytes.error, 2);
    if (!bytes.value.equals(plan.bytes)) writeAtomic(plan.path, bytes.value);
    const told = tellRun(project, plan, wanted);
    if (told !== undefined) return told;
    print(`${wanted.id} is ${wanted.to}.`);
    return 0;
  } finally {
    lock.value.release();
  }
}

/** An unfinished run has an opinion of its own about the item; a person's word goes into its journal. */
function tellRun(project: Project, plan: OpenPlan, { id, to, note }: Mark): number | undefined {
  const path = repoPath(project.repository, plan.path) ?? plan.path;
  const run = findRun(project.folder, { path, name: plan.plan.name, items: plan.plan.items });
  if (!run.ok) return complain(run.error, 4);
  if (!run.value) return undefined;
  const journal = Journal.open(journalOf(project.folder, run.value.run), () => undefined);
  if (!journal.ok) return complain(journal.error, 4);
  journal.value.append({ type: 'item.marked', item: id, to, by: 'person', why: note ?? 'marked by you' }, Date.now());
  journal.value.close();
  return undefined;
}
