/**
 * Protects a person's own checkout from an agent that may write only one file in it: everything else is restored, index and HEAD included.
 */
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RalphFolder } from '../journal/index.ts';
import { lessonsFile } from '../memory/index.ts';
import { readBytes, writeAtomic, writeFresh } from '../util/files.ts';
import { realPath } from '../util/paths.ts';
import { ok, type Result } from '../util/result.ts';
import {
  commitSettings,
  copyIndex,
  type Head,
  type Repository,
  repoPath,
  Vault,
  Workspace,
} from '../workspace/index.ts';
import { heldAccess } from './access.ts';
import type { Thing } from './hold.ts';
import { heldLessons } from './lessons.ts';
import { heldGit, heldOwnFiles, keptInRalph } from './own-files.ts';
import { Planted } from './planted.ts';

/** With a detached HEAD, the vault has no branch of its own either. */
const NO_BRANCH = 'refs/ralph/plan/no-branch';

/** The checkout before the agent started. */
export interface TreeBefore {
  readonly workspace: Workspace;
  readonly repository: Repository;
  readonly head: Head;
  readonly tree: string;
  /** The plan's path, and the target of a link at that path. */
  readonly planPaths: readonly string[];
  readonly plan: string;
  readonly planBytes: Buffer | undefined;
  /** A copy of the checkout's own index, if it had one. */
  readonly index: string;
  readonly vault: Vault;
  readonly planted: Planted;
  readonly ralph: RalphFolder;
  /** The runner's own folder for what is found. */
  readonly folder: string;
}

export interface TreeRequest {
  readonly repository: Repository;
  readonly head: Head;
  readonly plan: string;
  readonly ralph: RalphFolder;
  /** The runner's own folder for index files and for what is found. */
  readonly folder: string;
}

export async function rememberTree({
  repository,
  head,
  plan,
  ralph,
  folder,
}: TreeRequest): Promise<Result<TreeBefore>> {
  mkdirSync(folder, { recursive: true });
  const { author, plainObjects } = await commitSettings(repository);
  const { root, gitDir } = repository;
  const own = join(folder, 'index');
  rmSync(own, { force: true });
  const workspace = new Workspace({
    repository,
    root,
    gitDir,
    branch: head.branch,
    index: own,
    accepted: join(folder, 'accepted'),
    author,
    plainObjects,
  });
  const prepared = await workspace.prepare();
  if (!prepared.ok) return prepared;
  const tree = await workspace.snapshot();
  if (!tree.ok) return tree;
  const index = join(folder, 'index.before');
  rmSync(index, { recursive: true, force: true });
  if (existsSync(join(gitDir, 'index'))) await copyIndex(join(gitDir, 'index'), index);
  const planPaths = [plan, realOf(plan)].flatMap(path => repoPath(repository, path) ?? []);
  const kept = keptInRalph(ralph);
  const vault = new Vault({
    repository,
    git: repository.git,
    root,
    gitDir,
    ref: head.branch === '' ? NO_BRANCH : workspace.ref,
    state: ralph.root,
    aside: join(folder, 'found'),
    ...kept,
    keep: [...kept.keep, ...(await workspace.unseen())],
  });
  await vault.open({ died: false });
  const planted = new Planted({ repository: root, folder: ralph, folders: [folder], files: [plan] });
  return ok({
    workspace,
    repository,
    head,
    tree: tree.value,
    planPaths,
    plan,
    planBytes: readBytes(plan),
    index,
    vault,
    planted,
    ralph,
    folder,
  });
}

export interface TreeFound {
  /** Paths other than the plan that the agent changed. */
  readonly changed: readonly string[];
  /** Other changes to the repository, in words. */
  readonly notes: readonly string[];
  /** The ref that keeps the changed files. */
  readonly ref?: string;
}

/** Everything that an agent in this checkout may not change; `now` is used to name the refs that keep what was found. */
export const checkoutThings = (before: TreeBefore, now: () => number) => ({
  access: heldAccess({ root: before.repository.root, others: [before.repository.commonDir, before.ralph.root] }),
  files: heldOwnFiles(before.planted, () => [before.folder]),
  git: heldGit(before.vault, name => `refs/ralph/plan/${now()}-found-${name.replaceAll('/', '-')}`),
  tree: heldTree(before, now),
  lessons: heldLessons({
    file: lessonsFile({ folder: before.ralph.root }),
    keep: (name, bytes) => writeFresh(join(before.folder, name), bytes),
  }),
});

const heldTree =
  (before: TreeBefore, now: () => number): Thing<Result<TreeFound>> =>
  () =>
  () =>
    putBackAllButPlan(before, now());

/** Restores everything except the plan, which stays as the agent left it. */
async function putBackAllButPlan(before: TreeBefore, at: number): Promise<Result<TreeFound>> {
  const { workspace, head, tree, planPaths, plan } = before;
  const draft = readBytes(plan);
  const notes = await settle(before, at);
  if (!notes.ok) return notes;
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  const diff = await workspace.diff(tree, now.value);
  if (!diff.ok) return diff;
  const others = diff.value.changes.filter(change => !planPaths.includes(change.path));
  let ref: string | undefined;
  if (others.length > 0) {
    const message = 'ralph: what a planning session changed apart from the plan\n';
    const kept = await workspace.setAside(`refs/ralph/plan/${at}`, 'again', {
      tree: now.value,
      parent: head.commit,
      message,
      at,
    });
    if (!kept.ok) return kept;
    ref = kept.value;
  }
  const restored = await workspace.restore(tree, diff.value.changes);
  if (!restored.ok) return restored;
  await restoreIndex(before);
  writePlan(before, draft);
  return ok({ changed: others.map(change => change.path), notes: notes.value, ...(ref ? { ref } : {}) });
}

/** Restores the plan, too. */
export function putBackPlan(before: TreeBefore): void {
  writePlan(before, before.planBytes);
}

function writePlan({ plan }: TreeBefore, bytes: Buffer | undefined): void {
  if (bytes === undefined) rmSync(plan, { force: true });
  else if (!readBytes(plan)?.equals(bytes)) writeAtomic(plan, bytes);
}

/** Resets HEAD and its branch: planning commits nothing. */
async function settle({ workspace, repository, head }: TreeBefore, at: number): Promise<Result<readonly string[]>> {
  if (head.branch !== '') return await workspace.settle(head.commit, `refs/ralph/plan/${at}-own`);
  const now = await repository.git.text('rev-parse', '-q', '--verify', 'HEAD');
  const link = await repository.git.text('symbolic-ref', '-q', 'HEAD');
  if (!link.ok && now.ok && now.value === head.commit) return ok([]);
  const back = await repository.git.text('update-ref', '--no-deref', 'HEAD', head.commit);
  return back.ok ? ok(['the agent moved HEAD; it was restored']) : back;
}

/** Restores the index, so that nothing the agent staged stays staged. */
async function restoreIndex({ index, repository }: TreeBefore): Promise<void> {
  const theirs = join(repository.gitDir, 'index');
  if (existsSync(index)) await copyIndex(index, theirs);
  else rmSync(theirs, { force: true });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realPath(dirname(path)), path.slice(dirname(path).length + 1));
  }
}
