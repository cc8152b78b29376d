/**
 * Keeps what one commit added, without looking at all objects: from the commit down, as far as its parent's trees differ.
 * A commit is kept last, so one that is there has everything below it.
 */
import { lookAt } from '../util/version.ts';
import { type Stores, secondName } from './linked-copy.ts';
import { type Entry, entriesOf, fileOf, headOf, type Loose, readLoose } from './loose-objects.ts';

/** Further back than this it is quicker to look at everything. */
const MAX_PARENTS = 20;

/** How many it took; undefined where something is not a file of its own, as in a pack: then all objects have to be looked at. */
export function keepCommit(stores: Stores, id: string): number | undefined {
  const isKept = (each: string) => secondName(fileOf(stores.from, each), fileOf(stores.to, each));
  const found = newIn(stores, id);
  return found?.every(isKept) ? found.length : undefined;
}

/** What is not kept yet, the commit itself last. */
function newIn(stores: Stores, id: string, depth = 0): readonly string[] | undefined {
  if (has(stores.to, id)) return [];
  const head = headOf(readLoose(stores.from, id));
  if (head?.parents.length !== 1 || depth > MAX_PARENTS) return undefined;
  const { tree, parents } = head;
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

const has = (objects: string, id: string): boolean => lookAt(fileOf(objects, id)) !== undefined;

const readEither = ({ from, to }: Stores, id: string): Loose | undefined => readLoose(to, id) ?? readLoose(from, id);
