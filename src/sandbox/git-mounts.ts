/**
 * The git directory as an agent gets it: it may stage and commit to the run's branch, and no more. A mount of its own
 * cannot be moved away and replaced; hooks, settings, the refs and worktrees of others lie read-only on top of it.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { namesIn } from '../util/files.ts';
import { realPath } from '../util/paths.ts';
import { kindOf } from './paths.ts';
import type { Mount } from './policy.ts';

interface GitPlace {
  /** The checkout. */
  readonly tree: string;
  /** The branch that the agent may commit to; absent: none. */
  readonly branch?: string;
}

interface GitFolders {
  readonly gitDir: string;
  readonly commonDir: string;
}

/** Of a checkout of any kind: the main one, a worktree or a submodule. */
function gitFolders(tree: string): GitFolders | undefined {
  const dot = join(tree, '.git');
  const kind = kindOf(dot);
  if (kind === undefined) return undefined;
  const named = kind === 'file' ? /^gitdir: (.+?)\r?\n?$/.exec(textOf(dot))?.[1] : undefined;
  if (kind === 'file' && named === undefined) return undefined;
  const gitDir = realPath(named === undefined ? dot : resolve(tree, named));
  const common = textOf(join(gitDir, 'commondir')).trim();
  return { gitDir, commonDir: common === '' ? gitDir : realPath(resolve(gitDir, common)) };
}

/** What makes git run programs, or leads it elsewhere; below the common folder. */
const SEALED = [
  'hooks',
  'config',
  'config.worktree',
  'info',
  'packed-refs',
  'refs',
  'modules',
  'worktrees',
  'shallow',
  'objects/info',
];
const SEALED_IN_WORKTREE = ['gitdir', 'commondir', 'config.worktree'];
/** More entries than this beside the branch are not pinned one by one: what happens to them is put back. */
const MOST_PINS = 500;

/** For gates: everything to be read, nothing to be written. */
export function gitReadOnly(tree: string): readonly Mount[] {
  const folders = gitFolders(tree);
  if (!folders) return [];
  return sealed([...borrowed(folders.commonDir), folders.commonDir, folders.gitDir, join(tree, '.git')]);
}

export function gitMounts({ tree, branch }: GitPlace): readonly Mount[] {
  const folders = gitFolders(tree);
  if (!folders) return [];
  const { gitDir, commonDir } = folders;
  const isMain = gitDir === commonDir;
  if (isMain) makeFolder(join(commonDir, 'hooks'));
  const shared: readonly Mount[] = isMain
    ? [write(commonDir)]
    : [
        ...sealed([commonDir]),
        ...existing(
          ['objects', 'reftable', 'logs'].map(name => join(commonDir, name)),
          write,
        ),
      ];
  return [
    ...sealed(borrowed(commonDir)),
    ...shared,
    ...sealed(SEALED.map(name => join(commonDir, name))),
    ...(branch === undefined ? [] : branchMounts(commonDir, branch)),
    ...(isMain ? [] : [write(gitDir), ...sealed(SEALED_IN_WORKTREE.map(name => join(gitDir, name)))]),
    // Where it is a file, this file leads git to everything else.
    ...(isMain && gitDir === realPath(join(tree, '.git')) ? [] : sealed([join(tree, '.git')])),
  ];
}

/** Objects that a clone uses where they are, in another repository. */
const borrowed = (commonDir: string): readonly string[] =>
  textOf(join(commonDir, 'objects', 'info', 'alternates'))
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => realPath(resolve(commonDir, 'objects', line)));

/** Git makes a lock beside a ref: the folder of the branch is open, and everything else in it is pinned. */
function branchMounts(commonDir: string, branch: string): readonly Mount[] {
  const ref = join(commonDir, 'refs', 'heads', branch);
  const folder = dirname(ref);
  makeFolder(folder);
  const others = namesIn(folder).filter(name => name !== basename(ref) && !name.endsWith('.lock'));
  return [write(folder), ...sealed(others.slice(0, MOST_PINS).map(name => join(folder, name)))];
}

const write = (path: string): Mount => ({ as: 'write', path });
const read = (path: string): Mount => ({ as: 'read', path });

const existing = (paths: readonly string[], mount: (path: string) => Mount): readonly Mount[] =>
  [...new Set(paths)].filter(path => kindOf(path) !== undefined).map(mount);

const sealed = (paths: readonly string[]): readonly Mount[] => existing(paths, read);

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // Not ours to make; then there is nothing to mount either.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
