/** Changes in the work tree that no iteration made: somebody else's work, which must never be lost. */

import type { Change } from '../protocol.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import { keepFoundTree } from './keep-found.ts';
import type { Session } from './session.ts';

export interface Difference {
  /** The content of the work tree. */
  readonly now: string;
  /** How it differs from the expected tree. */
  readonly changes: readonly Change[];
}

/** Changed paths that are neither the runner's own files nor left by the last iteration. */
export async function foreignPaths(session: Session, { now, changes }: Difference): Promise<Result<readonly string[]>> {
  const { lastTree, items } = session.state;
  const left = [lastTree, ...[...items.values()].map(({ carry }) => carry?.tree)];
  if (left.includes(now)) return ok([]);
  const paths = changes.map(change => change.path).filter(path => !session.options.ownedInTree.includes(path));
  if (!lastTree || paths.length === 0) return ok(paths);
  const since = await session.workspace.diff(lastTree, now);
  if (!since.ok) return since;
  const moved = new Set(since.value.changes.map(change => change.path));
  return ok(paths.filter(path => moved.has(path)));
}

/** Keeps the work tree under a ref before it is reset, if it contains such changes. */
export async function keepForeign(
  session: Session,
  difference: Difference & { readonly tip: string },
): Promise<Result<void>> {
  // A tree that equals the tip contains nobody's changes: the last process left it like this.
  const committed = await session.workspace.treeOf(difference.tip);
  if (!committed.ok) return committed;
  if (committed.value === difference.now) return ok(undefined);
  const paths = await foreignPaths(session, difference);
  if (!paths.ok) return paths;
  if (paths.value.length === 0) return ok(undefined);
  const message = 'ralph: what the work tree held and no iteration had made\n';
  const kept = await keepFoundTree(session, { tree: difference.now, parent: difference.tip, message });
  if (!kept.ok) return kept;
  session.notice(
    'warn',
    `${firstFew(paths.value, 3)}: not made by any iteration, so taken out of the work tree and kept under ${kept.value}`,
  );
  return ok(undefined);
}
