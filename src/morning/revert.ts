/** `revert`: the work of an accepted item is taken back on the branch of its run, and the item is pending again. */
import { join } from 'node:path';
import type { Recorded } from '../events.ts';
import { describeNotLocked, dropRequests, lockFolder, seatOfRun, storeOf } from '../journal/index.ts';
import { removeCheckout } from '../loop.ts';
import { unknownItem } from '../plan/index.ts';
import { actorHere, isAlive, self } from '../process/index.ts';
import type { Item } from '../protocol.ts';
import { itemCommand, shellWord, shortCommit } from '../report/index.ts';
import type { Project } from '../start/index.ts';
import { isCutOff, itemOf, type RunState, statusIn } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { plural } from '../util/show.ts';
import { uniqueName } from '../util/unique-name.ts';
import { moveForward, OtherTrees } from '../workspace/index.ts';
import { commitTree } from './commit-tree.ts';
import { findNightRun, type NightRun, refuseUnsettled } from './night-run.ts';
import { type AtTip, itemsAtTip, pendingAgain } from './plan-at-tip.ts';
import { undoCommits } from './undo-commits.ts';

export interface RevertOptions {
  readonly project: Project;
  readonly run: string;
  readonly item: string;
  /** Items that are done and build on it are taken back with it; without this, they are a reason to refuse. */
  readonly withDependents: boolean;
  readonly now: number;
}

export interface Reverted {
  readonly run: string;
  readonly branch: string;
  /** The item, then those that build on it. */
  readonly items: readonly string[];
  /** What was taken back, the newest first. */
  readonly commits: readonly string[];
  /** The new commit; null where the branch did not hold the work any more, so that only the mark was missing. */
  readonly commit: string | null;
}

export async function revert(options: RevertOptions): Promise<Result<Reverted>> {
  const { project, now } = options;
  const { folder, repository } = project;
  const meant = await findNightRun(project, options.run);
  if (!meant.ok) return meant;
  const seat = seatOfRun(folder, meant.value.state);
  const lock = lockFolder(seat, { me: self(), command: 'ralph revert', now, isAlive });
  if (!lock.ok) return fail(describeNotLocked(lock.error, now));
  const trees = new OtherTrees(repository.git, join(folder.root, `revert-${uniqueName()}`));
  try {
    const night = await findNightRun(project, meant.value.state.run);
    if (!night.ok) return night;
    const wrong = refuseUnsettled(project, night.value) ?? refuseCutOff(night.value);
    if (wrong) return fail(wrong);
    return await takeBack(options, night.value, trees);
  } finally {
    removeCheckout({ trees });
    lock.value.release();
  }
}

async function takeBack(options: RevertOptions, night: NightRun, trees: OtherTrees): Promise<Result<Reverted>> {
  const { project, item, now } = options;
  const { state, tip = '' } = night;
  const at: AtTip = { project, state, trees, tip };
  const known = await itemsAtTip(at);
  if (!known.ok) return known;
  const ids = [...new Set([...known.value.map(each => each.id), ...state.items.keys()])];
  if (!ids.includes(item)) return fail(unknownItem(item, ids));
  const dependents = doneDependents(state, known.value, item);
  if (dependents.length > 0 && !options.withDependents) return fail(hasDependents(state, item, dependents));
  const items = [item, ...dependents];
  const commits = commitsOf(night.records, items);
  if (!commits.some(each => each.item === item)) return fail(notAccepted(state, item));
  const made = await commitWithout(at, { items, commits: commits.map(each => each.commit), now });
  if (!made.ok) return made;
  const told = tell(options, state, { items, commit: made.value });
  if (!told.ok) return told;
  const { run, branch } = state;
  return ok({ run, branch, items, commits: commits.map(each => each.commit), commit: made.value ?? null });
}

/** Those that are done and build on it, directly or through others. */
function doneDependents(state: RunState, items: readonly Item[], item: string): readonly string[] {
  const found = new Set([item]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { id, dependsOn } of items) if (dependsOn.some(each => found.has(each))) found.add(id);
  }
  found.delete(item);
  const isDone = (each: Item) => statusIn(state, each) === 'done';
  return items.filter(each => found.has(each.id) && isDone(each)).map(({ id }) => id);
}

interface ItemCommit {
  readonly item: string;
  readonly commit: string;
}

/** What these items put on the branch since each was last made pending, the newest first; parts of an item count too. */
function commitsOf(records: readonly Recorded[], items: readonly string[]): readonly ItemCommit[] {
  let commits: ItemCommit[] = [];
  for (const record of records) {
    if (record.type === 'item.marked' && record.to === 'pending') {
      commits = commits.filter(({ item }) => item !== record.item);
    }
    if (record.type !== 'iteration.finished' && record.type !== 'item.adopted') continue;
    const { item, commit } = record;
    if (commit !== undefined && items.includes(item)) commits.push({ item, commit });
  }
  return commits.toReversed();
}

interface Wanted {
  readonly items: readonly string[];
  readonly commits: readonly string[];
  readonly now: number;
}

/** The branch moves only here, and last. */
async function commitWithout(at: AtTip, { items, commits, now }: Wanted): Promise<Result<string | undefined>> {
  const { project, state, trees, tip } = at;
  const { repository } = project;
  for (const commit of commits) {
    const isThere = await repository.git.text('merge-base', '--is-ancestor', commit, tip);
    if (!isThere.ok) return fail(notOnBranch(state, commit));
  }
  const pending = await pendingAgain(at, items, now);
  if (!pending.ok) return pending;
  const { edits, markOnDisk } = pending.value;
  const undone = await undoCommits({ repository, trees, tip, commits, kept: edits.map(({ path }) => path) });
  if (!undone.ok) return undone;
  if (undone.value.type === 'conflict') return fail(conflict(state.branch, undone.value));
  const tree = edits.length === 0 ? ok(undone.value.tree) : await trees.replacing(undone.value.tree, edits);
  if (!tree.ok) return tree;
  const before = await repository.git.text('rev-parse', '--verify', `${tip}^{tree}`);
  if (!before.ok) return before;
  // A revert that was cut off before the journal was told.
  const isMade = before.value === tree.value;
  const message = messageOf(state, items, commits);
  const made = isMade ? ok(tip) : await commitTree(repository, { tree: tree.value, parents: [tip], message });
  if (!made.ok) return made;
  const why = `ralph revert ${items[0] ?? ''}`;
  const moved = isMade
    ? ok(undefined)
    : await moveForward(repository, { branch: state.branch, from: tip, to: made.value, why });
  if (!moved.ok) return moved;
  const marked = markOnDisk();
  if (!marked.ok) return marked;
  return ok(isMade ? undefined : made.value);
}

/** Without the trailer that names an item: a run would take it for the work on that item. */
function messageOf(state: RunState, items: readonly string[], commits: readonly string[]): string {
  const [first = ''] = items;
  const { title } = itemOf(state, first);
  const others = items.length > 1 ? ` and ${plural(items.length - 1, 'item')} that build on it` : '';
  return [
    `revert: ${first} ${title}`.trim().slice(0, 72 - others.length) + others,
    '',
    ...commits.map(commit => `This reverts commit ${commit}.`),
    '',
    `${items.join(', ')}: pending again.`,
    '',
    `Ralph-Run: ${state.run}`,
    '',
  ].join('\n');
}

function tell(
  { project, now }: RevertOptions,
  state: RunState,
  { items, commit }: { readonly items: readonly string[]; readonly commit: string | undefined },
): Result<void> {
  const store = storeOf(seatOfRun(project.folder, state));
  const journal = store.openJournal(state.run);
  if (!journal.ok) return journal;
  const why = commit === undefined ? 'reverted by you' : `reverted by you in ${shortCommit(commit)}`;
  for (const item of items) {
    dropRequests(store.receive(), item);
    journal.value.append({ type: 'item.marked', item, to: 'pending', by: 'person', why, actor: actorHere() }, now);
  }
  journal.value.close();
  return ok(undefined);
}

/** The run would take a branch that moved meanwhile for the doing of its agent, and move it back. */
const refuseCutOff = ({ state }: NightRun): Failure | undefined =>
  isCutOff(state)
    ? {
        reason: 'cut-off',
        message: `the run ${state.run} was cut off in the middle of an item; nothing was changed`,
        hint: `Let it settle that first: ralph run ${shellWord(state.run)}`,
      }
    : undefined;

const hasDependents = (state: RunState, item: string, dependents: readonly string[]): Failure => ({
  reason: 'has-dependents',
  message: `${plural(dependents.length, 'item')} that ${dependents.length === 1 ? 'is' : 'are'} done ${dependents.length === 1 ? 'builds' : 'build'} on ${item}: ${dependents.join(', ')}; nothing was changed`,
  hint: `To revert all of them: ${itemCommand('revert', item, { flags: `--run ${shellWord(state.run)} --with-dependents` })}`,
});

const notAccepted = (state: RunState, item: string): Failure => ({
  reason: 'not-accepted',
  message: `the run ${state.run} has no commit of ${item} that could be taken back; nothing was changed`,
  hint: `What it has done: ralph items --run ${shellWord(state.run)}. To do it again: ${itemCommand('reset', item)}`,
});

const notOnBranch = (state: RunState, commit: string): Failure => ({
  reason: 'not-accepted',
  message: `${shortCommit(commit)} is no longer on ${state.branch}: its history was rewritten; nothing was changed`,
  hint: `Look for it: git log ${quoted(state.branch)}`,
});

const conflict = (
  branch: string,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
): Failure => ({
  reason: 'merge-conflict',
  message: `what came after ${shortCommit(commit)} changed the same lines in ${plural(paths.length, 'file')}: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' …' : ''}; nothing was changed`,
  hint: `Revert it by hand: git switch ${quoted(branch)} && git revert ${shortCommit(commit)}`,
});
