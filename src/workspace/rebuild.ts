/** A git directory that is gone when a run starts: an agent deleted it, and the runner died before it could put it back. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText, writeAtomic } from '../util/files.ts';
import { lookAt } from '../util/version.ts';
import { moveAside } from './kept-files.ts';
import { LinkedObjects, linkTree } from './linked-copy.ts';
import { SETTINGS } from './stored-repository.ts';
import { vaultIn } from './vault-place.ts';

/** Makes it again from the vault; gives the top of the checkout, or undefined where nothing is missing. */
export function rebuildLost(cwd: string): string | undefined {
  const top = topWithVault(cwd);
  if (top === undefined) return undefined;
  const [vault, gitDir] = [vaultIn(join(top, '.ralph', 'runs')), join(top, '.git')];
  if (lookAt(gitDir)) {
    makeReadable(vault, gitDir);
    return undefined;
  }
  for (const name of ['objects', 'refs', 'info']) mkdirSync(join(gitDir, name), { recursive: true });
  linkTree(join(vault, 'beside'), gitDir, { replace: false });
  new LinkedObjects({ from: join(gitDir, 'objects'), to: join(vault, 'objects') }).merge(join(vault, 'found'));
  linkTree(join(vault, 'refs'), join(gitDir, 'refs'), { replace: false });
  for (const name of [...SETTINGS, 'packed-refs', 'HEAD']) {
    if (existsSync(join(vault, name))) copyFileSync(join(vault, name), join(gitDir, name));
  }
  return top;
}

/** The top of a checkout whose git directory the next run would make again. */
export function lostTop(cwd: string): string | undefined {
  const top = topWithVault(cwd);
  return top !== undefined && !lookAt(join(top, '.git')) ? top : undefined;
}

/** With an empty HEAD, or zeros in its settings, git sees no repository: only a power cut leaves these so. */
function makeReadable(vault: string, gitDir: string): void {
  if (!lookAt(gitDir)?.isDirectory()) return;
  const broken = { HEAD: /^(?!ref: refs\/\S+\s*$|[0-9a-f]{40,64}\s*$)/, config: /\0/ };
  for (const [name, isBroken] of Object.entries(broken)) {
    const kept = readText(join(vault, name));
    if (kept && !isBroken.test(kept) && isBroken.test(readText(join(gitDir, name)) ?? '\0')) {
      moveAside(join(gitDir, name), join(vault, 'found'));
      writeAtomic(join(gitDir, name), kept);
    }
  }
}

function topWithVault(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(vaultIn(join(folder, '.ralph', 'runs')), 'HEAD'))) return folder;
    if (folder === dirname(folder) || lookAt(join(folder, '.git'))) return undefined;
  }
}
