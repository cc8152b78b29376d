/** A git directory of its own for a checkout elsewhere: the whole history can be read, nothing written reaches ours. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../util/result.ts';
import type { Git } from './git.ts';

export interface Borrowed {
  readonly git: Git;
  /** Where the objects are. */
  readonly commonDir: string;
  readonly folder: string;
  readonly commit: string;
  /** Paths of the checkout that are no part of its tree, such as linked packages. */
  readonly hidden: readonly string[];
}

export async function borrowHistory({ git, commonDir, folder, commit, hidden }: Borrowed): Promise<Result<void>> {
  const own = join(folder, '.git');
  for (const name of ['objects/info', 'refs/heads', 'info']) mkdirSync(join(own, name), { recursive: true });
  writeFileSync(join(own, 'objects/info/alternates'), `${join(commonDir, 'objects')}\n`);
  writeFileSync(join(own, 'info/exclude'), hidden.map(path => `/${path}\n`).join(''));
  writeFileSync(join(own, 'HEAD'), `${commit}\n`);
  const sha256 = commit.length > 40;
  const extension = sha256 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  writeFileSync(
    join(own, 'config'),
    `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tbare = false\n${extension}`,
  );
  const shallow = join(commonDir, 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(own, 'shallow'));
  const there = git.with({ GIT_DIR: own, GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(own, 'index') });
  const read = await there.text('read-tree', commit);
  if (!read.ok) return read;
  // Without this every file would look changed until somebody's `git status` has read it.
  await there.text('update-index', '-q', '--refresh');
  return ok(undefined);
}
