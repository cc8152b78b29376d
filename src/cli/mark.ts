/** `ralph done | reset | skip | block | unblock`: marks by a person. */
import { relative } from 'node:path';
import type { Durable } from '../events.ts';
import { dropRequests, type LockOwner, lockFolder, makeRalphFolder, seatOfRun, storeOf } from '../journal/index.ts';
import { markOwnFile, markPlan, type OpenPlan, unknownItem } from '../plan/index.ts';
import { actorHere, isAlive, self } from '../process/index.ts';
import type { Mark } from '../protocol.ts';
import { itemCommand } from '../report/index.ts';
import {
  findRun,
  identityOf,
  idsElsewhere,
  isWorkedOnElsewhere,
  type Meant,
  openProject,
  type Project,
  type Refusal,
  refuse,
  runnablePlan,
} from '../start/index.ts';
import { statusIn } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { askRun } from './ask-run.ts';
import { itemsMeant } from './blocked-items.ts';
import { type Call, type Handler, textFlag } from './command.ts';
import { mayNotMark } from './may-mark.ts';
import { complain, note, printOnce } from './print.ts';

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
    const done = await markOne(call, { project: project.value, id, isUndone });
    if (!done.ok) return complain(done.error.failure, done.error.exit);
    lines.push(done.value);
  }
  printOnce(lines.length > 0 ? lines.join('\n') : 'No item is blocked.');
  return 0;
};

/** Marks one item, or asks the live run to; returns a sentence that says which. */
async function markOne(
  call: Call,
  { project, id, isUndone }: { readonly project: Project; readonly id: string; readonly isUndone: boolean },
): Promise<Result<string, Refusal>> {
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
  // While a run is live the runner owns the plan; it writes the mark at its next step.
  const asked = await askRun(project.folder, owner, { type: 'mark', mark: wanted }, textFlag(call, 'confirm'));
  if (!asked.ok) return asked;
  return ok(`${wanted.id} will be ${wanted.to} at the end of the current iteration (pid ${owner.process.pid}).`);
}

export interface MarkRequest {
  readonly project: Project;
  readonly plan: string | undefined;
  readonly wanted: Mark;
  /** The event for the run's journal, if it is more than the mark. */
  readonly said?: Durable;
  /** Refuse if the item is done: unblocking it must not discard its work. */
  readonly isUndone?: boolean;
}

/** Writes a person's mark into the plan and its run. If a live runner owns the plan, it writes nothing and returns the runner. */
export function markItem(request: MarkRequest): Result<LockOwner | undefined, Refusal> {
  const { project, plan: given, wanted, said, isUndone = false } = request;
  const meant = runnablePlan(project, given);
  if (!meant.ok) return meant;
  const { plan, notes } = meant.value;
  const { ids } = plan.plan;
  const last = findRun(project.folder, identityOf(project, meant.value));
  const elsewhere = last.ok && last.value && isWorkedOnElsewhere(project, last.value) ? last.value : undefined;
  const isHere = ids.includes(wanted.id);
  const isThere = !isHere && elsewhere !== undefined && idsElsewhere(project, elsewhere).includes(wanted.id);
  if (!isHere && !isThere) return refuse(2, { ...unknownItem(wanted.id, ids), file: shownPath(project, plan) });
  note(notes);
  // Only if needed: reading every item of a long plan takes longer than everything else here.
  const item = isUndone ? plan.plan.items.find(({ id }) => id === wanted.id) : undefined;
  // The plan here may have marks of another branch, such as the one that the run was merged into.
  const isDone = item && (elsewhere?.items.get(item.id)?.status ?? statusIn(elsewhere, item)) === 'done';
  if (isDone) {
    const hint = `To do it again: ${itemCommand('reset', wanted.id)}`;
    return refuse(2, {
      reason: 'not-blocked',
      message: `${wanted.id} is done, not blocked; nothing was changed`,
      hint,
    });
  }
  const made = makeRalphFolder(project.folder);
  if (!made.ok) return refuse(4, made.error);
  const folder = last.ok && last.value ? seatOfRun(project.folder, last.value) : project.folder;
  const lock = lockFolder(folder, { me: self(), command: 'ralph mark', now: Date.now(), isAlive });
  if (!lock.ok) return lock.error.reason === 'held' ? ok(lock.error.owner) : refuse(4, lock.error.failure);
  try {
    const refused = mayNotMark(folder);
    if (refused) return refuse(4, refused);
    if (dropRequests(storeOf(folder).receive(), wanted.id) > 0)
      note([`an older request about ${wanted.id} is dropped`]);
    const marked = isHere ? markPlan(plan, wanted) : ok(plan);
    if (!marked.ok) return refuse(2, marked.error);
    // The plan of an open run is on its branch: `ralph run` writes the mark there, and this file stays as it is.
    const { bytes } = marked.value;
    if (elsewhere) {
      const where = `the plan of ${elsewhere.run} is on ${elsewhere.branch}`;
      if (isThere || !bytes.equals(plan.bytes)) note([`${where}; the next ralph run writes the mark there`]);
    } else {
      if (plan.created || !bytes.equals(plan.bytes)) writeAtomic(plan.path, bytes);
      const own = markOwnFile(plan, wanted);
      if (!own.ok) return refuse(2, own.error);
    }
    const { id: item, to, note: why = 'marked by you' } = wanted;
    return tellRun(
      project,
      meant.value,
      said ?? { type: 'item.marked', item, to, by: 'person', why, actor: actorHere() },
    );
  } finally {
    lock.value.release();
  }
}

/** Which plan was searched: without a name it may not be the expected one. */
const shownPath = ({ cwd }: Project, { path }: OpenPlan): string => relative(cwd, path) || path;

/** An unfinished run has its own state of the item, so a person's mark also goes into its journal. */
function tellRun(project: Project, meant: Meant, said: Durable): Result<undefined, Refusal> {
  const run = findRun(project.folder, identityOf(project, meant));
  if (!run.ok) return refuse(4, run.error);
  if (!run.value) return ok(undefined);
  const journal = storeOf(project.folder).openJournal(run.value.run);
  if (!journal.ok) return refuse(4, journal.error);
  journal.value.append(said, Date.now());
  journal.value.close();
  return ok(undefined);
}
