/** Plans of beads where `bd` is installed: it is asked before a run, and told after it. */
import { join } from 'node:path';
import { readRecords } from '../journal/index.ts';
import { trackersFolder } from '../plan/index.ts';
import { programPath } from '../process/index.ts';
import { describeFailure } from '../util/result.ts';
import { plural } from '../util/show.ts';
import type { Project } from './project.ts';

const CALL_MS = 30_000;
const ALL_MS = 60_000;

const hasBd = ({ env }: Project): boolean => programPath('bd', env) !== undefined;
const placeOf = ({ repository, env }: Project) => ({ cwd: repository.root, env, timeoutMs: CALL_MS });

/** What to say of it; undefined where there is no `bd`. */
export async function exportedFirst(project: Project, file: string): Promise<readonly string[] | undefined> {
  if (!hasBd(project)) return undefined;
  const { exportBeads } = await import('../trackers/index.ts');
  const done = await exportBeads(file, placeOf(project));
  return done.ok ? [] : [`bd could not export its issues, so they are as in the file: ${done.error.message}`];
}

/** Closes what was done and marks what is blocked; says what could not be told. */
export async function tellBeads(project: Project, run: string): Promise<readonly string[]> {
  if (!hasBd(project)) return [];
  const { beads, openMirror } = await import('../trackers/index.ts');
  const file = join(trackersFolder(project.folder.root), 'outbox', 'beads.json');
  const records = readRecords(project.folder, run) ?? [];
  const mirror = openMirror({ file, project: 'beads', source: beads, place: placeOf(project), records });
  const { waiting, failure } = await mirror.flush(ALL_MS);
  if (waiting === 0) return [];
  const why = failure ? describeFailure(failure).replace(/\s+/g, ' ') : 'it takes too long';
  return [`${plural(waiting, 'change')} for bd could not be sent yet: ${why}. The next run tries again`];
}
