/** Objects that are files of their own, read without git. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { algorithmOf, objectId } from './objects.ts';

export interface Loose {
  readonly type: string;
  readonly body: Buffer;
}

export interface Entry {
  readonly id: string;
  readonly kind: 'tree' | 'blob' | 'repository';
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { '40000': 'tree', '160000': 'repository' };

export const fileOf = (objects: string, id: string): string => join(objects, id.slice(0, 2), id.slice(2));

/** Undefined where it is in a pack, gone or damaged. */
export function readLoose(objects: string, id: string): Loose | undefined {
  try {
    const raw = inflateSync(readFileSync(fileOf(objects, id)));
    const end = raw.indexOf(0);
    return { type: raw.toString('latin1', 0, raw.indexOf(0x20)), body: raw.subarray(end + 1) };
  } catch {
    return undefined;
  }
}

/** `mode SP name NUL id`, one after the other. */
export function entriesOf(read: Loose | undefined, idLength: number): ReadonlyMap<string, Entry> | undefined {
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

export interface CommitHead {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** Tree and parents of a commit. */
export function headOf(read: Loose | undefined): CommitHead | undefined {
  if (read?.type !== 'commit') return undefined;
  const head = read.body.toString('latin1').split('\n\n', 1)[0] ?? '';
  const tree = /^tree ([0-9a-f]+)$/m.exec(head)?.[1];
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(found => found[1] ?? '');
  return tree === undefined ? undefined : { tree, parents };
}

/** The tree of a commit that is a file of its own and holds what its name says; undefined where git has to be asked. */
export function treeOfLoose(objects: string, commit: string): string | undefined {
  const loose = readLoose(objects, commit);
  const isWhole = loose && objectId(algorithmOf(commit), 'commit', loose.body) === commit;
  return isWhole ? headOf(loose)?.tree : undefined;
}
