import { join } from 'node:path';
import type { Recorded } from '../events.ts';
import { readJournal } from '../journal/journal.ts';
import { journalOf, listRuns } from '../journal/runs.ts';
import { finishArchives } from '../memory/archive.ts';
import { Memory } from '../memory/memory.ts';
import type { Project } from './project.ts';

/** What the repository remembers; undefined where `archive: off` says that nothing is to be. */
export function openMemory({ repository, folder, settings }: Project): Memory | undefined {
  if (!settings.archive) return undefined;
  const { folder: name, commit } = settings.archive;
  return new Memory({
    root: repository.root,
    folder: folder.root,
    archives: join(repository.root, name),
    archivesInGit: commit,
  });
}

/** Archives that a crash left undone, where no run is started that would see to them. */
export function finishLeftArchives(project: Project): void {
  const memory = openMemory(project);
  if (!memory) return;
  const { folder } = project;
  const read = (run: string): readonly Recorded[] | undefined => {
    const records: Recorded[] = [];
    return readJournal(journalOf(folder, run), record => records.push(record)).ok ? records : undefined;
  };
  const runs = listRuns(folder).toReversed();
  finishArchives({ memory, runs, read, runsFolder: folder.runs, progress: folder.progress });
  memory.close();
}
