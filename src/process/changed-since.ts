/**
 * What changed below folders since a moment, by the time of each file's last change of state: the kernel sets it and no
 * program can. `find` looks, beside the runner's own thread; where it cannot, the runner looks itself.
 */
import { dirname, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { lookAtExactly } from '../util/version.ts';
import { capture } from './capture.ts';

export interface Changed {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface Search {
  readonly root: string;
  /** Relative to the root. */
  readonly folders: readonly string[];
  /** Folders of these names are not looked into. */
  readonly without?: readonly string[];
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 5 * 60_000;

/** Everything below these folders, and they themselves, that changed at `since` or later. */
export async function changedSince(search: Search & { readonly since: bigint }): Promise<readonly Changed[]> {
  if (search.folders.length === 0) return [];
  // One nanosecond earlier: what changed within the same tick of the clock counts as changed since.
  const since = search.since - 1n;
  const time = `@${since / 1_000_000_000n}.${String(since % 1_000_000_000n).padStart(9, '0')}`;
  const said = await find(search, ['-newerct', time, '-printf', '%y%p\\0']);
  if (said === undefined) return walk(search, search.since);
  return said.map(line => ({ path: line.slice(3), isFolder: line.startsWith('d') }));
}

/** How many entries each folder holds, without those of these names and what is below them. */
export async function countEntries(
  search: Omit<Search, 'without'> & { readonly without: RegExp },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (search.folders.length === 0) return counts;
  const { without, ...all } = search;
  const said =
    (await find(all, ['-mindepth', '1', '-printf', '%p\\0']))?.map(line => line.slice(2)) ??
    walk(all, 0n)
      .map(({ path }) => path)
      .filter(path => !search.folders.includes(path));
  for (const path of said) {
    if (path.split('/').some(name => without.test(name))) continue;
    const folder = dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** Undefined where this system's `find` does not know how, or cannot be started. */
async function find(
  { root, folders, without = [] }: Search,
  test: readonly string[],
): Promise<readonly string[] | undefined> {
  const names = without.flatMap((name, at) => [...(at > 0 ? ['-o'] : []), '-name', name]);
  const prune = names.length > 0 ? ['(', ...names, ')', '-prune', '-o'] : [];
  const { code, stdout } = await capture({
    // With `./` before it no name is taken for an option.
    argv: ['find', '-H', ...folders.map(folder => `./${folder}`), ...prune, ...test],
    cwd: root,
    env: { ...process.env, LC_ALL: 'C' },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  const lines = stdout.toString('utf8').split('\0').filter(Boolean);
  // 1 is also the answer where a folder vanished while it looked; a `find` that lacks an option prints nothing.
  return code === 0 || (code === 1 && lines.length > 0) ? lines : undefined;
}

function walk({ root, folders, without = [] }: Search, since: bigint): readonly Changed[] {
  const found: Changed[] = [];
  const look = (path: string) => {
    const stat = lookAtExactly(join(root, path));
    if (!stat) return;
    const isFolder = stat.isDirectory();
    if (stat.ctimeNs >= since) found.push({ path, isFolder });
    if (!isFolder) return;
    for (const name of namesIn(join(root, path))) if (!without.includes(name)) look(`${path}/${name}`);
  };
  for (const folder of folders) look(folder);
  return found;
}
