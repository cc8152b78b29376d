/** A commit made of a tree, in the person's name. */
import { ok, type Result } from '../util/result.ts';
import { commitSettings, type Repository } from '../workspace/index.ts';

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** A commit that no branch holds yet. */
export async function commitTree(
  repository: Repository,
  { tree, parents, message }: NewCommit,
): Promise<Result<string>> {
  const { author } = await commitSettings(repository);
  const made = await repository.git.run({
    args: ['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-F', '-'],
    input: message,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
    },
  });
  return made.ok ? ok(made.value.toString('utf8').trim()) : made;
}
