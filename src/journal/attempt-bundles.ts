/** Files of a run with the refs of its refused attempts, once these are packed away. */
import { join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { quoted } from '../util/shell-word.ts';

/** The oldest first. */
export const bundlesIn = (runFolder: string): readonly string[] =>
  namesIn(runFolder)
    .filter(name => /^attempts(-\d+)?\.bundle$/.test(name))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map(name => join(runFolder, name));

/** What makes the refs be there again; empty where none are packed. */
export const unbundleCommand = (runFolder: string): string =>
  bundlesIn(runFolder)
    .map(file => `git fetch ${quoted(file)} 'refs/*:refs/*'`)
    .join(' && ');
