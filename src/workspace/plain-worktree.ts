/** `git worktree add` for the usual repository: the few files that make a folder a checkout, and one git that fills it. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readText } from '../util/files.ts';
import { flush } from '../util/flush.ts';
import { ok, type Result } from '../util/result.ts';
import { type Repository, refInFiles } from './repository.ts';

export interface PlainWorktree {
  readonly root: string;
  readonly branch: string;
  readonly base: string;
  /** A branch that is there is not taken; without this it is the runner's own, and overwritten. */
  readonly isNew?: true;
}

/** Its git directory; undefined, with nothing left behind, where something is not as it usually is: git knows what to do then. */
export async function addPlainWorktree(
  repository: Repository,
  { root, branch, base, isNew }: PlainWorktree,
): Promise<Result<string> | undefined> {
  const { commonDir, git } = repository;
  const gitDir = join(commonDir, 'worktrees', basename(root));
  if (!isPlain(repository, branch) || existsSync(gitDir) || existsSync(root)) return undefined;
  const ref = join(commonDir, 'refs', 'heads', branch);
  const made = [root, gitDir];
  // The branch first: by the folders, whoever comes after a runner that was killed here knows of it.
  const takeBack = () => made.toReversed().forEach(path => rmSync(path, { recursive: true, force: true }));
  try {
    mkdirSync(join(gitDir, 'logs'), { recursive: true });
    // As git does it: until it is whole, nobody's `git worktree prune` takes it for one whose files are gone.
    writeFileSync(join(gitDir, 'locked'), 'initializing\n');
    writeFileSync(join(gitDir, 'commondir'), '../..\n');
    writeFileSync(join(gitDir, 'HEAD'), `ref: refs/heads/${branch}\n`);
    mkdirSync(dirname(ref), { recursive: true });
    writeFileSync(ref, `${base}\n`, { flag: isNew ? 'wx' : 'w' });
    made.push(ref);
    for (const log of [join(gitDir, 'logs', 'HEAD'), join(commonDir, 'logs', 'refs', 'heads', branch)]) {
      mkdirSync(dirname(log), { recursive: true });
      writeFileSync(log, '');
    }
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, '.git'), `gitdir: ${gitDir}\n`);
    writeFileSync(join(gitDir, 'gitdir'), `${join(root, '.git')}\n`);
    rmSync(join(gitDir, 'locked'));
  } catch {
    takeBack();
    return undefined;
  }
  const there = git.with({ GIT_DIR: gitDir, GIT_WORK_TREE: root });
  const [filled] = await Promise.all([there.text('read-tree', '--reset', '-u', base), flush([ref])]);
  if (filled.ok) return ok(gitDir);
  takeBack();
  return filled;
}

/** Branches are files, and no setting says that a checkout holds only a part or that others may write. */
function isPlain(repository: Repository, branch: string): boolean {
  const config = readText(join(repository.commonDir, 'config'));
  if (config === undefined || /extensions|sparse|shared|worktree/i.test(config)) return false;
  // A branch of the name of a folder is in the way.
  const folders = branch.split('/').map((_, at, parts) => parts.slice(0, at).join('/'));
  return folders.every(name => name === '' || refInFiles(repository, `refs/heads/${name}`) === undefined);
}
