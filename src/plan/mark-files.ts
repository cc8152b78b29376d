/** Marks in formats where items have their own files: the plan's file stays as it is, and its text is parsed again. */

import { dirname, join } from 'node:path';
import type { Mark } from '../protocol.ts';
import { writeWhole } from '../util/files.ts';
import { pathBelow } from '../util/paths.ts';
import { ok, type Result } from '../util/result.ts';
import { markedFiles } from './change.ts';
import { type OpenPlan, reparse } from './read-file.ts';

/** Writes a mark into the item's own file, if it has one, and returns the plan as it is then. */
export function markOwnFile(open: OpenPlan, mark: Mark): Result<OpenPlan> {
  const files = markedFiles(open, mark);
  if (!files.ok) return files;
  for (const { path, bytes } of files.value) writeWhole(path, bytes);
  return files.value.length > 0 ? reparse(open, open.bytes) : ok(open);
}

/** The path inside the tree of the file that holds an item's mark, if that is not the plan's own file. */
export function ownFileOf({ plan, path, document }: OpenPlan, id: string, root: string): readonly string[] {
  const source = document.markFiles ? plan.items.find(item => item.id === id)?.source : undefined;
  const file = source && pathBelow(root, join(dirname(path), source.path));
  return file === undefined ? [] : [file];
}
