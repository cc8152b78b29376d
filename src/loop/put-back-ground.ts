/** Restores what the gates depend on if the agent changed it without being asked, so that gates judge the tree that is committed. */
import { groundEdits, lookAt } from '../audit/index.ts';
import type { Change, Finding, GuardInput } from '../protocol.ts';
import { itemOf } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { attemptRef, type Diff, type TreeEdit } from '../workspace/index.ts';
import type { Session } from './session.ts';

export interface Made {
  readonly iteration: number;
  readonly base: string;
  readonly baseTree: string;
  readonly tree: string;
  readonly diff: Diff;
  readonly input: GuardInput;
  readonly findings: readonly Finding[];
}

/** Returns the tree and diff to continue with. */
export async function putBackGround(session: Session, made: Made): Promise<Result<Pick<Made, 'tree' | 'diff'>>> {
  const { tree, diff, findings } = made;
  const paths = new Set(findings.filter(({ rule }) => rule === 'gate-ground').map(({ path }) => path));
  // Gates do not run on a rejected attempt, so it stays as the agent made it.
  if (paths.size === 0 || findings.some(({ level }) => level === 'block')) return ok({ tree, diff });
  const { workspace, state } = session;
  const edits = groundEdits(lookAt(made.input))
    .filter(({ path }) => paths.has(path))
    .flatMap(({ path, text }) => treeEdit(diff.changes, path, text));
  const { id } = made.input.item;
  const name = `${itemOf(state, id).attempts + 1}-i${made.iteration}-as-made`;
  const message = `ralph: ${id} as it was made, before what the gates stand on was put back\n`;
  const kept = await workspace.setAside(attemptRef(state.run, id, name), 'again', {
    tree,
    parent: made.base,
    message,
    at: session.clock.now(),
  });
  if (!kept.ok) return kept;
  const clean = await workspace.trees.replacing(tree, edits);
  if (!clean.ok) return clean;
  const undone = await workspace.diff(clean.value, tree);
  if (!undone.ok) return undone;
  const restored = await workspace.restore(clean.value, undone.value.changes);
  if (!restored.ok) return restored;
  const left = await workspace.diff(made.baseTree, clean.value);
  return left.ok ? ok({ tree: clean.value, diff: left.value }) : left;
}

function treeEdit(changes: readonly Change[], path: string, text: string | undefined): readonly TreeEdit[] {
  const change = changes.find(each => each.path === path);
  if (!change) return [];
  if (text !== undefined) return [{ path, mode: change.mode, content: Buffer.from(text) }];
  return [{ path, mode: change.oldMode ?? change.mode, content: change.before }];
}
