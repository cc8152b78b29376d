/** Where an item's next attempt starts: the tree of its last attempt, or the tip of the branch. */
import { planFrom } from '../plan/index.ts';
import { itemOf } from '../state.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { enterTree } from './enter-tree.ts';
import type { Session } from './session.ts';

export interface Entered {
  /** The commit that the attempt starts from. */
  readonly base: string;
  /** The changes of the last attempt are in the tree. */
  readonly carried: boolean;
}

export async function enterItem(session: Session, item: string): Promise<Result<Entered>> {
  const base = session.worker === undefined ? await session.workspace.tip() : await followRun(session);
  return base.ok ? await enterAt(session, item, base.value) : base;
}

async function enterAt(session: Session, item: string, base: string): Promise<Result<Entered>> {
  const enter = session.worker === undefined ? enterTree : enterCheckout;
  const { carry } = itemOf(session.state, item);
  const tree = carry && (carry.base === base ? carry.tree : await carriedOn(session, carry, base));
  if (tree !== undefined) {
    const entered = await enter(session, { wanted: tree, tip: base });
    if (entered.ok) return ok({ base, carried: true });
    session.notice('warn', `the tree of the last attempt cannot be read, so ${item} starts from the last commit`);
  }
  const wanted = await wantedTree(session, base);
  const entered = wanted.ok ? await enter(session, { wanted: wanted.value, tip: base }) : wanted;
  return entered.ok ? ok({ base, carried: false }) : entered;
}

/** If other workers moved the branch meanwhile, merges the last attempt with it; undefined after a conflict or with a single worker. */
async function carriedOn(
  { worker, workspace, clock }: Session,
  carry: { readonly tree: string; readonly base: string },
  base: string,
): Promise<string | undefined> {
  if (worker === undefined) return undefined;
  const commit = { tree: carry.tree, parent: carry.base, message: 'the last attempt\n', at: clock.now() };
  const merged = await workspace.merged(base, commit);
  return merged.ok && merged.value.type === 'merged' ? merged.value.tree : undefined;
}

async function wantedTree(session: Session, base: string): Promise<Result<string>> {
  const { treeOfTip } = session.main;
  // The common case needs no git call: the last commit made here is the base.
  return treeOfTip?.commit === base ? ok(treeOfTip.tree) : await session.workspace.treeOf(base);
}

/** A worker starts at the run's tip, with the current plan of the run. */
async function followRun(session: Session): Promise<Result<string>> {
  const { main, workspace } = session;
  const { tip } = session.state;
  const followed = await workspace.follow(tip);
  if (!followed.ok) return followed;
  session.plan = planFrom(session.plan, main.plan.bytes);
  session.treeOfTip = main.treeOfTip;
  return ok(tip);
}

/** A worker's checkout contains nobody's work between two items, so everything found there is removed. */
async function enterCheckout(session: Session, { wanted }: { readonly wanted: string }): Promise<Result<string>> {
  const { workspace } = session;
  const now = session.tree === '' ? await workspace.snapshot() : ok(session.tree);
  if (!now.ok) return now;
  const diff = await workspace.diff(wanted, now.value);
  if (!diff.ok) return diff;
  const restored = now.value === wanted ? ok(undefined) : await workspace.restore(wanted, diff.value.changes);
  if (!restored.ok) return restored;
  const { path, bytes } = session.plan;
  const isSame = readBytes(path)?.equals(bytes) ?? false;
  if (!isSame) writeAtomic(path, bytes);
  const entered = isSame || !session.options.planInTree ? ok(wanted) : await workspace.snapshot();
  if (entered.ok) session.tree = entered.value;
  return entered;
}
