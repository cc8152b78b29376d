/** What there is before a run: the repository, its branch, its cleanliness, its identity. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../util/files.ts';
import { pathBelow } from '../util/paths.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { Git } from './git.ts';
import { type ConfigEntry, parseConfigList } from './global-config.ts';
import { plainRepository } from './plain-repository.ts';
import { whyNoRepository } from './why-no-repository.ts';

export interface Repository {
  /** Top of the user's checkout. */
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly git: Git;
}

/** Found without a process of its own where it is the usual checkout; else git says which one it is. */
export async function placeOfRepository(cwd: string, env: NodeJS.ProcessEnv): Promise<Result<Repository>> {
  const odd = refusePath(cwd);
  if (odd) return fail(odd);
  const place = plainRepository(cwd);
  if (!place) return await openRepository(cwd, env);
  return ok({ ...place, commonDir: place.gitDir, git: new Git(place.root, env) });
}

export async function openRepository(cwd: string, env: NodeJS.ProcessEnv): Promise<Result<Repository>> {
  const odd = refusePath(cwd);
  if (odd) return fail(odd);
  const git = new Git(cwd, env);
  const found = await git.text('rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir');
  if (!found.ok) return fail(await whyNoRepository(git, found.error));
  const [root, gitDir, common] = found.value.split('\n');
  if (!root || !gitDir || !common) return fail(await whyNoRepository(git, undefined));
  const commonDir = common.startsWith('/') ? common : join(cwd, common);
  return ok({ root, gitDir, commonDir, git: new Git(root, env) });
}

/** Git's answers are lines, and a path is a text here. */
function refusePath(cwd: string): Failure | undefined {
  const why = cwd.includes('\n') ? 'has a line break in it' : cwd.includes('\uFFFD') ? 'is not UTF-8' : undefined;
  return why === undefined
    ? undefined
    : {
        reason: 'odd-path',
        message: `the path of this folder ${why}, which Ralph cannot work with: ${cwd}`,
        hint: 'Rename that folder, or clone the repository to another place.',
      };
}

export interface Head {
  /** Empty when HEAD is detached. */
  readonly branch: string;
  /** Empty before the first commit. */
  readonly commit: string;
}

export async function readHead(repository: Repository): Promise<Head> {
  // The usual case needs no git: HEAD names a branch, and the branch is a loose file.
  const named = /^ref: refs\/heads\/(.+)\n$/.exec(readText(join(repository.gitDir, 'HEAD')) ?? '')?.[1];
  const loose = named === undefined ? undefined : refInFiles(repository, `refs/heads/${named}`);
  if (named !== undefined && loose !== undefined) return { branch: named, commit: loose };
  const branch = await repository.git.text('symbolic-ref', '-q', '--short', 'HEAD');
  const commit = await repository.git.text('rev-parse', '-q', '--verify', 'HEAD');
  return { branch: branch.ok ? branch.value : '', commit: commit.ok ? commit.value : '' };
}

/** Branches that only people write to. */
export function isProtected(branch: string): boolean {
  return /^(main|master|dev|develop|trunk|release\/.*)$/.test(branch);
}

/** Paths with changes that git would show as not committed, without those that are excepted. */
export async function dirtyPaths(
  repository: Repository,
  except: {
    readonly paths: readonly string[];
    /** A folder whose new files do not count. */
    readonly newBelow?: string | undefined;
  },
): Promise<Result<readonly string[]>> {
  const status = await repository.git.list('status', '--porcelain', '-z', '--untracked-files=all');
  if (!status.ok) return status;
  const below = except.newBelow === undefined ? undefined : `${except.newBelow}/`;
  const isHidden = (kind: string, path: string) => kind === '??' && below !== undefined && path.startsWith(below);
  const paths = statusEntries(status.value).flatMap(({ kind, path }) => (isHidden(kind, path) ? [] : [path]));
  return ok(paths.filter(path => !except.paths.includes(path)));
}

/** Of `git status --porcelain -z`: each path with its two letters; of a rename the new name. */
export function statusEntries(fields: readonly string[]): readonly { readonly kind: string; readonly path: string }[] {
  const entries: { kind: string; path: string }[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    const kind = field.slice(0, 2);
    entries.push({ kind, path: field.slice(3) });
    // The old name is a field of its own, without letters.
    if (/[RC]/.test(kind)) at += 1;
  }
  return entries;
}

/** How to go on where dirty paths are whole repositories, which git neither commits nor stashes; `others` are the rest. */
export function besideRepositories(paths: readonly string[]): {
  readonly hints: readonly string[];
  readonly others: readonly string[];
} {
  const inner = paths.filter(path => path.endsWith('/'));
  const hints = inner
    .slice(0, SHOWN)
    .flatMap(path => [
      `${path} is a repository of its own, and git can neither commit nor stash what is in it. Let git ignore it:`,
      `    echo ${quoted(`/${path}`)} >> "$(git rev-parse --git-path info/exclude)"`,
    ]);
  return { hints, others: paths.filter(path => !path.endsWith('/')) };
}

const SHOWN = 3;

/** Whether the ignore files name it, also where git keeps it all the same. */
export const isIgnored = async ({ git }: Repository, path: string): Promise<boolean> =>
  (await git.run({ args: ['check-ignore', '-q', '--no-index', '--', path] })).ok;

interface Operation {
  readonly what: string;
  /** The command that takes it back. */
  readonly end: string;
}

const started = (command: string): Operation => ({ what: `a ${command}`, end: `git ${command} --abort` });

const IN_PROGRESS: Readonly<Record<string, Operation>> = {
  MERGE_HEAD: started('merge'),
  CHERRY_PICK_HEAD: started('cherry-pick'),
  REVERT_HEAD: started('revert'),
  'rebase-merge': started('rebase'),
  'rebase-apply/applying': { what: 'git am', end: 'git am --abort' },
  'rebase-apply': started('rebase'),
  BISECT_LOG: { what: 'a bisect', end: 'git bisect reset' },
};

/** A merge or rebase somebody began in a checkout has to be ended by them. */
export function refuseHalfDone({ gitDir }: Pick<Repository, 'gitDir'>, path?: string): Failure | undefined {
  const operation = operationInProgress(gitDir);
  if (operation === undefined) return undefined;
  const { what, end } = operation;
  const there = path === undefined ? end : end.replace(/^git/, `git -C ${quoted(path)}`);
  return {
    reason: 'half-done',
    message: `${what} is half done in ${path ?? 'this repository'}`,
    hint: `Finish it, or end it with: ${there}`,
  };
}

/** The operation a person left half done, if any. */
function operationInProgress(gitDir: string): Operation | undefined {
  const name = Object.keys(IN_PROGRESS).find(file => existsSync(join(gitDir, file)));
  if (name !== undefined) return IN_PROGRESS[name];
  // Between two of several commits, after the first was resolved by a commit.
  const next = readText(join(gitDir, 'sequencer', 'todo'));
  return next === undefined ? undefined : started(/^revert /.test(next) ? 'revert' : 'cherry-pick');
}

export const halfDoneFiles = [
  ...Object.keys(IN_PROGRESS).filter(name => !name.includes('/')),
  'MERGE_MSG',
  'MERGE_MODE',
  'AUTO_MERGE',
  'sequencer',
];

export interface Identity {
  readonly name: string;
  readonly email: string;
  /** The user's own, not ralph's. */
  readonly own: boolean;
}

/** Name and mail for commits: the user's own, or ralph's where the machine has none. */
export async function identity(repository: Repository): Promise<Identity> {
  return (await commitSettings(repository)).author;
}

/** What the configuration says about commits, in one call. */
export async function commitSettings(
  repository: Repository,
): Promise<{ readonly author: Identity; readonly plainObjects: boolean; readonly entries: readonly ConfigEntry[] }> {
  const found = await repository.git.run({ args: ['config', '--list', '-z', '--show-scope', '--includes'] });
  const entries = found.ok ? parseConfigList(found.value) : [];
  // The last value of a key is the nearest one.
  const values = new Map(entries.map(({ key, value = '' }) => [key, value]));
  const [name, email] = [values.get('user.name'), values.get('user.email')];
  const own = name && email ? { name, email, own: true } : undefined;
  return {
    author: own ?? { name: 'Ralph', email: 'ralph@localhost', own: false },
    plainObjects: !values.has('core.sharedrepository') && !values.has('i18n.commitencoding'),
    entries,
  };
}

/** A path as git names it: relative to the top, with forward slashes; undefined when it lies outside. */
export const repoPath = ({ root }: Repository, path: string): string | undefined => pathBelow(root, path);

/** The commit a ref points to, read from its file or from the file of packed ones; undefined where git has to be asked. */
export function refInFiles(repository: Repository, ref: string): string | undefined {
  const text = readText(join(repository.commonDir, ref))?.trim();
  if (text !== undefined) return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
  const packed = readText(join(repository.commonDir, 'packed-refs')) ?? '';
  const at = packed.indexOf(` ${ref}\n`);
  const id = at < 0 ? '' : packed.slice(packed.lastIndexOf('\n', at) + 1, at);
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** Whether a branch is there, and HEAD of this checkout is not on it. */
export function isOnOtherBranch(repository: Repository, branch: string): boolean {
  const ref = `refs/heads/${branch}`;
  const head = readText(join(repository.gitDir, 'HEAD'))?.trim();
  return head !== `ref: ${ref}` && refInFiles(repository, ref) !== undefined;
}
