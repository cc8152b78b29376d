/**
 * `git gc` and `git repack` take objects away under one name and give them back under another. What is in a new pack was not
 * lost: it is kept there from now on, and is not put back beside it as well.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, syncFolder } from '../util/files.ts';
import type { Git } from './git.ts';
import { type Stores, secondName } from './linked-copy.ts';
import { packOf, readPackIndex } from './pack-index.ts';

/**
 * Only what git itself finds whole counts, or has just made for us while nobody else ran. Our side holds every object
 * afterwards, as it did before.
 */
export async function acceptRepacked(stores: Stores, git: Git, by: 'others' | 'us' = 'others'): Promise<void> {
  const here = namesIn(join(stores.from, 'pack'));
  const kept = namesIn(join(stores.to, 'pack'));
  const [packsHere, packsKept] = [packsIn(here), packsIn(kept)];
  const made = [...packsHere].filter(pack => !packsKept.has(pack));
  const gone = [...packsKept].filter(pack => !packsHere.has(pack));
  const loose = made.length === 0 ? [] : lostLoose(stores);
  if (made.length === 0 || gone.length + loose.length === 0) return;
  const files = made.map(pack => join(stores.from, 'pack', `${pack}.idx`));
  if (by === 'others' && !(await git.text('verify-pack', ...files)).ok) return;
  const indexes = made.map(pack => readPackIndex(stores.from, pack));
  const has = (id: Buffer): boolean => indexes.some(index => index?.has(id));
  // New names first, and on disk: between the two steps everything is there twice, never not at all.
  for (const name of here) if (made.includes(packOf(name))) keep(stores, join('pack', name));
  syncFolder(join(stores.to, 'pack'));
  const held = new Set(gone.filter(pack => !isWithin(stores, pack, has)));
  for (const name of kept) {
    if (!here.includes(name) && !held.has(packOf(name))) rmSync(join(stores.to, 'pack', name), { force: true });
  }
  for (const id of loose) {
    if (has(Buffer.from(id, 'hex'))) rmSync(join(stores.to, id.slice(0, 2), id.slice(2)), { force: true });
  }
}

/** A pack without its index, or an index without its pack, is none. */
const packsIn = (names: readonly string[]): ReadonlySet<string> =>
  new Set(
    names
      .filter(name => name.endsWith('.pack') && names.includes(name.replace(/pack$/, 'idx')))
      .map(packOf)
      .filter(Boolean),
  );

/** Objects that were files of their own and are none any more. */
function lostLoose({ from, to }: Stores): readonly string[] {
  return namesIn(to)
    .filter(folder => /^[0-9a-f]{2}$/.test(folder))
    .flatMap(folder => {
      const here = new Set(namesIn(join(from, folder)));
      return namesIn(join(to, folder)).flatMap(name => (here.has(name) || !isId(name) ? [] : [folder + name]));
    });
}

const isId = (name: string): boolean => /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(name);

function isWithin({ to }: Stores, pack: string, has: (id: Buffer) => boolean): boolean {
  const index = readPackIndex(to, pack);
  if (!index) return false;
  for (const id of index.ids()) if (!has(id)) return false;
  return true;
}

const keep = ({ from, to }: Stores, name: string): boolean => secondName(join(from, name), join(to, name));
