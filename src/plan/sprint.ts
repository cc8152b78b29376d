/** Sprints: SPRINT.yaml and workflows, compiled to a PROGRESS.yaml that holds the state. */
import { basename, dirname, join } from 'node:path';
import type { Plan, PlanFiles, PlanFormat } from '../protocol.ts';
import { type Failure, fail } from '../util/result.ts';

const notYet = fail<Failure>({ reason: 'plan-unreadable', message: 'sprints are not read yet' });

/** The format of a sprint folder. */
export const sprint: PlanFormat = {
  name: 'sprint',
  find,
  parse: (_, path): Plan => ({ format: 'sprint', path, name: '', items: [], problems: [], instructions: '', repeats: false }),
  mark: () => notYet,
  append: () => notYet,
};

function find(path: string, files: PlanFiles): string | undefined {
  const folder = files.isFolder(path) ? path : dirname(path);
  if (!files.isFolder(path) && !['SPRINT.yaml', 'PROGRESS.yaml'].includes(basename(path))) return undefined;
  const names = files.list(folder);
  return names.includes('PROGRESS.yaml') || names.includes('SPRINT.yaml') ? join(folder, 'PROGRESS.yaml') : undefined;
}
