/** Marks of items that have files of their own: the plan's file stays as it is, and its words are read again. */
import { dirname, join, relative } from 'node:path';
import type { Mark } from '../protocol.ts';
import { writeWhole } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { markedFiles } from './change.ts';
import { type OpenPlan, reparse } from './read-file.ts';

/** Writes a mark into the item's own file, where it has one, and gives the plan as it reads then. */
export function markOwnFile(open: OpenPlan, mark: Mark): Result<OpenPlan> {
  const files = markedFiles(open, mark);
  if (!files.ok) return files;
  for (const { path, bytes } of files.value) writeWhole(path, bytes);
  return files.value.length > 0 ? reparse(open, open.bytes) : ok(open);
}

/** Where the mark of an item goes, inside the tree, if that is not the plan's own file. */
export function ownFileOf({ plan, path, document }: OpenPlan, id: string, root: string): readonly string[] {
  const source = document.markFiles ? plan.items.find(item => item.id === id)?.source : undefined;
  const file = source && relative(root, join(dirname(path), source.path));
  return file === undefined || file.startsWith('..') ? [] : [file];
}
