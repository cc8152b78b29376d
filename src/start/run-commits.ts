/** How many commits a run has on its branch, as git tells: the journal counts those of items and reviews alone. */
import type { RunCommits } from '../report/index.ts';
import type { RunState } from '../state.ts';
import { commitsOfRun } from '../workspace/index.ts';
import type { Project } from './project.ts';

/** Undefined where its branch is gone. */
export async function runCommits(
  { repository }: Pick<Project, 'repository'>,
  { run, firstBase, branch }: RunState,
): Promise<RunCommits | undefined> {
  const found = await commitsOfRun(repository.git, { from: firstBase, to: `refs/heads/${branch}`, run });
  if (!found.ok) return undefined;
  return { count: found.value.length, last: found.value[0] ?? firstBase };
}
