/** Design documents in the middle of a merge: an agent would have to guess which of their two sides is meant. */
import { join } from 'node:path';
import { findConflict } from '../plan/index.ts';
import type { Plan, Problem } from '../protocol.ts';
import { readText } from '../util/files.ts';
import { placeAt } from '../util/text.ts';

/** As much as a brief looks through. */
const MOST = 60;
const EACH_BYTES = 512 * 1024;

export function documentConflicts({ documents = [] }: Plan, root: string): readonly Problem[] {
  return documents.slice(0, MOST).flatMap(({ path }): readonly Problem[] => {
    const text = readText(join(root, path), EACH_BYTES);
    const at = text === undefined ? undefined : findConflict(text);
    if (text === undefined || at === undefined) return [];
    const { line } = placeAt(text, at);
    const message = `${path}, line ${line}, has merge-conflict markers, and briefs quote it; resolve the conflict first`;
    return [{ level: 'error', line: 1, column: 1, message }];
  });
}
