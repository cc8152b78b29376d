/**
 * What git can take into no tree: a repository without a commit, and a file that may not be read. As long as one is there every
 * snapshot fails, and with it every run. And what it cannot take out of the work tree.
 */
import { accessSync, chmodSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Change } from '../protocol.ts';
import { attempt, type Result } from '../util/result.ts';
import { lookAt } from '../util/version.ts';
import type { Git } from './git.ts';
import { moveAside } from './kept-files.ts';

export interface InTheWay {
  /** Without a git directory in its environment. */
  readonly git: Git;
  readonly root: string;
  /** What is new or changed; repositories end in `/`. */
  readonly touched: Result<readonly string[]>;
  /** Where what is taken out of the tree is kept. */
  readonly aside: string;
}

/** Makes room for the next try, and says what was done; nothing where nothing is known to be in the way. */
export async function clearWay({ git, root, touched, aside }: InTheWay): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const path of touched.ok ? touched.value : []) {
    const full = join(root, path);
    if (!path.endsWith('/')) {
      const note = takeUnreadable(full, path, aside);
      if (note !== undefined) notes.push(note);
      continue;
    }
    const head = await git.text('-C', full, 'rev-parse', '-q', '--verify', 'HEAD^{commit}');
    if (head.ok) continue;
    const kept = moveAside(join(full, '.git'), aside);
    notes.push(`${path} was a repository without a commit, which git cannot take; ${whereIs('its .git', kept)}`);
  }
  return notes;
}

/**
 * Folders in which something is undone can be written to: git takes nothing out of others and says so only in a warning, and the
 * next item would be given what was left.
 */
export function makeWritable(root: string, undone: readonly Change[]): void {
  const folders = new Set(undone.map(({ path }) => dirname(join(root, path))));
  for (const folder of folders) {
    if (allows(folder, constants.W_OK | constants.X_OK)) continue;
    const mode = lookAt(folder)?.mode;
    if (mode !== undefined) attempt(() => chmodSync(folder, (mode & 0o777) | 0o700));
  }
}

/** Its owner has got permissions back that were taken away, so it is another user's: only a name in a folder of ours. */
function takeUnreadable(full: string, path: string, aside: string): string | undefined {
  if (!lookAt(full)?.isFile() || allows(full, constants.R_OK)) return undefined;
  return `${path} belongs to another user and cannot be read; ${whereIs('it', moveAside(full, aside))}`;
}

function allows(path: string, what: number): boolean {
  try {
    accessSync(path, what);
    return true;
  } catch {
    return false;
  }
}

const whereIs = (what: string, kept: string | undefined): string =>
  kept === undefined ? `${what} was removed` : `${what} was moved to ${kept}`;
