/** What is held around any code that is not the runner's, gates included: the runner's own files, its journal, and git. */
import { join } from 'node:path';
import type { Journal, RalphFolder } from '../journal/index.ts';
import type { SharedVault, Vault, VaultOptions } from '../workspace/index.ts';
import type { Thing } from './hold.ts';
import type { Planted } from './planted.ts';

/** `inRun` are the folders of the run that are written into by then. */
export const heldOwnFiles =
  (planted: Planted, inRun: () => readonly string[]): Thing =>
  () =>
  () => ({ edits: planted.clear(inRun()) });

export const heldJournal =
  (journal: Pick<Journal, 'putBack'>): Thing =>
  () =>
  () => {
    const damage = journal.putBack();
    return { edits: damage === undefined ? [] : [damage] };
  };

/** Git's settings and hooks, the refs of others, objects, and the files of `.ralph`. `found` names refs for what was found. */
export const heldGit =
  (vault: Pick<Vault, 'note' | 'putBack'> | SharedVault, found: (name: string) => string): Thing =>
  async () => {
    const others = (await vault.note(found)) ?? [];
    return async () => ({ edits: [...others, ...(await vault.putBack(found))] });
  };

/** What briefs are made from, and the lock: an agent that writes there would speak to all that come after it. */
export const keptInRalph = (folder: RalphFolder): Pick<VaultOptions, 'keep' | 'keepFolders'> => ({
  keep: [...['.gitignore', 'pin.md', 'answers.md'].map(name => join(folder.root, name)), folder.lock],
  keepFolders: [folder.templates],
});
