import { join } from 'node:path';
import { listRunFiles, recordsOf } from '../journal/index.ts';
import { finishArchives, Memory } from '../memory/index.ts';
import { errorText } from '../util/result.ts';
import { othersLive } from './already-running.ts';
import type { Project } from './project.ts';

/** What the repository remembers, whether or not its runs add to it. */
export function memoryOf({ repository, folder, settings }: Project): Memory {
  const { root } = repository;
  return new Memory({ root, folder: folder.root, archives: join(root, settings.archive?.folder ?? 'archives') });
}

/** The memory of a run; undefined where `archive: off` says that nothing is to be remembered. */
export const openMemory = (project: Project): Memory | undefined =>
  project.settings.archive ? memoryOf(project) : undefined;

/** Archives that a crash left undone, where no run is started that would see to them; what went wrong with it. */
export function finishLeftArchives(project: Project): readonly string[] {
  const { folder } = project;
  const beside = othersLive(project).flatMap(({ owner }) => owner.run ?? []);
  try {
    const memory = openMemory(project);
    if (!memory) return [];
    const finished = finishArchives({
      memory,
      runs: listRunFiles(folder)
        .filter(({ run }) => !beside.includes(run))
        .toReversed(),
      read: run => recordsOf(folder, run),
      runsFolder: folder.runs,
      progress: folder.progress,
    });
    memory.close();
    return finished.flatMap(archived => (archived.ok ? [] : [archived.error.message]));
  } catch (error) {
    return [`the memory could not be used: ${errorText(error)}`];
  }
}
