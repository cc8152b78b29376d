/** A branch moves forward, and its checkout follows, but never over work of a person. */
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes, writeAtomic } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import type { Git } from './git.ts';
import { type Checkout, checkouts } from './merging.ts';
import { type Repository, refuseHalfDone, statusEntries } from './repository.ts';

export interface Move {
  readonly branch: string;
  /** Where the branch was looked at; one that has moved since stays where it is. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
  /** A commit whose history since `from` has earlier versions of files: a plan that was taken along as it was is in nobody's way. */
  readonly holds?: string;
  /** Paths whose changes are in nobody's way where the move does not touch them: plans, which people edit while runs of others end. */
  readonly spared?: readonly string[];
}

/**
 * Where the branch is checked out, its files follow, and nothing is moved where that would overwrite anything; elsewhere only the
 * ref moves, by compare-and-swap.
 */
export async function moveForward(repository: Repository, move: Move): Promise<Result<void>> {
  const { git } = repository;
  const { branch, from, to, why } = move;
  const place = await placeOf(repository, move);
  if (!place.ok) return place;
  const { here, superseded } = place.value;
  if (!here) {
    const moved = await git.text('update-ref', '-m', why, `refs/heads/${branch}`, to, from);
    if (moved.ok) return ok(undefined);
    const there = await git.text('rev-parse', '--verify', `refs/heads/${branch}`);
    return there.ok && there.value !== from ? fail(movedMeanwhile(branch)) : moved;
  }
  const now = await git.text('rev-parse', '--verify', `refs/heads/${branch}`);
  if (!now.ok) return now;
  if (now.value !== from) return fail(movedMeanwhile(branch));
  const back = await takeAway(git, here.path, superseded);
  if (!back.ok) return back;
  const followed = await git.text('-C', here.path, 'merge', '-q', '--ff-only', to);
  if (followed.ok) return ok(undefined);
  back.value();
  return followed;
}

/** Why the branch could not move now; asked before what takes long. */
export async function refuseMove(repository: Repository, move: Omit<Move, 'why'>): Promise<Failure | undefined> {
  const place = await placeOf(repository, move);
  return place.ok ? undefined : place.error;
}

interface Place {
  /** Undefined where the branch is checked out nowhere. */
  readonly here: Checkout | undefined;
  /** Files there that are not committed but are in the history that comes. */
  readonly superseded: readonly string[];
}

async function placeOf(repository: Repository, move: Omit<Move, 'why'>): Promise<Result<Place>> {
  const { git } = repository;
  const all = await checkouts(repository);
  if (!all.ok) return all;
  const here = all.value.find(checkout => checkout.branch === move.branch);
  if (!here) return ok({ here, superseded: [] });
  const halfDone = await halfDoneIn(git, here.path);
  if (halfDone) return fail(halfDone);
  const found = await inTheWay(git, here.path, move);
  if (!found.ok) return found;
  const known = await versions(
    git,
    move,
    found.value.map(({ path }) => path),
  );
  if (!known.ok) return known;
  const kept: Entry[] = [];
  for (const entry of found.value) {
    if (!(await isAmong(git, here.path, entry, known.value))) kept.push(entry);
  }
  if (kept.length > 0) return fail(dirty(move.branch, here.path, kept));
  return ok({ here, superseded: found.value.map(({ path }) => path) });
}

/** A branch that moves under a half-done merge or `git am` would be what its `--abort` goes back from. */
async function halfDoneIn(git: Git, path: string): Promise<Failure | undefined> {
  const gitDir = await git.text('-C', path, 'rev-parse', '--absolute-git-dir');
  return gitDir.ok ? refuseHalfDone({ gitDir: gitDir.value }, path) : gitDir.error;
}

type Entry = ReturnType<typeof statusEntries>[number];

/** Changes to files that git knows, and files that it does not know under a name that comes. */
async function inTheWay(
  git: Git,
  folder: string,
  { from, to, spared = [] }: Omit<Move, 'why'>,
): Promise<Result<readonly Entry[]>> {
  const status = await git.list('-C', folder, 'status', '--porcelain', '-z', '--untracked-files=all');
  if (!status.ok) return status;
  const coming = await git.list('diff', '--name-only', '-z', '--no-renames', from, to);
  if (!coming.ok) return coming;
  const names = new Set(coming.value);
  const isSpared = ({ kind, path }: Entry) => kind === '??' || spared.includes(path);
  return ok(statusEntries(status.value).filter(entry => names.has(entry.path) || !isSpared(entry)));
}

/** Every content that the paths have had in the commits, as `path blob`. */
async function versions(
  git: Git,
  { from, holds }: Omit<Move, 'why'>,
  paths: readonly string[],
): Promise<Result<ReadonlySet<string>>> {
  if (holds === undefined || paths.length === 0) return ok(new Set());
  const raw = ['--format=', '--raw', '--no-abbrev', '--no-renames', '-z'];
  const listed = await git.list('log', ...raw, `${from}..${holds}`, '--', ...paths.map(literal));
  if (!listed.ok) return listed;
  const found = new Set<string>();
  for (const [at, field] of listed.value.entries()) {
    const [, , , blob] = field.startsWith(':') ? field.split(' ') : [];
    if (blob !== undefined) found.add(`${listed.value[at + 1] ?? ''} ${blob}`);
  }
  return ok(found);
}

async function isAmong(git: Git, folder: string, { kind, path }: Entry, known: ReadonlySet<string>): Promise<boolean> {
  const isFile = lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile || /[RCDU]/.test(kind)) return false;
  const blob = await git.text('-C', folder, 'hash-object', '--', path);
  return blob.ok && known.has(`${path} ${blob.value}`);
}

/** Makes these files what HEAD has; what is given puts them back. */
async function takeAway(git: Git, folder: string, paths: readonly string[]): Promise<Result<() => void>> {
  if (paths.length === 0) return ok(() => undefined);
  const kept = paths.map(path => ({ file: join(folder, path), bytes: readBytes(join(folder, path)) }));
  const back = () => {
    for (const { file, bytes } of kept) if (bytes) writeAtomic(file, bytes);
  };
  const listed = await git.list('-C', folder, 'ls-tree', '-z', '--name-only', '--full-tree', 'HEAD', '--', ...paths);
  if (!listed.ok) return listed;
  const committed = paths.filter(path => listed.value.includes(path));
  const added = paths.filter(path => !committed.includes(path));
  const cleared = await onlyThese(git, folder, ['checkout', '-q', 'HEAD'], committed);
  const unstaged = cleared.ok ? await onlyThese(git, folder, ['reset', '-q'], added) : cleared;
  if (!unstaged.ok) {
    back();
    return unstaged;
  }
  for (const path of added) rmSync(join(folder, path), { force: true });
  return ok(back);
}

async function onlyThese(
  git: Git,
  folder: string,
  args: readonly string[],
  paths: readonly string[],
): Promise<Result<string>> {
  if (paths.length === 0) return ok('');
  return await git.text('-C', folder, ...args, '--', ...paths.map(literal));
}

/** A path of the repository, whatever folder git is called in and whatever signs are in it. */
const literal = (path: string): string => `:(top,literal)${path}`;

function dirty(branch: string, folder: string, entries: readonly Entry[]): Failure {
  const names = entries.map(({ path }) => path);
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
  const isNew = entries.some(({ kind }) => kind === '??');
  return {
    reason: 'dirty-tree',
    message: `${branch} is checked out in ${folder} with changes that are not committed; nothing was changed: ${shown}`,
    hint: `Commit or stash them first: git -C ${quoted(folder)} stash${isNew ? ' --include-untracked' : ''}`,
  };
}

const movedMeanwhile = (branch: string): Failure => ({
  reason: 'branch-moved',
  message: `${branch} was moved by somebody else meanwhile; nothing was changed`,
  hint: 'Try again.',
});
