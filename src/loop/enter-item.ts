/** Where an item's next attempt starts: its last attempt's tree, or the newest commit of the branch. */
import { planFrom } from '../plan/index.ts';
import { itemOf } from '../state.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { enterTree } from './enter-tree.ts';
import type { Session } from './session.ts';

/** The commit it starts from. */
export async function enterItem(session: Session, item: string): Promise<Result<string>> {
  const base = session.worker === undefined ? await session.workspace.tip() : await followRun(session);
  if (!base.ok) return base;
  const entered = await enterAt(session, item, base.value);
  return entered.ok ? base : entered;
}

async function enterAt(session: Session, item: string, base: string): Promise<Result<string>> {
  const enter = session.worker === undefined ? enterTree : enterCheckout;
  const { carry } = itemOf(session.state, item);
  if (carry && carry.base === base) {
    const entered = await enter(session, { wanted: carry.tree, tip: base });
    if (entered.ok) return entered;
    session.notice('warn', `the tree of the last attempt cannot be read, so ${item} starts from the last commit`);
  }
  const wanted = await wantedTree(session, base);
  return wanted.ok ? await enter(session, { wanted: wanted.value, tip: base }) : wanted;
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
