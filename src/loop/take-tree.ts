/** Records what the agent left as a tree; what git cannot take is moved out of it, and the attempt is refused instead of the run. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keepAside } from '../custody/index.ts';
import type { Finding } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import { keepFoundTree } from './keep-found.ts';
import type { Session } from './session.ts';

const ROUNDS = 20;

export interface Taken {
  readonly tree: string;
  readonly findings: readonly Finding[];
}

export async function takeTree(
  session: Session,
  look: { readonly iteration: number; readonly base: string; readonly startTree: string },
): Promise<Result<Taken>> {
  const { workspace } = session;
  if (workspace.isFolderGone) return await takeStart(session, look);
  const first = await workspace.snapshot();
  const aside = session.fileOf(look.iteration, 'refused');
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
async function takeStart(
  session: Session,
  { iteration, base, startTree }: Parameters<typeof takeTree>[1],
): Promise<Result<Taken>> {
  const { workspace } = session;
  mkdirSync(workspace.root, { recursive: true });
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  const diff = await workspace.diff(startTree, now.value);
  if (!diff.ok) return diff;
  const { changes } = diff.value;
  let found = '';
  if (changes.some(({ kind }) => kind !== 'deleted')) {
    const message = `ralph: what was in place of the folder that iteration ${iteration} deleted\n`;
    const kept = await keepFoundTree(session, { tree: now.value, parent: base, message });
    if (!kept.ok) return kept;
    found = `; what was there instead is under ${kept.value}`;
  }
  const restored = await workspace.restore(startTree, changes);
  if (!restored.ok) return restored;
  workspace.believeFolder();
  const message = `the folder of the work tree was deleted while the agent worked; it was restored as it was before${found}`;
  return ok({ tree: startTree, findings: [{ rule: 'folder-gone', level: 'block', message }] });
}
