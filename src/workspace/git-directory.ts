/** The git directory itself: what is in it besides objects, refs and settings is kept, and a broken one is built again. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lookAt } from '../util/version.ts';
import { type FolderIdentity, folderIdentity, isSameFolder } from './folder-identity.ts';
import { moveAside } from './kept-files.ts';
import { linkFile, linkTree } from './linked-copy.ts';

/** Besides objects, refs and settings: what a rebuilt one would lack. */
const BESIDE = ['logs', 'worktrees', 'modules', 'lfs', 'rr-cache', 'index', 'description'];

export class GitDirectory {
  readonly #folder: string;
  readonly #copies: string;
  /** Which folder it is: another one by the same name is not believed. */
  #identity: FolderIdentity | undefined;

  /** `copies` is a folder for what is kept of it. */
  constructor(folder: string, copies: string) {
    this.#folder = folder;
    this.#copies = copies;
    this.#identity = folderIdentity(folder);
  }

  keep(): void {
    for (const name of BESIDE) {
      const [from, to] = [join(this.#folder, name), join(this.#copies, name)];
      if (lookAt(from)?.isDirectory()) linkTree(from, to, { replace: true });
      else if (lookAt(from)?.isFile()) linkFile(from, to);
    }
  }

  /** What was done, in words; what is in the way goes to `aside`. */
  rebuildIfBroken(aside: string): string | undefined {
    const folder = this.#folder;
    const stat = lookAt(folder);
    const isOurs = isSameFolder(this.#identity, folderIdentity(folder));
    if (isOurs && this.#looksWhole(aside)) return undefined;
    const other = isOurs ? undefined : stat;
    const kept = other ? moveAside(folder, aside) : undefined;
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), { recursive: true });
    linkTree(this.#copies, folder, { replace: false });
    this.#identity = folderIdentity(folder);
    const where = kept ? `; what was there is in ${kept}` : '';
    return `the git directory ${stat ? 'was broken' : 'was deleted'}; it was rebuilt with everything that was in it${where}`;
  }

  #looksWhole(aside: string): boolean {
    return ['objects', 'refs'].every(name => {
      const path = join(this.#folder, name);
      const stat = lookAt(path);
      if (stat && !stat.isDirectory()) moveAside(path, aside);
      return stat?.isDirectory();
    });
  }
}
