/** Where an item's next attempt starts: its last attempt's tree, or the newest commit of the branch. */
import { planFrom } from '../plan/index.ts';
import { itemOf } from '../state.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { enterTree } from './enter-tree.ts';
import type { Session } from './session.ts';

export interface Entered {
  /** The commit it starts from. */
  readonly base: string;
  /** What the last attempt changed is in the tree. */
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

/** Other workers moved the branch since: the last attempt on top of that, where it fits. A run with one worker has no others. */
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
  // The common case needs no git: the last thing that happened here was the commit that is now the base.
  return treeOfTip?.commit === base ? ok(treeOfTip.tree) : await session.workspace.treeOf(base);
}

/** A worker starts where the run is, with the run's plan as it is now. */
async function followRun(session: Session): Promise<Result<string>> {
  const { main, workspace } = session;
  const { tip } = session.state;
  const followed = await workspace.follow(tip);
  if (!followed.ok) return followed;
  session.plan = planFrom(session.plan, main.plan.bytes);
  session.treeOfTip = main.treeOfTip;
  return ok(tip);
}

/** A worker's checkout holds nobody's work between two items: whatever lies about there goes. */
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
