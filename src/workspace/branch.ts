/** The branch a run's accepted work goes to, and the checkout it is worked on in. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { capture } from '../process/index.ts';
import { namesIn, readText } from '../util/files.ts';
import { flush } from '../util/flush.ts';
import { attempt, type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { lookAt } from '../util/version.ts';
import { ObjectsOnDisk } from './on-disk.ts';
import { OwnRefs } from './own-refs.ts';
import { type Head, isProtected, type Repository, readHead } from './repository.ts';

export interface BranchChoice {
  readonly branch: string;
  /** Where the branch starts; for one that exists, where it is. */
  readonly base: string;
  readonly action: 'stay' | 'create' | 'switch';
}

/** Decides without touching anything. */
export async function chooseBranch(options: {
  readonly repository: Repository;
  readonly head: Head;
  /** The commit a new branch would start from. */
  readonly start: string;
  /** The name a new branch would get. */
  readonly wanted: string;
  /** That branch and no other: the person asked for it by name, or what is checked out is another plan's. */
  readonly explicit: boolean;
  /** A run of its own worktree never works on the checked-out branch. */
  readonly isolated: boolean;
  /** Whether a branch is another plan's. */
  readonly isTaken: (branch: string) => boolean;
}): Promise<BranchChoice> {
  const { repository, head, start, wanted, explicit, isolated, isTaken } = options;
  if (head.branch === wanted && !isolated && !isTaken(wanted))
    return { branch: wanted, base: head.commit, action: 'stay' };
  const stay = !explicit && !isolated && head.branch !== '' && !isProtected(head.branch);
  if (stay) return { branch: head.branch, base: head.commit, action: 'stay' };
  for (let n = 1; ; n++) {
    const branch = n === 1 ? wanted : `${wanted}-${n}`;
    const tip = await repository.git.text('rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`);
    if (!tip.ok) return { branch, base: start, action: 'create' };
    if (isTaken(branch)) continue;
    const contains = await repository.git.text('merge-base', '--is-ancestor', start, tip.value);
    // An earlier run's branch is continued only where nothing of the person's would be left out.
    if (contains.ok && (head.branch !== branch || !isolated)) return { branch, base: tip.value, action: 'switch' };
  }
}

/** Carries a choice out in the user's own checkout. No file of theirs changes when the branch starts where they are. */
export async function checkOut(repository: Repository, { branch, base, action }: BranchChoice): Promise<Result<void>> {
  switch (action) {
    case 'stay':
      return ok(undefined);
    case 'create': {
      const { git, gitDir, commonDir } = repository;
      const onDisk = new ObjectsOnDisk(join(commonDir, 'objects'));
      // A runner that died here may have left its locks; what the base is made of reaches the disk with the first item.
      onDisk.believe(base, () => Promise.resolve());
      const refs = new OwnRefs({ git, repository, gitDir, onDisk });
      const made = await refs.update(`refs/heads/${branch}`, base, '0'.repeat(base.length));
      if (!made.ok) return made;
      if (base === (await readHead(repository)).commit) return await refs.pointHead(`refs/heads/${branch}`);
      const moved = await switchTo(repository, branch);
      if (!moved.ok) await git.text('update-ref', '-d', `refs/heads/${branch}`, base);
      return moved;
    }
    case 'switch':
      return await switchTo(repository, branch);
  }
}

async function switchTo({ git }: Repository, branch: string): Promise<Result<void>> {
  const toBranch = () => git.text('checkout', '-q', branch, '--');
  const first = await toBranch();
  if (first.ok) return ok(undefined);
  const taken = checkoutIn(first.error.message);
  // Where somebody deleted the folder of a worktree, git still thinks that the branch is checked out there.
  const isGone = taken !== undefined && !existsSync(taken) && (await git.text('worktree', 'prune')).ok;
  const switched = isGone ? await toBranch() : first;
  if (switched.ok) return ok(undefined);
  if (taken !== undefined && !isGone) {
    const message = `${branch} is checked out at ${taken}, so it cannot be checked out here`;
    const hint = `Work in a worktree: ralph run --worktree. Or remove that one: git worktree remove ${quoted(taken)}`;
    return fail({ reason: 'cannot-switch', message, hint });
  }
  return fail({
    ...switched.error,
    reason: 'cannot-switch',
    hint: `Commit or stash your changes, then run: git switch ${quoted(branch)}`,
  });
}

export interface OpenedWorktree {
  readonly gitDir: string;
  /** Setup commands have to run. */
  readonly fresh: boolean;
  /** Over once its files are on disk: after a power cut before that, the plan for one would be empty. */
  readonly flushed: Promise<Result<void>>;
}

/** A checkout of the run's own; made once, found again on resume. */
export async function openWorktree(options: {
  readonly repository: Repository;
  readonly path: string;
  readonly choice: BranchChoice;
  /** On no branch: only its files are wanted. */
  readonly detached?: true;
}): Promise<Result<OpenedWorktree>> {
  const { repository, path, choice, detached } = options;
  const known = worktreeAt(path);
  if (known) return ok({ gitDir: known, fresh: false, flushed: Promise.resolve(ok(undefined)) });
  await repository.git.text('worktree', 'prune');
  const where = detached
    ? ['--detach', path, choice.base]
    : choice.action === 'create'
      ? ['-b', choice.branch, path, choice.base]
      : [path, choice.branch];
  const added = await repository.git.text('worktree', 'add', '-q', ...where);
  if (!added.ok) return fail(checkedOutElsewhere(choice.branch, added.error) ?? added.error);
  const gitDir = worktreeGitDir(path);
  return gitDir
    ? ok({ gitDir, fresh: true, flushed: flushCheckout(path, gitDir) })
    : fail({ reason: 'no-worktree', message: `git made no worktree at ${path}` });
}

/** Git remembers a worktree whose folder somebody deleted; one that git itself removed is forgotten. */
export const knowsWorktree = ({ commonDir }: Pick<Repository, 'commonDir'>, path: string): boolean =>
  existsSync(join(commonDir, 'worktrees', basename(path)));

/** One branch in two checkouts: whatever moves it in one makes the files of the other look changed. */
function checkedOutElsewhere(branch: string, { message }: Failure): Failure | undefined {
  const taken = checkoutIn(message);
  if (taken === undefined) return undefined;
  return {
    reason: 'cannot-switch',
    message: `${branch} is checked out at ${taken}, so the run cannot have it in a worktree of its own`,
    hint: `Switch to another branch there, then continue: git -C ${quoted(taken)} switch --detach && ralph run`,
  };
}

/** Where a branch is checked out that git refuses to check out again. */
const checkoutIn = (message: string): string | undefined =>
  /already (?:checked out|used by worktree) at '(.*)'/.exec(message)?.[1];

const FLUSH_MS = 60_000;
/** Up to so many files one by one: everything of a disk waits for whatever else the machine has written. */
const FEW_FILES = 64;

async function flushCheckout(path: string, gitDir: string): Promise<Result<void>> {
  const files = attempt(() => fewFiles([path, gitDir]));
  if (files) return await orSystemFailure(async () => ok(await flush(files)));
  // Everything of a disk at once is cheaper than many files by themselves; where `sync` cannot, it comes by itself.
  const argv = ['sync', '-f', path] as const;
  await capture({ argv, cwd: path, env: process.env, maxBytes: 1024, timeoutMs: FLUSH_MS });
  return ok(undefined);
}

/** The files below these folders; undefined where there are many. */
function fewFiles(folders: readonly string[]): readonly string[] | undefined {
  const files: string[] = [];
  const ahead = [...folders];
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) ahead.push(join(folder, entry.name));
      else if (entry.isFile()) files.push(join(folder, entry.name));
    }
    if (files.length + ahead.length > FEW_FILES) return undefined;
  }
  return files;
}

/** Files where the checkout of a run's own would be, which git does not know as one. */
export function refuseTaken(path: string, shown: string): Failure | undefined {
  const found = lookAt(path);
  const isFree = !found || (found.isDirectory() && namesIn(path).length === 0);
  if (isFree || worktreeAt(path) !== undefined) return undefined;
  return {
    reason: 'worktree-taken',
    message: 'the worktree of this run belongs here, but something else is here',
    file: shown,
    hint: `Move it out of the way: mv ${quoted(shown)} ${quoted(`${shown}.old`)}`,
  };
}

/** Why git could not make a branch of this name. */
export async function refuseName(repository: Repository, branch: string): Promise<Failure | undefined> {
  const isPlain = /^[A-Za-z0-9]+(?:[/_-][A-Za-z0-9]+)*$/.test(branch);
  if (!isPlain && !(await repository.git.text('check-ref-format', '--branch', branch)).ok) {
    return {
      reason: 'branch-name',
      message: `git does not take "${branch}" as the name of a branch`,
      hint: 'Choose another: --branch NAME, or branch: ralph/{name} in the config',
    };
  }
  const [top = branch] = branch.split('/');
  const listed = await repository.git.text('for-each-ref', '--format=%(refname:lstrip=2)', `refs/heads/${top}`);
  const others = listed.ok ? listed.value.split('\n') : [];
  const other = others.find(name => name !== '' && (branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`)));
  return other === undefined
    ? undefined
    : {
        reason: 'branch-name',
        message: `git cannot make the branch ${branch} beside the branch ${other}`,
        hint: `Choose another name: --branch NAME. Or rename that one: git branch -m ${quoted(other)} ${quoted(`${other.replaceAll('/', '-')}-old`)}`,
      };
}

/** The git directory of a checkout that is there already. */
export function worktreeAt(path: string): string | undefined {
  const known = worktreeGitDir(path);
  return known !== undefined && existsSync(known) ? known : undefined;
}

function worktreeGitDir(path: string): string | undefined {
  return readText(join(path, '.git'))?.match(/^gitdir: (.+)$/m)?.[1];
}
