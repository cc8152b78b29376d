/** What has to be true before an agent plans in the person's own work tree. */

import { realPath } from '../util/paths.ts';
import type { Failure } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import {
  besideRepositories,
  dirtyPaths,
  type Head,
  type Repository,
  refuseHalfDone,
  repoPath,
} from '../workspace/index.ts';

export interface ReadyRequest {
  readonly repository: Repository;
  readonly head: Head;
  /** Files that may be uncommitted: what the session is made of. */
  readonly given: readonly string[];
}

const SHOWN = 5;
const WAYS = [
  'Keep it out of the way in one of these ways:',
  '    git stash --include-untracked        # and git stash pop afterwards',
  '    git add -A && git commit -m "Work in progress"',
];

/** Why planning cannot start here, if so: what the agent changes can only be told from a clean tree. */
export async function refuseUnready({ repository, head, given }: ReadyRequest): Promise<Failure | undefined> {
  const halfDone = refuseHalfDone(repository);
  if (halfDone) return halfDone;
  if (!head.commit) {
    return {
      reason: 'no-commit',
      message: 'this repository has no commit yet',
      hint: 'Run: git add -A && git commit -m "Start"',
    };
  }
  const own = given.flatMap(file => [file, realPath(file)]).flatMap(file => repoPath(repository, file) ?? []);
  const dirty = await dirtyPaths(repository, { paths: own });
  if (!dirty.ok) return dirty.error;
  if (dirty.value.length === 0) return undefined;
  const { hints, others } = besideRepositories(dirty.value);
  return {
    reason: 'dirty-tree',
    message: `there is uncommitted work: ${firstFew(dirty.value, SHOWN)}`,
    hint: [...hints, ...(others.length === 0 ? [] : WAYS)].join('\n'),
  };
}
