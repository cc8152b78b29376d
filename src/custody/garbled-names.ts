/** Files whose names are not valid UTF-8: the text of such a name leads to no file, so they are found by their bytes. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../util/result.ts';

export const isGarbled = (path: string): boolean => path.includes('\uFFFD');

/** Everything below a folder that is shown by this path. */
function shownAs(root: string, path: string): readonly Buffer[] {
  let found: readonly Buffer[] = [Buffer.from(root)];
  for (const name of path.split('/')) {
    const named = (folder: Buffer, entry: Buffer) => (entry.toString('utf8') === name ? [below(folder, entry)] : []);
    found = found.flatMap(folder => entriesIn(folder).flatMap(entry => named(folder, entry)));
  }
  return found;
}

const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name]);

const entriesIn = (folder: Buffer): readonly Buffer[] =>
  attempt(() => readdirSync(folder, { encoding: 'buffer' })) ?? [];

/** A folder that was there before stays, and with it what nobody touched. */
function freshIn(file: Buffer, since: bigint): readonly Buffer[] {
  const stat = attempt(() => lstatSync(file, { bigint: true }));
  if (!stat) return [];
  if (stat.isDirectory() && stat.birthtimeNs < since)
    return entriesIn(file).flatMap(name => freshIn(below(file, name), since));
  return stat.ctimeNs >= since ? [file] : [];
}

/**
 * Moves away what is shown by this path and changed at `since` or later; without `to` it is removed. Says whether anything was there,
 * and whether it is gone.
 */
export function takeOutGarbled(
  root: string,
  path: string,
  { since, to }: { readonly since: bigint; readonly to: string | undefined },
): 'nothing' | 'gone' | 'stuck' {
  const fresh = shownAs(root, path).flatMap(file => freshIn(file, since));
  for (const [at, file] of fresh.entries()) {
    if (to !== undefined) {
      attempt(() => mkdirSync(dirname(to), { recursive: true }));
      attempt(() => renameSync(file, at === 0 ? to : `${to}-${at + 1}`));
    }
    attempt(() => rmSync(file, { recursive: true, force: true }));
  }
  if (fresh.length === 0) return 'nothing';
  return fresh.some(file => attempt(() => lstatSync(file)) !== undefined) ? 'stuck' : 'gone';
}
