/** The checkout of a run's own, once the run is merged or discarded: removed, and kept where it holds anything else. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { quoted } from '../util/shell-word.ts';
import { plural } from '../util/show.ts';
import { uncommitted } from '../workspace/index.ts';

/** What was done with it, in sentences. */
export async function removeWorktree({ repository }: Project, state: RunState): Promise<readonly string[]> {
  if (state.workspace === '' || state.workspace === '.') return [];
  const path = join(repository.root, state.workspace);
  if (!existsSync(path)) {
    // Somebody deleted the folder; git would still believe that the branch is checked out there.
    await repository.git.text('worktree', 'remove', '--force', path);
    return [];
  }
  const left = await uncommitted(repository.git, path);
  const kept = (why: string) => [`the worktree ${state.workspace} is kept: ${why}`];
  if (!left.ok) return kept(left.error.message);
  const byHand = `To remove it: git worktree remove --force ${quoted(path)}`;
  if (left.value.length > 0) {
    const are = left.value.length === 1 ? 'is' : 'are';
    return kept(`${plural(left.value.length, 'change')} in it ${are} not committed. ${byHand}`);
  }
  const removed = await repository.git.text('worktree', 'remove', path);
  if (removed.ok) return [`the worktree ${state.workspace} is removed`];
  // Their commits are in the worktree's own git directory, and nobody knows whether they are elsewhere too.
  const why = /containing submodules/.test(removed.error.message) ? 'it has submodules' : removed.error.message;
  return kept(`${why}. ${byHand}`);
}
