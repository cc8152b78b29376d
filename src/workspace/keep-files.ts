/**
 * Files of the work tree that are in trees and still not git's to write: those below `.ralph` that a person put into git, the
 * lessons for one, and those that git was told not to look at.
 */
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwn } from '../util/files.ts';
import { lookAt } from '../util/version.ts';
import type { Git } from './git.ts';
import { contentAt, sameContent } from './kept-files.ts';

/** What they hold now, and how to bring it back after git has put them to what a tree holds. */
export async function keepFiles(git: Git, root: string, unseen: readonly string[]): Promise<() => void> {
  const listed = existsSync(join(root, '.ralph')) ? await git.list('ls-files', '-z', '--', '.ralph') : undefined;
  const paths = [...(listed?.ok ? listed.value : []).map(path => join(root, path)), ...unseen];
  const kept = paths.map(path => ({ path, content: contentAt(path) }));
  return () => {
    for (const { path, content } of kept) {
      if (sameContent(content, contentAt(path))) continue;
      if (content.type === 'file') {
        writeOwn(path, content.bytes);
        chmodSync(path, content.mode);
      } else if (content.type === 'link') {
        rmSync(path, { force: true });
        symlinkSync(content.target, path);
      }
    }
  };
}

/** Files and links that are there and that git takes as it last saw them. */
export async function unseenFiles(git: Git, root: string): Promise<readonly string[]> {
  const listed = await git.list('ls-files', '-z', '-v');
  // `S` is to be skipped, a small letter is assumed to be as it was.
  const lines = listed.ok ? listed.value.filter(line => /^[Sa-z] /.test(line)) : [];
  return lines.flatMap(line => {
    const path = join(root, line.slice(2));
    const found = lookAt(path);
    return found?.isFile() || found?.isSymbolicLink() ? [path] : [];
  });
}
