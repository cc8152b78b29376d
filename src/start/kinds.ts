/** What has to be a file or a folder before a run starts; whatever else stands there is refused, not waited for. */
import { accessSync, constants } from 'node:fs';
import { join, relative } from 'node:path';
import { newestAt, notWritable, type RalphFolder } from '../journal/index.ts';
import { namesIn } from '../util/files.ts';
import { clearWrongKind, type Links, otherKind, type Wanted, wrongKind } from '../util/regular.ts';
import type { Failure } from '../util/result.ts';
import { lookAt } from '../util/version.ts';
import { type Repository, vaultIn } from '../workspace/index.ts';

interface StateAt {
  readonly folder: RalphFolder;
  readonly cwd: string;
}

type Expected = readonly [path: string, wanted: Wanted, links?: Links];

/** Everything else is in these: where one is wrong, nothing can be read. */
const folders = ({ root, runs }: RalphFolder): readonly Expected[] => [
  [root, 'folder'],
  [runs, 'folder'],
];

/** What the runner alone writes; none of it is worth keeping where it is not what it should be. */
const written = (folder: RalphFolder): readonly Expected[] => [
  [folder.control, 'folder'],
  [folder.worktrees, 'folder'],
  [folder.locks, 'folder'],
  [vaultIn(folder.runs), 'folder'],
  [folder.progress, 'file'],
  [join(folder.root, 'lessons.md'), 'file'],
  [join(folder.root, 'runs.list'), 'file'],
];

const readOnly = ({ root, templates }: RalphFolder): readonly Expected[] => [
  [join(root, 'pin.md'), 'file', 'followed'],
  [templates, 'folder', 'followed'],
];

/** Why the state of this repository cannot be read at all; for every command. */
export const refuseFolder = (folder: RalphFolder, cwd: string): Failure | undefined => firstWrong(folders(folder), cwd);

/** Why no run can start among these files. */
export function refuseKinds({ folder, cwd }: StateAt): Failure | undefined {
  const lock: Expected = [folder.lock, 'file'];
  const runs = namesIn(folder.runs).map(name => join(folder.runs, name));
  const links = runs.filter(path => lookAt(path)?.isSymbolicLink()).map(path => [path, 'folder'] as const);
  return firstWrong([...folders(folder), lock, ...written(folder), ...links, ...readOnly(folder)], cwd);
}

/** Why nothing can be kept here: a disk that can only be read, or somebody else's folder. */
export function refuseReadOnly({
  folder,
  cwd,
  repository,
}: StateAt & { readonly repository: Repository }): Failure | undefined {
  const places = [lookAt(folder.root) ? folder.root : repository.root, repository.commonDir];
  for (const path of places) {
    try {
      accessSync(path, constants.W_OK | constants.X_OK);
    } catch (error) {
      return notWritable(relative(cwd, path) || '.', error);
    }
  }
  return undefined;
}

/** After a runner died: what its agent put in the place of the runner's files is taken away; says what. */
export function clearLeft(folder: RalphFolder, root: string): readonly string[] {
  const run = newestAt(folder);
  return [...written(folder), ...(run === undefined ? [] : oddInRun(join(folder.runs, run)))].flatMap(
    ([path, wanted]) => {
      const found = clearWrongKind(path, wanted);
      return found === undefined ? [] : [`${relative(root, path)} was replaced by ${found}; that was removed`];
    },
  );
}

/** What in the folder of a run, and in those of its iterations and reviews, is neither file nor folder. */
function oddInRun(run: string): readonly Expected[] {
  const below = ['iterations', 'reviews'].map(name => join(run, name));
  const newest = below.map(folder => join(folder, namesIn(folder).toSorted().at(-1) ?? ''));
  return [run, ...below, ...newest].flatMap(folder =>
    namesIn(folder)
      .map(name => join(folder, name))
      .filter(path => otherKind(path, 'file') !== undefined && otherKind(path, 'folder') !== undefined)
      .map(path => [path, 'file'] as const),
  );
}

function firstWrong(expected: readonly Expected[], cwd: string): Failure | undefined {
  for (const [path, wanted, links] of expected) {
    const found = otherKind(path, wanted, links);
    if (found !== undefined) return wrongKind(relative(cwd, path) || path, found, wanted);
  }
  return undefined;
}
