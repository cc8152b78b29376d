/** The documents beside a plan that it was made from, as paths from the root of the repository. */
import { basename, dirname, join, relative } from 'node:path';
import type { Plan, PlanFiles } from '../../protocol.ts';

export type Document = NonNullable<Plan['documents']>[number];

/** Deeper than any folder in which a plan is looked for. */
const MAX_UP = 40;

/** The folder that holds `.git`, or else the folder that the tool was set up in. */
export function rootOf(path: string, files: PlanFiles, own: string): string {
  for (let folder = dirname(path), up = 0; up < MAX_UP; folder = dirname(folder), up++) {
    if (isRepository(folder, files)) return folder;
    if (dirname(folder) === folder) break;
  }
  return own;
}

const isRepository = (folder: string, files: PlanFiles): boolean => {
  const git = join(folder, '.git');
  return files.isFolder(git) || files.read(git) !== undefined;
};

export interface Shelf {
  /** The root of the repository. */
  readonly root: string;
  readonly files: PlanFiles;
}

export type Wanted = readonly [file: string, role: string, scope?: 'project'];

/** Those of the wanted files that exist, in the same order. */
export const present = ({ root, files }: Shelf, wanted: readonly Wanted[]): readonly Document[] =>
  wanted.flatMap(([file, role, scope]) => {
    const isThere = files.list(dirname(file)).includes(basename(file)) && !files.isFolder(file);
    return isThere ? [{ path: relative(root, file).split('\\').join('/'), role, ...(scope && { scope }) }] : [];
  });

/** Markdown files under a folder, by name, down to the depth that the tools use. */
export function markdownIn(folder: string, files: PlanFiles, depth = 3): readonly string[] {
  if (depth === 0) return [];
  return files
    .list(folder)
    .toSorted()
    .flatMap(name => {
      const path = join(folder, name);
      if (files.isFolder(path)) return markdownIn(path, files, depth - 1);
      return /\.(?:md|markdown|mdx|ya?ml|json)$/i.test(name) ? [path] : [];
    });
}

/** `specs/*.md` and AGENTS.md beside a plan that an agent maintains, or above it if the plan has its own folder. */
export function specsBeside(path: string, files: PlanFiles): readonly Document[] {
  const own = dirname(path);
  const root = rootOf(path, files, own);
  const near = [join(own, 'specs'), ...(basename(own) === 'specs' ? [own] : []), join(root, 'specs')];
  const folder = near.find(each => files.isFolder(each));
  const specs = folder === undefined ? [] : markdownIn(folder, files).filter(file => /\.md$/i.test(file));
  return present({ root, files }, [
    ...specs.filter(file => file !== path).map(file => [file, 'specification'] as const),
    [join(root, 'AGENTS.md'), 'rules', 'project'],
  ]);
}
