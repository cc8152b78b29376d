/**
 * `.ralph/moved.json`: refs that a person is about to move with a command of this program, recorded before they move. A live run then does
 * not attribute the move to its agent.
 */
import { join } from 'node:path';
import { inTurn } from '../util/file-turn.ts';
import { readText, writeOwnSoon } from '../util/files.ts';
import { parseJson } from '../util/json.ts';
import type { RalphFolder } from './runs.ts';

export interface MovedRef {
  readonly ref: string;
  /** Empty if the ref was deleted. */
  readonly to: string;
}

const MOST = 50;
const fileOf = ({ root }: RalphFolder): string => join(root, 'moved.json');

export function noteMoved(folder: RalphFolder, refs: readonly MovedRef[], now: number): void {
  inTurn(fileOf(folder), () => {
    const all = [...read(folder), ...refs.map(each => ({ ...each, at: now }))].slice(-MOST);
    writeOwnSoon(fileOf(folder), `${JSON.stringify(all)}\n`);
  });
}

/** The last target of each ref that was moved since. */
export const movedSince = (folder: RalphFolder, since: number): ReadonlyMap<string, string> =>
  new Map(read(folder).flatMap(({ ref, to, at }) => (at >= since ? [[ref, to] as const] : [])));

function read(folder: RalphFolder): readonly (MovedRef & { readonly at: number })[] {
  const rows = parseJson(readText(fileOf(folder)));
  return Array.isArray(rows) ? (rows as (MovedRef & { at: number })[]).filter(row => typeof row?.ref === 'string') : [];
}
