/**
 * Keeps what one commit added, without looking at all objects: from the commit down, as far as its parent's trees differ.
 * A commit is kept last, so one that is there has everything below it.
 */
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { readBytes } from '../util/files.ts';
import { lookAt } from '../util/version.ts';
import { type Stores, secondName } from './linked-copy.ts';

/** Further back than this it is quicker to look at everything. */
const MAX_PARENTS = 20;

/**
 * Second names only, which is quick; they are to be made copies. Undefined where something is not a file of its own, as in
 * a pack: then all objects have to be looked at.
 */
export function keepCommit(stores: Stores, id: string): readonly string[] | undefined {
  const wanted = newIn(stores, id);
  const isKept = (each: string) => secondName(fileOf(stores.from, each), fileOf(stores.to, each), 'link');
  return wanted?.every(isKept) ? wanted.map(each => fileOf(stores.to, each)) : undefined;
}

/** What is not kept yet, the commit itself last. */
function newIn(stores: Stores, id: string, depth = 0): readonly string[] | undefined {
  if (has(stores.to, id)) return [];
  const commit = readLoose(stores.from, id);
  if (commit?.type !== 'commit' || depth > MAX_PARENTS) return undefined;
  const head = commit.body.toString('latin1').split('\n\n', 1)[0] ?? '';
  const tree = /^tree ([0-9a-f]+)$/m.exec(head)?.[1];
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(found => found[1] ?? '');
  if (!tree || parents.length !== 1) return undefined;
  const [parent = ''] = parents;
  const older = newIn(stores, parent, depth + 1);
  const before = readEither(stores, parent)?.body.toString('latin1', 5, 5 + tree.length);
  const newer = older && before ? newInTree(stores, { tree, before }) : undefined;
  return older && newer && [...older, ...newer, id];
}

function newInTree(
  stores: Stores,
  { tree, before }: { readonly tree: string; readonly before?: string },
): readonly string[] | undefined {
  if (tree === before || has(stores.to, tree)) return [];
  const entries = entriesOf(readLoose(stores.from, tree), tree.length);
  const known = before === undefined ? new Map<string, Entry>() : entriesOf(readEither(stores, before), tree.length);
  if (!entries || !known) return undefined;
  const found: string[] = [];
  for (const [name, { id, kind }] of entries) {
    const old = known.get(name);
    if (old?.id === id || kind === 'repository' || (kind === 'blob' && has(stores.to, id))) continue;
    const below = old?.kind === 'tree' ? { tree: id, before: old.id } : { tree: id };
    const inner = kind === 'tree' ? newInTree(stores, below) : [id];
    if (!inner) return undefined;
    found.push(...inner);
  }
  return [...found, tree];
}

interface Entry {
  readonly id: string;
  readonly kind: 'tree' | 'blob' | 'repository';
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { '40000': 'tree', '160000': 'repository' };

/** `mode SP name NUL id`, one after the other. */
function entriesOf(read: Loose | undefined, idLength: number): ReadonlyMap<string, Entry> | undefined {
  if (read?.type !== 'tree') return undefined;
  const { body } = read;
  const entries = new Map<string, Entry>();
  for (let at = 0; at < body.length; ) {
    const [space, end] = [body.indexOf(0x20, at), body.indexOf(0, at)];
    const next = end + 1 + idLength / 2;
    if (space < 0 || end < 0 || next > body.length) return undefined;
    const kind = KINDS[body.toString('latin1', at, space)] ?? 'blob';
    entries.set(body.toString('latin1', space + 1, end), { id: body.toString('hex', end + 1, next), kind });
    at = next;
  }
  return entries;
}

const fileOf = (objects: string, id: string): string => join(objects, id.slice(0, 2), id.slice(2));

const has = (objects: string, id: string): boolean => lookAt(fileOf(objects, id)) !== undefined;

interface Loose {
  readonly type: string;
  readonly body: Buffer;
}

const readEither = ({ from, to }: Stores, id: string): Loose | undefined => readLoose(to, id) ?? readLoose(from, id);

function readLoose(objects: string, id: string): Loose | undefined {
  try {
    const stored = readBytes(fileOf(objects, id));
    if (!stored) return undefined;
    const raw = inflateSync(stored);
    const end = raw.indexOf(0);
    return { type: raw.toString('latin1', 0, raw.indexOf(0x20)), body: raw.subarray(end + 1) };
  } catch {
    return undefined;
  }
}
