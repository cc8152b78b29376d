/** `discard`: the branch of a run goes away, and can be had back for a month. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Durable } from '../events.ts';
import { describeNotLocked, lockFolder, noteMoved, runFolder, seatOfRun, storeOf } from '../journal/index.ts';
import { planBefore } from '../memory/index.ts';
import { actorHere, isAlive, self } from '../process/index.ts';
import type { Mark } from '../protocol.ts';
import { type Project, withEarlier } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { dayOf } from '../util/clock.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { checkouts, isContained, uncommitted } from '../workspace/index.ts';
import { findNightRun, refuseHeir, refuseUnsettled } from './night-run.ts';
import { packAttempts, unpackAttempts } from './pack-attempts.ts';
import { markIgnored } from './plan-at-tip.ts';
import { removeWorktree } from './worktree.ts';

/** Followed by the day on which it was discarded and the run. */
const PLACE = 'refs/ralph/discarded';
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

export interface Discarded {
  readonly run: string;
  readonly branch: string;
  readonly tip: string;
  readonly notes: readonly string[];
}

export interface DiscardOptions {
  readonly project: Project;
  readonly run: string;
  readonly now: number;
}

export async function discard({ project, run, now }: DiscardOptions): Promise<Result<Discarded>> {
  const night = await findNightRun(project, run);
  if (!night.ok) return night;
  const wrong = refuseUnsettled(project, night.value) ?? refuseHeir(night.value, 'discard');
  if (wrong) return fail(wrong);
  const { state, tip = '' } = night.value;
  const thrown = await alone({ project, state, now }, async () => await throwAway({ project, state, tip, now }));
  if (!thrown.ok) return thrown;
  // Not while the lock is held: nothing is packed where a runner works.
  const packed = await packAttempts(project, state, 'all');
  return ok({ ...thrown.value, notes: [...thrown.value.notes, ...packed] });
}

interface Alone {
  readonly project: Project;
  readonly state: RunState;
  readonly now: number;
}

/** While no runner takes the run up. What another run does in the same checkout is no concern of this one. */
async function alone<T>({ project, state, now }: Alone, act: () => Promise<Result<T>>): Promise<Result<T>> {
  const seat = seatOfRun(project.folder, state);
  const lock = lockFolder(seat, { me: self(), command: 'ralph discard', now, isAlive });
  if (!lock.ok) {
    const { error } = lock;
    const isOther = error.reason === 'held' && error.owner.run !== undefined && error.owner.run !== state.run;
    return isOther ? await act() : fail(describeNotLocked(error, now));
  }
  try {
    return await act();
  } finally {
    lock.value.release();
  }
}

async function throwAway({ project, state, tip, now }: Alone & { readonly tip: string }): Promise<Result<Discarded>> {
  const { repository } = project;
  const { git } = repository;
  if (state.from === undefined) return fail(notItsOwn(state.branch));
  const left = await leaveBranch(project, state);
  if (!left.ok) return left;
  const notes = await removeWorktree(project, state);
  const detached = await detachWorktree(project, state);
  if (!detached.ok) return detached;
  // First, because once the branch is gone, a discard that was cut off cannot be repeated.
  const forgotten = await markIgnored({ project, state, tip }, await marksWithout(project, state, { tip, now }));
  if (!forgotten.ok) return forgotten;
  const place = `${PLACE}/${dayOf(now)}/${state.run}`;
  const moved = [
    { ref: place, to: tip },
    { ref: `refs/heads/${state.branch}`, to: '' },
  ];
  noteMoved(project.folder, moved, Date.now());
  const kept = await git.text('update-ref', place, tip);
  if (!kept.ok) return kept;
  const told = tell(project, state, { type: 'run.discarded', tip, actor: actorHere() });
  if (!told.ok) return told;
  const gone = await git.text(
    'update-ref',
    '-m',
    `ralph discard ${state.run}`,
    '-d',
    `refs/heads/${state.branch}`,
    tip,
  );
  if (!gone.ok) return gone;
  await forgetOld(project, now);
  const plan = givePlanBack(project, state);
  return ok({ run: state.run, branch: state.branch, tip, notes: [...left.value, ...notes, ...plan] });
}

/** The branch is there again, where it was. */
export async function restore({ project, run, now }: DiscardOptions): Promise<Result<Discarded>> {
  const night = await findNightRun(project, run);
  if (!night.ok) return night;
  const { state } = night.value;
  return await alone({ project, state, now }, async () => await takeBack({ project, state, now }));
}

async function takeBack({ project, state, now }: Alone): Promise<Result<Discarded>> {
  const { git } = project.repository;
  const listed = await git.text('for-each-ref', '--format=%(objectname) %(refname)', `${PLACE}/*/${state.run}`);
  // The last one is the newest.
  const [tip, ref] = listed.ok ? (listed.value.split('\n').at(-1)?.split(' ') ?? []) : [];
  if (!tip || ref === undefined) {
    return fail({
      reason: 'not-discarded',
      message: `the run ${state.run} is not among those that were discarded here in the last ${KEPT_DAYS} days`,
      hint: 'Every run and its state: ralph runs',
    });
  }
  const moved = [
    { ref: `refs/heads/${state.branch}`, to: tip },
    { ref, to: '' },
  ];
  noteMoved(project.folder, moved, Date.now());
  const there = await git.text('rev-parse', '-q', '--verify', `refs/heads/${state.branch}`);
  // A discard that was cut off may have left it where it was.
  const isThere = there.ok && there.value === tip;
  const made = isThere
    ? there
    : await git.text('update-ref', `refs/heads/${state.branch}`, tip, '0'.repeat(tip.length));
  if (!made.ok) {
    return fail({
      ...made.error,
      hint: `A branch of that name exists again. To keep both: git branch ${quoted(`${state.branch}-old`)} ${tip}`,
    });
  }
  const told = tell(project, state, { type: 'run.restored', actor: actorHere() });
  if (!told.ok) return told;
  await takePlanAway(project, state, tip);
  const marks = marksOf(project, state).map(([id, to]) => ({ id, to, at: now }));
  const marked = await markIgnored({ project, state, tip }, marks);
  if (!marked.ok) return marked;
  const gone = await git.text('update-ref', '-d', ref, tip);
  if (!gone.ok) return gone;
  const unpacked = await unpackAttempts(project, state.run);
  const notes = unpacked.ok ? [] : [`the refs of refused attempts could not be unpacked: ${unpacked.error.message}`];
  return ok({ run: state.run, branch: state.branch, tip, notes });
}

/** A plan that nobody had committed went to the branch of the run, and would be gone with it. */
function givePlanBack({ repository, folder }: Project, { run, workspace, plan }: RunState): readonly string[] {
  const file = join(repository.root, plan.path);
  const before = workspace === '.' && !existsSync(file) ? planBefore(runFolder(folder, run), plan.path) : undefined;
  if (before === undefined) return [];
  mkdirSync(dirname(file), { recursive: true });
  writeAtomic(file, before);
  return [`the plan ${plan.path} was only on that branch; it is here again as it was before the run`];
}

/** What the run marked, and those before it on its branch. */
const marksOf = ({ folder }: Project, state: RunState): readonly (readonly [id: string, to: 'done' | 'blocked'])[] =>
  [...withEarlier(folder, state).items].flatMap(([id, { status }]) =>
    status === 'done' || status === 'blocked' ? [[id, status] as const] : [],
  );

/** Marks in a plan that git ignores outlive the branch: without them the plan starts over, unless the checkout has the work. */
async function marksWithout(
  project: Project,
  state: RunState,
  { tip, now }: { readonly tip: string; readonly now: number },
): Promise<readonly Mark[]> {
  const isHere = await isContained(project.repository.git, 'HEAD', tip);
  return isHere ? [] : marksOf(project, state).map(([id]) => ({ id, to: 'pending', at: now }));
}

/** The branch has it: a copy that git does not know would be in the way of going there. */
async function takePlanAway(
  { repository, folder }: Project,
  { run, workspace, plan }: RunState,
  tip: string,
): Promise<void> {
  if (!(await repository.git.text('cat-file', '-e', `${tip}:${plan.path}`)).ok) return;
  const file = join(repository.root, plan.path);
  const before = workspace === '.' ? planBefore(runFolder(folder, run), plan.path) : undefined;
  if (before === undefined || !readBytes(file)?.equals(before)) return;
  const known = await repository.git.list('ls-files', '-z', '--', `:(top,literal)${plan.path}`);
  if (known.ok && known.value.length === 0) rmSync(file);
}

/** The run is told, so that its plan starts over, or goes on. */
function tell({ folder }: Project, { run }: RunState, event: Durable): Result<void> {
  const journal = storeOf(folder).openJournal(run);
  if (!journal.ok) return journal;
  journal.value.append(event, Date.now());
  journal.value.close();
  return ok(undefined);
}

/** The runs whose branches are kept for now. */
export async function discardedRuns({ repository: { git } }: Project): Promise<ReadonlySet<string>> {
  const listed = await git.text('for-each-ref', '--format=%(refname)', PLACE);
  return new Set(listed.ok ? listed.value.split('\n').map(ref => ref.split('/').slice(4).join('/')) : []);
}

/**
 * Where it is checked out, the person is put back on the branch or commit that they came from. In another worktree of theirs nothing is
 * switched: somebody works there.
 */
async function leaveBranch(
  { repository }: Project,
  { branch, from, firstBase, workspace }: RunState,
): Promise<Result<readonly string[]>> {
  const { git, root } = repository;
  const all = await checkouts(repository);
  if (!all.ok) return all;
  const here = all.value.find(checkout => checkout.branch === branch);
  if (!here || here.path === ownWorktree(root, workspace)) return ok([]);
  if (here.path !== root) return fail(checkedOutAt(branch, here.path));
  const dirty = await uncommitted(git, root);
  if (!dirty.ok) return dirty;
  if (dirty.value.length > 0) {
    return fail({
      reason: 'dirty-tree',
      message: `${branch} is checked out here with changes that are not committed; nothing was changed`,
      hint: `Commit or stash them first: git stash --include-untracked`,
    });
  }
  const to = from ? [from] : ['--detach', firstBase];
  const switched = await git.text('checkout', '-q', ...to, '--');
  return switched.ok ? ok([`back on ${from || firstBase.slice(0, 7)}`]) : switched;
}

/** The run's worktree is kept if something in it is not committed; without its branch, git would show all its files as new. */
async function detachWorktree({ repository }: Project, { branch, workspace }: RunState): Promise<Result<void>> {
  const { git, root } = repository;
  const all = await checkouts(repository);
  if (!all.ok) return all;
  const path = ownWorktree(root, workspace);
  if (!all.value.some(checkout => checkout.path === path && checkout.branch === branch)) return ok(undefined);
  const detached = await git.text('-C', path, 'checkout', '-q', '--detach');
  return detached.ok ? ok(undefined) : detached;
}

const ownWorktree = (root: string, workspace: string): string =>
  workspace === '' || workspace === '.' ? '' : join(root, workspace);

const checkedOutAt = (branch: string, path: string): Failure => ({
  reason: 'branch-in-use',
  message: `${branch} is checked out at ${path}; nothing was changed`,
  hint: `Switch to another branch there: git -C ${quoted(path)} switch --detach. Then discard the run again`,
});

/** What nobody has asked for in a month; git itself then keeps the commits for some time more. */
async function forgetOld({ repository: { git } }: Project, now: number): Promise<void> {
  const listed = await git.text('for-each-ref', '--format=%(refname)', PLACE);
  for (const ref of listed.ok ? listed.value.split('\n').filter(Boolean) : []) {
    const since = Date.parse(ref.split('/')[3] ?? '');
    if (now - since > (KEPT_DAYS + 1) * DAY_MS) await git.text('update-ref', '-d', ref);
  }
}

const notItsOwn = (branch: string): Failure => ({
  reason: 'not-its-own',
  message: `${branch} was there before the run, so it is not discarded`,
  hint: 'To revert one item: ralph revert ITEM',
});
