/** Git bundles in a run's folder that contain the packed refs of its rejected attempts. */
import { join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { quoted } from '../util/shell-word.ts';

/** Oldest first. */
export const bundlesIn = (runFolder: string): readonly string[] =>
  namesIn(runFolder)
    .filter(name => /^attempts(-\d+)?\.bundle$/.test(name))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map(name => join(runFolder, name));

/** The command that restores the refs; empty if none are packed. */
export const unbundleCommand = (runFolder: string): string =>
  bundlesIn(runFolder)
    .map(file => `git fetch ${quoted(file)} 'refs/*:refs/*'`)
    .join(' && ');
