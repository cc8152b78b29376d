/** Files below `.ralph` that a person put into git, the lessons for one: they are in trees, and still the runner's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes, writeAtomic } from '../util/files.ts';
import type { Git } from './git.ts';

/** Their bytes now, and how to bring them back after git has put them to what a tree holds. */
export async function keepOwnFiles(git: Git, root: string): Promise<() => void> {
  if (!existsSync(join(root, '.ralph'))) return () => undefined;
  const listed = await git.list('ls-files', '-z', '--', '.ralph');
  const paths = listed.ok ? listed.value : [];
  const kept = paths.map(path => ({ file: join(root, path), bytes: readBytes(join(root, path)) }));
  return () => {
    for (const { file, bytes } of kept) if (bytes && !readBytes(file)?.equals(bytes)) writeAtomic(file, bytes);
  };
}
