/** Submodules in the work tree. What is in them is not looked at, because their settings and filters would be obeyed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../protocol.ts';
import type { Git } from './git.ts';

/** The mode under which a tree holds the commit of one. */
export const SUBMODULE = '160000';

export interface InnerRepository {
  readonly path: string;
  readonly commit: string;
}

/**
 * Their HEAD is on the commit again that the tree holds; otherwise every later snapshot would hold the other one. Branches and
 * files in them stay, so that no commit is lost.
 */
export async function putSubmodulesBack(git: Git, root: string, undone: readonly Change[]): Promise<void> {
  for (const { path, mode, oldMode = mode, before } of undone) {
    if (mode !== SUBMODULE || oldMode !== SUBMODULE || before === undefined) continue;
    const inner = join(root, path);
    // Without it git would take the repository around it.
    if (!existsSync(join(inner, '.git'))) continue;
    await git.text('-C', inner, 'update-ref', '-m', 'ralph', '--no-deref', 'HEAD', before);
    await git.text('-C', inner, 'read-tree', before);
  }
}
