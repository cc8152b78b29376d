/** Records what the agent left as a tree; what git cannot take is moved out of it, and the attempt is refused instead of the run. */
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

export async function takeTree(session: Session, iteration: number): Promise<Result<Taken>> {
  const { workspace } = session;
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
