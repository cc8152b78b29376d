/**
 * Keeps what one commit added, without looking at all objects: from the commit down, as far as its parent's trees differ.
 * A commit is kept last, so one that is there has everything below it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { lookAt } from '../util/version.ts';
import { type Stores, secondName } from './linked-copy.ts';

/** Further back than this it is quicker to look at everything. */
const MAX_PARENTS = 20;

/** False where something is not a file of its own, as in a pack: then all objects have to be looked at. */
export function keepCommit(stores: Stores, id: string, depth = 0): boolean {
  if (has(stores.to, id)) return true;
  const commit = readLoose(stores.from, id);
  if (commit?.type !== 'commit' || depth > MAX_PARENTS) return false;
  const head = commit.body.toString('latin1').split('\n\n', 1)[0] ?? '';
  const tree = /^tree ([0-9a-f]+)$/m.exec(head)?.[1];
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(found => found[1] ?? '');
  if (!tree || parents.length !== 1) return false;
  const [parent = ''] = parents;
  if (!keepCommit(stores, parent, depth + 1)) return false;
  const before = readLoose(stores.to, parent)?.body.toString('latin1', 5, 5 + tree.length);
  if (!before || !keepTree(stores, { tree, before })) return false;
  return keep(stores, id);
}

function keepTree(stores: Stores, { tree, before }: { readonly tree: string; readonly before?: string }): boolean {
  if (tree === before || has(stores.to, tree)) return true;
  const entries = entriesOf(stores.from, tree);
  const known = before === undefined ? new Map<string, Entry>() : entriesOf(stores.to, before);
  if (!entries || !known) return false;
  for (const [name, { id, kind }] of entries) {
    const old = known.get(name);
    if (old?.id === id || kind === 'repository') continue;
    const below = old?.kind === 'tree' ? { tree: id, before: old.id } : { tree: id };
    if (!(kind === 'tree' ? keepTree(stores, below) : has(stores.to, id) || keep(stores, id))) return false;
  }
  return keep(stores, tree);
}

interface Entry {
  readonly id: string;
  readonly kind: 'tree' | 'blob' | 'repository';
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { '40000': 'tree', '160000': 'repository' };

/** `mode SP name NUL id`, one after the other. */
function entriesOf(objects: string, tree: string): ReadonlyMap<string, Entry> | undefined {
  const read = readLoose(objects, tree);
  if (read?.type !== 'tree') return undefined;
  const { body } = read;
  const entries = new Map<string, Entry>();
  for (let at = 0; at < body.length; ) {
    const [space, end] = [body.indexOf(0x20, at), body.indexOf(0, at)];
    const next = end + 1 + tree.length / 2;
    if (space < 0 || end < 0 || next > body.length) return undefined;
    const kind = KINDS[body.toString('latin1', at, space)] ?? 'blob';
    entries.set(body.toString('latin1', space + 1, end), { id: body.toString('hex', end + 1, next), kind });
    at = next;
  }
  return entries;
}

const fileOf = (objects: string, id: string): string => join(objects, id.slice(0, 2), id.slice(2));

const has = (objects: string, id: string): boolean => lookAt(fileOf(objects, id)) !== undefined;

function keep({ from, to }: Stores, id: string): boolean {
  return secondName(fileOf(from, id), fileOf(to, id));
}

function readLoose(objects: string, id: string): { readonly type: string; readonly body: Buffer } | undefined {
  try {
    const raw = inflateSync(readFileSync(fileOf(objects, id)));
    const end = raw.indexOf(0);
    return { type: raw.toString('latin1', 0, raw.indexOf(0x20)), body: raw.subarray(end + 1) };
  } catch {
    return undefined;
  }
}
