/** Commits what a finished run leaves for later runs, as far as it belongs in git. */

import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { archivedFiles, archiveNames, lessonsFile } from '../memory/index.ts';
import { pathBelow } from '../util/paths.ts';
import { ok, type Result } from '../util/result.ts';
import type { Session } from './session.ts';

/**
 * Commits the archives if `archive: {commit: true}` is set, and the lessons if a person tracks them in git. Includes those of earlier runs
 * that a crash or a replaced plan left uncommitted.
 */
export async function commitMemory(session: Session): Promise<Result<void>> {
  const { workspace, remembering } = session;
  if (!remembering || !workspace.isCheckedOut()) return ok(undefined);
  const { place } = remembering.memory;
  const archives = pathBelow(place.root, place.archives);
  const lessons = relative(place.root, lessonsFile(place));
  const asked = session.settings.archive?.commit && archives !== undefined ? [archives] : [];
  // A run in its own worktree does not have the file that the next run reads.
  const hasLessons = workspace.root === place.root;
  if (asked.length === 0 && !hasLessons) return ok(undefined);
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const known = await workspace.namesIn(tip.value, [...asked, lessons]);
  if (!known.ok) return known;
  const files = [
    ...asked.flatMap(folder => newFiles(place.root, { folder, known: known.value })),
    ...(hasLessons && known.value.includes(lessons) ? [lessons] : []),
  ];
  if (files.length === 0) return ok(undefined);
  if (workspace.root !== place.root) {
    for (const file of files) copyInto(workspace.root, { from: place.root, file });
  }
  const before = await workspace.treeOf(tip.value);
  if (!before.ok) return before;
  // Only these files: nothing else in the tree belongs to this commit.
  const cleared = await workspace.forget(before.value);
  if (!cleared.ok) return cleared;
  const tree = await workspace.treeWithFiles(files, { ignored: 'too' });
  if (!tree.ok || tree.value === before.value) return tree.ok ? ok(undefined) : tree;
  const message = `chore(ralph): keep what the run learned\n\nRalph-Run: ${session.state.run}\n`;
  const commit = await workspace.commit({ tree: tree.value, parent: tip.value, message, at: session.clock.now() });
  if (!commit.ok) return commit;
  // Nothing later waits for this, so wait here.
  await workspace.shown();
  return ok(undefined);
}

/** Files of archives that the branch does not contain yet. */
function newFiles(root: string, { folder, known }: { readonly folder: string; readonly known: readonly string[] }) {
  const committed = new Set(known.map(dirname));
  return archiveNames(join(root, folder))
    .filter(name => name.startsWith('run-') && !committed.has(join(folder, name)))
    .flatMap(name => archivedFiles(join(root, folder, name)).map(file => join(folder, name, file)));
}

function copyInto(to: string, { from, file }: { readonly from: string; readonly file: string }): void {
  mkdirSync(dirname(join(to, file)), { recursive: true });
  copyFileSync(join(from, file), join(to, file));
}
