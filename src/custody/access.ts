/**
 * The runner's own access to what others leave: a test that takes permissions from a folder and dies before it gives them back is enough
 * for git to fail, or to see nothing of that folder.
 */
import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { changedSince } from '../process/index.ts';
import { attempt } from '../util/result.ts';
import type { Change, Thing } from './hold.ts';

/** A file system's clock may be this much behind. */
const CLOCK_MS = 20;
/** Each round opens folders, in which others may be found. */
const ROUNDS = 100;
/** Too many to look at each time; who removes one of them opens it first. */
const WITHOUT = ['node_modules'];
const NAMED = 3;

const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
/** Git protects them from being written. */
const OWN_OBJECT = 0o400;
const OBJECT = /\/objects\/(?:[0-9a-f]{2}|pack)\//;

export interface AccessOptions {
  readonly root: string;
  /** Folders elsewhere that the runner writes to. */
  readonly others: readonly string[];
}

/** Held around every program that is not the runner's, and the first to be put back. */
export const heldAccess =
  ({ root, others }: AccessOptions): Thing =>
  () => {
    const since = BigInt(Date.now() - CLOCK_MS) * 1_000_000n;
    return async (): Promise<Change> => {
      // Root may do everything anyway.
      if (process.getuid?.() === 0) return { edits: [] };
      const opened: string[] = [];
      for (const top of [root, ...others.filter(each => !each.startsWith(`${root}/`))])
        opened.push(...(await openSince(top, since)));
      const [path] = opened;
      if (path === undefined) return { edits: [] };
      const names = opened.length > NAMED ? [...opened.slice(0, NAMED), '…'] : opened;
      return { edits: [`permissions were taken away (${names.join(', ')}); the owner has them again`] };
    };
  };

async function openSince(root: string, since: bigint): Promise<readonly string[]> {
  const opened: string[] = [];
  let folders: readonly string[] = ['.'];
  for (let round = 0; folders.length > 0 && round < ROUNDS; round++) {
    const changed = await changedSince({ root, folders, without: WITHOUT, since });
    const fresh = changed.filter(({ path }) => giveBack(join(root, path)));
    opened.push(...fresh.map(({ path }) => path.replace(/^\.\//, '')));
    folders = fresh.filter(({ isFolder }) => isFolder).map(({ path }) => path);
  }
  return opened;
}

/** Whether something was missing, and could be given. */
function giveBack(path: string): boolean {
  const stat = attempt(() => lstatSync(path));
  if (!stat || !(stat.isDirectory() || stat.isFile())) return false;
  const wanted = stat.isDirectory() ? OWN_FOLDER : OBJECT.test(path) ? OWN_OBJECT : OWN_FILE;
  if ((stat.mode & wanted) === wanted) return false;
  return attempt(() => (chmodSync(path, stat.mode | wanted), true)) ?? false;
}
