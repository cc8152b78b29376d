/**
 * The tree that two trees give with what they come from, where each of their entries differs in one of the two at most: the
 * usual merge of two items, without a process. Anything else, and all that git might take for a rename, is left to git.
 */
import { readLoose } from './loose-objects.ts';
import { type ObjectStore, objectId, writeObject } from './objects.ts';

export interface Sides {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** `mode id`, by name. */
type Entries = ReadonlyMap<string, string>;

const FOLDER = '40000 ';
const NOTHING: Entries = new Map();

/** Undefined where git has to be asked; throws when the disk refuses. */
export function mergePlainly(store: ObjectStore, sides: Sides): string | undefined {
  const { base, ours, theirs } = sides;
  const [was, our, their] = [base, ours, theirs].map(tree => entriesIn(store, tree));
  return was && our && their && mergeEntries(store, { was, our, their });
}

interface Three {
  readonly was: Entries;
  readonly our: Entries;
  readonly their: Entries;
}

function mergeEntries(store: ObjectStore, { was, our, their }: Three): string | undefined {
  const merged = new Map<string, string>();
  for (const name of new Set([...was.keys(), ...our.keys(), ...their.keys()])) {
    const entry = mergeEntry(store, { before: was.get(name), one: our.get(name), other: their.get(name) });
    if (entry === undefined) return undefined;
    merged.set(name, entry);
  }
  return writeObject(store, 'tree', treeBody(merged));
}

interface Versions {
  readonly before: string | undefined;
  readonly one: string | undefined;
  readonly other: string | undefined;
}

function mergeEntry(store: ObjectStore, { before, one, other }: Versions): string | undefined {
  // What is gone in one of them may stand elsewhere under another name, where the other's changes belong then.
  if (before !== undefined && (one === undefined || other === undefined)) return undefined;
  const changed = [one, other].filter(entry => entry !== undefined && entry !== before);
  const [first = before, second = first] = changed;
  // So may a file in whose place there is a folder now.
  if (first === undefined || second === undefined || (before && [first, second].some(to => isOtherKind(before, to))))
    return undefined;
  if (first === second) return first;
  if (!first.startsWith(FOLDER) || !second.startsWith(FOLDER)) return undefined;
  const [was, our, their] = [before, first, second].map(entry =>
    entry === undefined ? NOTHING : entriesIn(store, entry.slice(FOLDER.length)),
  );
  const tree = was && our && their && mergeEntries(store, { was, our, their });
  return tree && `${FOLDER}${tree}`;
}

const isOtherKind = (one: string, other: string): boolean => one.startsWith(FOLDER) !== other.startsWith(FOLDER);

/** Undefined where it is no file of its own, or does not hold what its name says. */
function entriesIn({ folder, algorithm }: ObjectStore, tree: string): Entries | undefined {
  const loose = readLoose(folder, tree);
  if (loose?.type !== 'tree' || objectId(algorithm, 'tree', loose.body) !== tree) return undefined;
  const { body } = loose;
  const entries = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const [space, end] = [body.indexOf(0x20, at), body.indexOf(0, at)];
    const next = end + 1 + tree.length / 2;
    if (space < 0 || end < 0 || next > body.length) return undefined;
    const [mode, id] = [body.toString('latin1', at, space), body.toString('hex', end + 1, next)];
    entries.set(body.toString('latin1', space + 1, end), `${mode} ${id}`);
    at = next;
  }
  return entries;
}

/** In git's order: a folder comes where its name with a slash would. */
function treeBody(entries: Entries): Buffer {
  const keyOf = ([name, entry]: readonly [string, string]) => (entry.startsWith(FOLDER) ? `${name}/` : name);
  const sorted = [...entries].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(([name, entry]) => {
      const [mode = '', id = ''] = entry.split(' ');
      return [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')];
    }),
  );
}
