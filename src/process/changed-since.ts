/**
 * What changed below folders since a moment, by the time of each file's last change of state: the kernel sets it and no
 * program can. A few files the runner looks at itself; many are looked at by `find`, beside its own thread, and very many by
 * two of them.
 */
import { availableParallelism } from 'node:os';
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
  /** Whether the folders themselves are followed where they are links; they are unless told otherwise. */
  readonly links?: '-H' | '-P';
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 5 * 60_000;

export interface Since extends Search {
  readonly since: bigint;
  /** Looking at this many takes no longer than starting `find` does. */
  readonly few?: number;
  /** A `find` that takes longer than this is worth a second one the next time. */
  readonly longMs?: number;
}

const FEW = 300;
const LONG_MS = 50;
/** Names on the command line of one `find`, each some dozens of bytes: well below what a system takes. */
const MOST_NAMES = 2_000;

/** How long `find` took at these places; what is not here may be small. */
const known = new Map<string, number>();
const KNOWN = 100;

/** Everything below these folders, and they themselves, that changed at `since` or later. */
export async function changedSince(search: Since): Promise<readonly Changed[]> {
  if (search.folders.length === 0) return [];
  const { few: most = FEW, longMs = LONG_MS } = search;
  const key = [search.root, ...search.folders].join('\0');
  const took = known.get(key);
  const few = took === undefined ? walk(search, search.since, most) : undefined;
  if (few) return few;
  // One nanosecond earlier: what changed within the same tick of the clock counts as changed since.
  const since = search.since - 1n;
  const time = `@${since / 1_000_000_000n}.${String(since % 1_000_000_000n).padStart(9, '0')}`;
  const began = performance.now();
  const halves = (took ?? 0) > longMs ? halvesOf(search) : undefined;
  const parts = halves ?? [search];
  const found = await Promise.all(parts.map(part => find(part, ['-newerct', time, '-printf', '%y%p\\0'])));
  if (found.includes(undefined)) return walk(search, search.since, Number.POSITIVE_INFINITY) ?? [];
  if (known.size >= KNOWN) known.clear();
  // Together they take as long as one would, so that the next time it is two again.
  known.set(key, (performance.now() - began) * parts.length);
  const below = found
    .flatMap(lines => lines ?? [])
    .map(line => ({ path: line.slice(3), isFolder: line.startsWith('d') }));
  return halves ? [...changedOf(search), ...below] : below;
}

/** What is in the folders, in two parts. Undefined where they are better looked at by one. */
function halvesOf({ root, folders, without = [] }: Search): readonly Search[] | undefined {
  if (availableParallelism() < 2 || folders.some(folder => !lookAtExactly(join(root, folder))?.isDirectory()))
    return undefined;
  const inside = folders.flatMap(folder =>
    namesIn(join(root, folder))
      .filter(name => !without.includes(name))
      .map(name => `${folder}/${name}`),
  );
  if (inside.length < 2 || inside.length > 2 * MOST_NAMES || inside.some(isGarbled)) return undefined;
  // Links among them are not followed, as none is that `find` meets on its way.
  const half = (of: number): Search => ({
    root,
    without,
    links: '-P',
    folders: inside.filter((_, at) => at % 2 === of),
  });
  return [half(0), half(1)];
}

/** The folders themselves, without what is in them. */
function changedOf({ root, folders, since }: Since): readonly Changed[] {
  return folders.filter(path => isSince(join(root, path), since)).map(path => ({ path, isFolder: true }));
}

const isSince = (path: string, since: bigint): boolean => (lookAtExactly(path)?.ctimeNs ?? 0n) >= since;

/** Not the name that the disk has: it is not text. */
const isGarbled = (name: string): boolean => name.includes('\uFFFD');

/** How many entries each folder holds, without those of these names and what is below them. */
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

/** Undefined where this system's `find` does not know how, or cannot be started. */
async function find(
  { root, folders, without = [], links = '-H' }: Search,
  test: readonly string[],
): Promise<readonly string[] | undefined> {
  const names = without.flatMap((name, at) => [...(at > 0 ? ['-o'] : []), '-name', name]);
  const prune = names.length > 0 ? ['(', ...names, ')', '-prune', '-o'] : [];
  const { code, stdout } = await capture({
    // With `./` before it no name is taken for an option.
    argv: ['find', links, ...folders.map(folder => `./${folder}`), ...prune, ...test],
    cwd: root,
    env: { ...process.env, LC_ALL: 'C' },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  const lines = stdout.toString('utf8').split('\0').filter(Boolean);
  // 1 is also the answer where a folder vanished while it looked; a `find` that lacks an option prints nothing.
  return code === 0 || (code === 1 && lines.length > 0) ? lines : undefined;
}

/** Undefined where there are more entries than `most`, or where only `find` knows what is meant: a link, a name that is no text. */
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
