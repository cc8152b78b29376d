/**
 * `git add -A` for a tree with repositories inside. Git would ask those for their status, which runs the filters that an
 * agent may have put into their settings; these calls only compare the commit.
 */
import { existsSync, lstatSync } from 'node:fs';
import type { Result } from '../util/result.ts';
import type { Git } from './git.ts';

export interface AddAll {
  readonly git: Git;
  readonly root: string;
  /** Pathspecs. */
  readonly paths: readonly string[];
}

export async function addWithoutLookingInside({ git, root, paths: specs }: AddAll): Promise<Result<Buffer>> {
  const listed = await git.run({ args: ['ls-files', '-z', '-m', '-o', '-d', '--exclude-standard', '--', ...specs] });
  if (!listed.ok || listed.value.length === 0) return listed;
  const paths = listed.value.toString('latin1').replaceAll('/\0', '\0').split('\0').filter(Boolean);
  // Where a file was, a folder may be: it is named as gone, which it is, and what is inside is named on its own.
  const folders = new Set(paths.filter(path => isPlainFolder(root, path)));
  const gone = folders.size > 0 ? await update(git, ['--force-remove'], [...folders]) : listed;
  const rest = paths.filter(path => !folders.has(path));
  return gone.ok && rest.length > 0 ? await update(git, ['--add', '--remove', '--replace'], rest) : gone;
}

function update(git: Git, flags: readonly string[], paths: readonly string[]): Promise<Result<Buffer>> {
  const input = Buffer.from(`${paths.join('\0')}\0`, 'latin1');
  return git.run({ args: ['update-index', ...flags, '-z', '--stdin'], input });
}

/** Names are bytes to git, so they are bytes here. */
function isPlainFolder(root: string, path: string): boolean {
  const file = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  const isFolder = lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && !existsSync(Buffer.concat([file, Buffer.from('/.git')]));
}
