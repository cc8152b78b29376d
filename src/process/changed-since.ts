/**
 * Finds what changed below folders since a time, by each file's ctime: the kernel sets it and no program can fake it. The runner checks a
 * few files itself; many are left to `find`, which does not block its thread, and very many to two of them.
 */
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { lookAtExactly } from '../util/version.ts';
import { capture } from './capture.ts';

export interface Changed {
  /** Relative to the root, with `/` as separator. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface Search {
  readonly root: string;
  /** Relative to the root. */
  readonly folders: readonly string[];
  /** Folders with these names are skipped. */
  readonly without?: readonly string[];
  /** Whether the folders themselves are followed if they are links; default `-H`, yes. */
  readonly links?: '-H' | '-P';
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 5 * 60_000;

export interface Since extends Search {
  readonly since: bigint;
  /** Up to this many entries, checking them here is as fast as starting `find`. */
  readonly few?: number;
  /** If `find` takes longer than this, two are used the next time. */
  readonly longMs?: number;
}

const FEW = 300;
const LONG_MS = 50;
/** Maximum number of paths on one command line, each some dozens of bytes: well below the system's limit. */
const MOST_NAMES = 2_000;

/** How long `find` took for a search; unknown ones may be small. */
const known = new Map<string, number>();
const KNOWN = 100;

/** Everything below these folders, including the folders, that changed at `since` or later. */
export async function changedSince(search: Since): Promise<readonly Changed[]> {
  if (search.folders.length === 0) return [];
  const { few: most = FEW, longMs = LONG_MS } = search;
  const key = [search.root, ...search.folders].join('\0');
  const took = known.get(key);
  const few = took === undefined ? walk(search, search.since, most) : undefined;
  if (few) return few;
  // One nanosecond earlier, because `-newerct` is exclusive and a change in the same clock tick has to count.
  const since = search.since - 1n;
  const time = `@${since / 1_000_000_000n}.${String(since % 1_000_000_000n).padStart(9, '0')}`;
  const began = performance.now();
  const halves = (took ?? 0) > longMs ? halvesOf(search) : undefined;
  const parts = halves ?? [search];
  const found = await Promise.all(parts.map(part => find(part, ['-newerct', time, '-printf', '%y%p\\0'])));
  if (found.includes(undefined)) return walk(search, search.since, Number.POSITIVE_INFINITY) ?? [];
  if (known.size >= KNOWN) known.clear();
  // The sum of both, so that the next search uses two again.
  known.set(key, (performance.now() - began) * parts.length);
  const below = found
    .flatMap(lines => lines ?? [])
    .map(line => ({ path: line.slice(3), isFolder: line.startsWith('d') }));
  return halves ? [...changedOf(search), ...below] : below;
}

/** Splits the content of the folders in two. Undefined if one search is better. */
function halvesOf({ root, folders, without = [] }: Search): readonly Search[] | undefined {
  if (availableParallelism() < 2 || folders.some(folder => !lookAtExactly(join(root, folder))?.isDirectory()))
    return undefined;
  const inside = folders.flatMap(folder =>
    namesIn(join(root, folder))
      .filter(name => !without.includes(name))
      .map(name => `${folder}/${name}`),
  );
  if (inside.length < 2 || inside.length > 2 * MOST_NAMES || inside.some(isGarbled)) return undefined;
  // Links in it are not followed, just as `find` follows none below its starting points.
  const half = (of: number): Search => ({
    root,
    without,
    links: '-P',
    folders: inside.filter((_, at) => at % 2 === of),
  });
  return [half(0), half(1)];
}

/** The folders themselves, without their content. */
function changedOf({ root, folders, since }: Since): readonly Changed[] {
  return folders.filter(path => isSince(join(root, path), since)).map(path => ({ path, isFolder: true }));
}

const isSince = (path: string, since: bigint): boolean => (lookAtExactly(path)?.ctimeNs ?? 0n) >= since;

/** The name is not valid UTF-8, so it cannot be passed on as text. */
const isGarbled = (name: string): boolean => name.includes('\uFFFD');

/** The number of entries in each folder, without those whose names match `without` and everything below them. */
export async function countEntries(
  search: Omit<Search, 'without'> & { readonly without: RegExp },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (search.folders.length === 0) return counts;
  const { without, ...all } = search;
  const said =
    (await find(all, ['-mindepth', '1', '-printf', '%p\\0']))?.map(line => line.slice(2)) ??
    (walk(all, 0n, Number.POSITIVE_INFINITY) ?? [])
      .map(({ path }) => path)
      .filter(path => !search.folders.includes(path));
  for (const path of said) {
    if (path.split('/').some(name => without.test(name))) continue;
    const folder = dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** Undefined if this system's `find` lacks an option or cannot be started. */
async function find(
  { root, folders, without = [], links = '-H' }: Search,
  test: readonly string[],
): Promise<readonly string[] | undefined> {
  const names = without.flatMap((name, at) => [...(at > 0 ? ['-o'] : []), '-name', name]);
  const prune = names.length > 0 ? ['(', ...names, ')', '-prune', '-o'] : [];
  const { code, stdout } = await capture({
    // The prefix `./` keeps a name from being parsed as an option.
    argv: ['find', links, ...folders.map(folder => `./${folder}`), ...prune, ...test],
    cwd: root,
    env: { ...process.env, LC_ALL: 'C' },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  const lines = stdout.toString('utf8').split('\0').filter(Boolean);
  // It also exits with 1 if a folder vanished meanwhile; a `find` that lacks an option prints nothing.
  return code === 0 || (code === 1 && lines.length > 0) ? lines : undefined;
}

/** Undefined if there are more than `most` entries, or if only `find` can handle them: a link, a name that is not UTF-8. */
function walk({ root, folders, without = [] }: Search, since: bigint, most: number): readonly Changed[] | undefined {
  const found: Changed[] = [];
  const isBounded = most < Number.POSITIVE_INFINITY;
  let left = most;
  const look = (path: string): boolean => {
    const stat = lookAtExactly(join(root, path));
    if (!stat) return true;
    const isFolder = stat.isDirectory();
    if (stat.ctimeNs >= since) found.push({ path, isFolder });
    if (!isFolder) return true;
    const names = namesIn(join(root, path)).filter(name => !without.includes(name));
    left -= names.length;
    if (left < 0 || (isBounded && names.some(isGarbled))) return false;
    return names.every(name => look(`${path}/${name}`));
  };
  if (isBounded && folders.some(folder => lookAtExactly(join(root, folder))?.isSymbolicLink())) return undefined;
  return folders.every(look) ? found : undefined;
}
