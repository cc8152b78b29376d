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
  if (left.value.length > 0) {
    return kept(
      `${plural(left.value.length, 'change')} in it ${left.value.length === 1 ? 'is' : 'are'} not committed. To remove it: git worktree remove --force ${quoted(path)}`,
    );
  }
  const removed = await repository.git.text('worktree', 'remove', path);
  return removed.ok ? [`the worktree ${state.workspace} is removed`] : kept(removed.error.message);
}
