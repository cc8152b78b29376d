/** Makes the object of a commit: written by the runner where nothing is unusual, else by git. */
import { attempt, ok, type Result } from '../util/result.ts';
import { type Author, type Commit, commitBody, commitDate } from './commit-object.ts';
import type { Git } from './git.ts';
import { writeObject } from './objects.ts';

export interface CommitPlace {
  readonly git: Git;
  readonly author: Author;
  /** Where objects may be written without git. */
  readonly store: Parameters<typeof writeObject>[0] | undefined;
}

export async function makeCommit(commit: Commit, { git, author, store }: CommitPlace): Promise<Result<string>> {
  const body = store ? commitBody(commit, author) : undefined;
  const written = store && body && attempt(() => writeObject(store, 'commit', body));
  if (written) return ok(written);
  const date = commitDate(commit.at);
  const { name, email } = author;
  const made = await git.run({
    args: ['commit-tree', commit.tree, '-p', commit.parent, '-F', '-'],
    input: commit.message,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  });
  return made.ok ? ok(made.value.toString('utf8').trim()) : made;
}
