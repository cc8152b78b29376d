/** A plan that is a folder, on a branch that has it otherwise. */
import { dirname } from 'node:path';
import type { OpenPlan } from '../plan/index.ts';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { type BranchChoice, readHead, repoPath } from '../workspace/index.ts';
import type { Project } from './project.ts';

/** Plans that are folders are not carried: what the other branch has not, or has otherwise, would be missing there. */
export async function leftBehind(
  { repository }: Project,
  plan: OpenPlan,
  { base }: BranchChoice,
): Promise<Failure | undefined> {
  const folder = repoPath(repository, dirname(plan.path));
  if (!['sprint', 'groups', 'backlog'].includes(plan.plan.format) || folder === undefined) return undefined;
  const same = await repository.git.text('diff', '--quiet', base, 'HEAD', '--', folder);
  if (same.ok) return undefined;
  const { branch } = await readHead(repository);
  return {
    reason: 'plan-elsewhere',
    message: `${folder} is not the same on the branch that this plan starts from: it was changed on ${branch}, which belongs to another plan`,
    hint: `Commit it where this plan starts from, or build on that branch: ralph run ${quoted(folder)} --after ${quoted(branch)}`,
  };
}
