/** Records what the agent left as a tree; what git cannot take is moved out of it, and the attempt is refused instead of the run. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keepAside } from '../custody/index.ts';
import type { Finding } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import type { Session } from './session.ts';

const ROUNDS = 20;

export interface Taken {
  readonly tree: string;
  readonly findings: readonly Finding[];
}

export async function takeTree(
  session: Session,
  { iteration, startTree }: { readonly iteration: number; readonly startTree: string },
): Promise<Result<Taken>> {
  const { workspace } = session;
  if (workspace.isFolderGone) return await takeStart(session, startTree);
  const first = await workspace.snapshot();
  const aside = session.fileOf(iteration, 'refused');
  const paths: string[] = [];
  let tree = first;
  // Git names the first file that it cannot take.
  for (let round = 0; !tree.ok && round < ROUNDS; round++) {
    const refused = await workspace.refusedFiles(tree.error.message);
    if (!refused.ok || refused.value.length === 0) break;
    for (const path of refused.value) keepAside(join(workspace.root, path), join(aside, path));
    paths.push(...refused.value);
    tree = await workspace.snapshot();
  }
  if (!tree.ok) return tree;
  const [path] = paths;
  if (first.ok || path === undefined) return ok({ tree: tree.value, findings: [] });
  const message = `git cannot store ${firstFew(paths, 3)} (${first.error.message}); as the agent left it, it is in ${aside}`;
  return ok({ tree: tree.value, findings: [{ rule: 'unstorable', level: 'block', message, path }] });
}

/** The agent's work went with the folder. What is missing now was not deleted by it, so everything is restored. */
async function takeStart(session: Session, startTree: string): Promise<Result<Taken>> {
  const { workspace } = session;
  mkdirSync(workspace.root, { recursive: true });
  const now = await workspace.snapshot();
  const diff = now.ok ? await workspace.diff(startTree, now.value) : now;
  const restored = diff.ok ? await workspace.restore(startTree, diff.value.changes) : diff;
  if (!restored.ok) return restored;
  workspace.believeFolder();
  const message = 'the folder of the work tree was deleted while the agent worked; it was restored as it was before';
  return ok({ tree: startTree, findings: [{ rule: 'folder-gone', level: 'block', message }] });
}
