/** A tree in a folder of its own, for checks that must not see what else lies about in the work tree. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { PACKAGE_FOLDERS } from './ignored-kinds.ts';

export interface Fresh {
  readonly workspace: Pick<Workspace, 'trees' | 'root'>;
  readonly run: string;
  readonly tree: string;
  /** Installed packages are used where they are; without them the folder holds the tree and nothing else. */
  readonly packages: 'linked' | 'none';
}

/** Outside the repository, so that no tool finds the repository's own files by looking upwards. */
export async function withCheckout<T>(
  { workspace, run, tree, packages }: Fresh,
  use: (folder: string) => Promise<T>,
): Promise<Result<T>> {
  let place: string;
  try {
    place = mkdtempSync(join(tmpdir(), prefix(workspace.root, run)));
  } catch (error) {
    return fail({
      reason: 'no-room',
      message: `no folder for a fresh checkout: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'Set TMPDIR to a folder with room.',
    });
  }
  const folder = join(place, 'tree');
  try {
    mkdirSync(folder);
    const filled = await workspace.trees.checkOut(tree, folder);
    if (!filled.ok) return filled;
    if (packages === 'linked') linkPackages(workspace.root, folder);
    return ok(await use(folder));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What a runner that died left behind. */
export function removeCheckouts(root: string, run: string): void {
  for (const name of namesIn(tmpdir())) {
    if (name.startsWith(prefix(root, run))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Run ids are only unique within a repository. */
const prefix = (root: string, run: string): string =>
  `ralph-tree-${createHash('sha256').update(`${root}\0${run}`).digest('hex').slice(0, 12)}-`;

function linkPackages(from: string, to: string): void {
  for (const name of PACKAGE_FOLDERS) {
    if (!existsSync(join(from, name)) || existsSync(join(to, name))) continue;
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(join(from, name), join(to, name));
  }
}
