/** Where memory lives. Everything but the lessons, the pin and the archives is derived and may be deleted. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crypto } from '../util/crypto.ts';

export interface MemoryPlace {
  /** The repository. */
  readonly root: string;
  /** `.ralph`. */
  readonly folder: string;
  /** Where runs are archived: `archives` in the repository, unless configured. */
  readonly archives: string;
}

export const lessonsFile = ({ folder }: Pick<MemoryPlace, 'folder'>): string => join(folder, 'lessons.md');
/** The sum of the lessons as a runner last wrote them: by it another one tells a runner's words from an agent's. */
export const lessonsWritten = ({ folder }: Pick<MemoryPlace, 'folder'>): string => join(folder, 'lessons.sum');
export const lessonsIndex = ({ folder }: MemoryPlace): string => join(folder, 'lessons.index');
export const pastIndex = ({ folder }: MemoryPlace): string => join(folder, 'archives.index');
export const answersFile = ({ folder }: Pick<MemoryPlace, 'folder'>): string => join(folder, 'answers.md');
export const pinFile = ({ folder }: MemoryPlace): string => join(folder, 'pin.md');

/** Archives that this and other loops leave: ours first. */
export function archiveFolders({ root, archives }: MemoryPlace): readonly string[] {
  const others = ['archives', 'archive', 'scripts/ralph/archive', '.ralph/archive'].map(path => join(root, path));
  return [...new Set([archives, ...others])];
}

/** Notes that agents and people keep beside the code. */
export function notesFiles({ root, folder }: MemoryPlace): readonly string[] {
  const names = [
    'progress.txt',
    'scripts/ralph/progress.txt',
    'RALPH_NOTES.md',
    'docs/ralph/RALPH_NOTES.md',
    'LEARNINGS.md',
    'docs/LEARNINGS.md',
    'ralph/progress.txt',
  ];
  return [...names.map(name => join(root, name)), join(folder, 'progress.txt')];
}

export const sumOf = (bytes: Buffer): string => crypto().createHash('sha256').update(bytes).digest('hex');

/** Changes whenever a file does; empty where there is none. */
export function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.size}-${stat.mtimeNs}` : '';
}
