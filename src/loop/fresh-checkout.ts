/** Checks a tree out into a folder of its own, for checks that must not see other files of the work tree. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PACKAGE_FOLDERS } from '../custody/index.ts';
import { namesIn, readBytes } from '../util/files.ts';
import { removeAll } from '../util/remove-all.ts';
import { attempt, errorText, type Failure, fail, ok, type Result } from '../util/result.ts';
import { lookAt } from '../util/version.ts';
import type { Workspace } from '../workspace/index.ts';

export interface Fresh {
  readonly workspace: Pick<Workspace, 'trees' | 'root'> & Partial<Pick<Workspace, 'inner'>>;
  readonly run: string;
  readonly tree: string;
  /** `linked` uses the installed packages of the work tree; `none` leaves the folder with the tree alone. */
  readonly packages: 'linked' | 'none';
}

/** A folder from an earlier use: checking the next tree out over it takes a fraction of the time. */
interface Kept {
  readonly place: string;
  /** Git's index of the folder; in memory, because programs that ran there may have changed everything on disk. */
  readonly index: Buffer;
  /** When git wrote it: a file that is not older is read, because it may have changed since within the same tick of the clock. */
  readonly at: number;
}

const kept = new WeakMap<Fresh['workspace']['trees'], Kept>();

/** The folder is outside the repository, so that no tool finds the repository's files by searching parent folders. */
export async function withCheckout<T>(fresh: Fresh, use: (folder: string) => Promise<T>): Promise<Result<T>> {
  const { workspace, packages } = fresh;
  const { trees } = workspace;
  const before = kept.get(trees);
  kept.delete(trees);
  const again = before && (await fill(fresh, renamed(fresh, before), before));
  const made = again?.ok ? again : await fill(fresh, newPlace(fresh));
  if (!made.ok) return made;
  const { place, index, at } = made.value;
  let isOver = false;
  try {
    const folder = join(place, 'tree');
    if (packages === 'linked') linkPackages(workspace.root, folder);
    const done = ok(await use(folder));
    isOver = true;
    return done;
  } finally {
    if (isOver && !kept.has(trees)) kept.set(trees, { place, index, at });
    else remove(place);
  }
}

/** Removes everything but the tree's own files; if that fails, removes the folder. */
async function fill(fresh: Fresh, place: Result<string>, before?: Omit<Kept, 'place'>): Promise<Result<Kept>> {
  if (!place.ok) return place;
  const [folder, file] = [join(place.value, 'tree'), join(place.value, 'index')];
  try {
    for (const name of namesIn(place.value)) if (name !== 'tree') remove(join(place.value, name));
    mkdirSync(folder, { recursive: true });
    // Git ignores a `.git` folder here, so a gate could have planted a history in it.
    remove(join(folder, '.git'));
    if (before) {
      writeFileSync(file, before.index, { flag: 'wx' });
      utimesSync(file, before.at, before.at);
    }
    const filled = await fresh.workspace.trees.checkOut(fresh.tree, { folder, index: file });
    const index = readBytes(file);
    const at = Math.floor(lookAt(file)?.mtimeMs ?? 0) / 1_000;
    // Like packages, they come from the set-up where there is one.
    const inner = fresh.packages === 'linked' ? await fresh.workspace.inner?.layOut(folder) : undefined;
    if (filled.ok && filled.value && index && inner?.ok !== false) return ok({ place: place.value, index, at });
    remove(place.value);
    return inner?.ok === false ? inner : filled.ok ? fail(notEmpty(folder)) : filled;
  } catch (error) {
    remove(place.value);
    return fail(noRoom(error));
  }
}

function newPlace({ workspace, run }: Fresh): Result<string> {
  try {
    return ok(mkdtempSync(join(tmpdir(), prefix(workspace.root, run))));
  } catch (error) {
    return fail(noRoom(error));
  }
}

/** Moves the folder to a new name, which no process that ran there before knows. */
function renamed(fresh: Fresh, { place }: Kept): Result<string> {
  const to = newPlace(fresh);
  if (!to.ok) return to;
  try {
    renameSync(place, to.value);
    return to;
  } catch (error) {
    remove(place);
    remove(to.value);
    return fail(noRoom(error));
  }
}

function remove(path: string): void {
  // What cannot be removed only takes up room: no tree is checked out over it.
  attempt(() => removeAll(path));
}

const noRoom = (error: unknown): Failure => ({
  reason: 'no-room',
  message: `no folder for a fresh checkout: ${errorText(error)}`,
  hint: 'Set TMPDIR to a folder with room.',
});

const notEmpty = (folder: string): Failure => ({
  reason: 'not-fresh',
  message: `a fresh checkout in ${folder} did not hold the tree alone`,
  hint: 'Set TMPDIR to a folder that no other program writes to.',
});

/** Called at the end of a run. */
export function removeCheckout({ trees }: Pick<Workspace, 'trees'>): void {
  const last = kept.get(trees);
  kept.delete(trees);
  if (last) remove(last.place);
}

/** Removes the folders of a runner that died. */
export function removeCheckouts(root: string, run: string): void {
  for (const name of namesIn(tmpdir())) {
    if (name.startsWith(prefix(root, run))) remove(join(tmpdir(), name));
  }
}

/** Run ids are only unique within a repository. */
const prefix = (root: string, run: string): string =>
  `ralph-tree-${createHash('sha256').update(`${root}\0${run}`).digest('hex').slice(0, 12)}-`;

function linkPackages(from: string, to: string): void {
  for (const name of PACKAGE_FOLDERS) {
    if (!existsSync(join(from, name)) || existsSync(join(to, name))) continue;
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(join(from, name), join(to, name));
  }
}
