import { join } from 'node:path';
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
