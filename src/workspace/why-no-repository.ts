/** Why git gives no repository, in its own words and with the step that helps. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import type { Git } from './git.ts';

/** What git said when it was asked for the top of the repository. */
export async function whyNoRepository(git: Git, said: Failure | undefined): Promise<Failure> {
  const { cwd } = git;
  const words = said?.message ?? '';
  if (!existsSync(cwd)) {
    return {
      reason: 'no-folder',
      message: `the folder ${cwd} does not exist (any more)`,
      hint: 'Go to one that does.',
    };
  }
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === false)
    return { reason: 'no-folder', message: `${cwd} is not a folder`, hint: 'Name the folder that it is in.' };
  if (/could not be started/.test(words)) return notStarted(words);
  if (/dubious ownership/.test(words)) return notOwned(words, cwd);
  if (/must be run in a work tree/.test(words)) return await withoutTree(git, cwd);
  if (said === undefined || /not a git repository/.test(words)) return outside(words);
  return {
    reason: 'git-failed',
    message: words,
    hint: 'Try it by hand: git rev-parse --show-toplevel',
  };
}

function notStarted(words: string): Failure {
  return words.includes('ENOENT')
    ? { reason: 'git-missing', message: 'git was not found on PATH', hint: 'Install git and try again.' }
    : { reason: 'git-missing', message: words, hint: 'Try it by hand: git --version' };
}

function notOwned(words: string, cwd: string): Failure {
  const place = /dubious ownership in repository at '([^']+)'/.exec(words)?.[1] ?? cwd;
  return {
    reason: 'not-owned',
    message: `git refuses this repository: detected dubious ownership in repository at '${place}'`,
    hint: `It belongs to another user. If you trust it: git config --global --add safe.directory ${quoted(place)}`,
  };
}

async function withoutTree(git: Git, cwd: string): Promise<Failure> {
  const bare = await git.text('rev-parse', '--is-bare-repository');
  if (bare.ok && bare.value === 'true') {
    return {
      reason: 'bare-repository',
      message: 'this is a bare repository: it has no files to work on',
      hint: `Clone it and work there: git clone ${quoted(cwd)} ../work && cd ../work`,
    };
  }
  const dir = await git.text('rev-parse', '--absolute-git-dir');
  return {
    reason: 'inside-git-dir',
    message: "this is the inside of a repository's git directory: this operation must be run in a work tree",
    hint: `Go to its files: cd ${quoted(dir.ok ? dirname(dir.value) : '..')}`,
  };
}

function outside(words: string): Failure {
  // A file or link named .git that leads nowhere is another thing than none at all.
  const lost = /not a git repository: (?!\(or any)(.+)/.exec(words)?.[1];
  if (lost !== undefined) {
    const hint = 'The file .git here names a git directory that is not there: git worktree repair, or clone it again.';
    return { reason: 'no-repository', message: `git finds no repository here: ${lost}`, hint };
  }
  return {
    reason: 'no-repository',
    message: 'this folder is not inside a git repository',
    hint: 'Run: git init && git add -A && git commit -m "Start"',
  };
}
