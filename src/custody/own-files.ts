/** What is protected from every program that is not the runner's, gates included: the runner's own files, its journal, and git. */
import { join } from 'node:path';
import type { Journal, RalphFolder } from '../journal/index.ts';
import type { SharedVault, Vault, VaultOptions } from '../workspace/index.ts';
import type { Thing } from './hold.ts';
import type { Planted } from './planted.ts';

/** `inRun` returns the folders of the run that are written to at that time. */
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

/** Git's settings and hooks, other people's refs, objects, and files in `.ralph`. `found` names the refs that keep what was found. */
export const heldGit =
  (vault: Pick<Vault, 'note' | 'putBack'> | SharedVault, found: (name: string) => string): Thing =>
  async () => {
    const others = (await vault.note(found)) ?? [];
    return async () => ({ edits: [...others, ...(await vault.putBack(found))] });
  };

/** Files that briefs are made from, and the lock: an agent that writes them could influence all later agents. */
export const keptInRalph = (folder: RalphFolder): Pick<VaultOptions, 'keep' | 'keepFolders'> => ({
  keep: [...['.gitignore', 'pin.md', 'answers.md'].map(name => join(folder.root, name)), folder.lock],
  keepFolders: [folder.templates],
});
