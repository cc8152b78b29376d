/** Where other tools keep their plans and where sprints are kept, and which of several is the current one. */
import { basename, dirname, join } from 'node:path';
import type { PlanFiles } from '../../protocol.ts';
import { jsonFields } from '../../util/json.ts';
import { backlog } from './backlog.ts';
import { beads } from './beads.ts';
import { openSpec } from './openspec.ts';
import { specKit } from './spec-kit.ts';
import { taskHeadings } from './task-headings.ts';
import { taskMaster } from './task-master.ts';

/** More folders than any repository has; of thousands, the rest is ignored. */
const MOST = 500;

/** Every file that may be a plan of these tools or a sprint, in the order in which a person would look. */
export function ecosystemPlaces(root: string, files: PlanFiles): readonly string[] {
  const each = (folder: string, name: string) =>
    folders(join(root, folder), files).map(inside => join(root, folder, inside, name));
  const one = (format: typeof specKit) => (path: string) => format.find(path, files) === path;
  const there = (path: string) => files.list(dirname(path)).includes(basename(path));
  return [
    // Only compiled sprints: one that nobody has compiled may not be ready.
    ...each('sprints', 'PROGRESS.yaml').filter(there),
    ...each('specs', 'tasks.md').filter(there).filter(one(specKit)),
    ...each(join('.kiro', 'specs'), 'tasks.md').filter(there),
    ...each(join('openspec', 'changes'), 'tasks.md').filter(there).filter(one(openSpec)),
    ...[join(root, '.taskmaster', 'tasks', 'tasks.json'), join(root, 'tasks', 'tasks.json')]
      .filter(there)
      .filter(one(taskMaster)),
    ...['backlog/config.yml', '.backlog/config.yml', 'backlog.config.yml']
      .map(path => join(root, path))
      .filter(there)
      .filter(one(backlog)),
    ...[beads.find(join(root, '.beads'), files)].flatMap(path => path ?? []),
    ...files
      .list(join(root, 'docs', 'plans'))
      .toSorted()
      .slice(0, MOST)
      .map(name => join(root, 'docs', 'plans', name))
      .filter(one(taskHeadings)),
  ];
}

const folders = (folder: string, files: PlanFiles): readonly string[] =>
  files
    .list(folder)
    .filter(name => name !== 'archive' && files.isFolder(join(folder, name)))
    .toSorted()
    .slice(0, MOST);

/** The feature that spec-kit is currently at: by its own file, or by the branch that is named after the folder. */
export function currentFeature(root: string, files: PlanFiles): string | undefined {
  const own = featureIn(files.read(join(root, '.specify', 'feature.json')));
  const branch = /^ref: refs\/heads\/(.+?)\s*$/.exec(files.read(join(root, '.git', 'HEAD')) ?? '')?.[1];
  const folder = own ?? (branch === undefined ? undefined : join('specs', basename(branch)));
  return folder === undefined ? undefined : join(root, folder, 'tasks.md');
}

function featureIn(text: string | undefined): string | undefined {
  const { feature_directory: folder } = jsonFields(text);
  return typeof folder === 'string' && folder !== '' ? folder : undefined;
}
