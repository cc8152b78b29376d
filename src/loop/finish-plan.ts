/** When no item is left to work on: all done and proven, or a person is needed. */

import type { Stop } from '../loop.ts';
import { appendToPlan } from '../plan/open.ts';
import type { GateResult, Item, ItemStatus } from '../protocol.ts';
import { allGreen, itemOf } from '../state.ts';
import { tailOf } from '../util/bounded.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { runChecks } from './checks.ts';
import { enterTree } from './enter-tree.ts';
import { sweepResidue } from './gather.ts';
import { planFrom, rereadPlan } from './plan-bytes.ts';
import type { Session } from './session.ts';

export interface Left {
  readonly items: readonly Item[];
  readonly status: (item: Item) => ItemStatus;
}

/** A fix item that fails as often as this needs a person, not another fix item. */
const MAX_FIXES = 3;
const TAIL_CHARS = 2000;

export async function finishPlan(session: Session, { items, status }: Left): Promise<Result<Stop | undefined>> {
  const open = items.filter(item => !['done', 'skipped'].includes(status(item)));
  const { only } = session.options;
  if (only !== undefined && open.length > 0) {
    const wanted = items.find(item => item.id === only);
    if (wanted && status(wanted) === 'done')
      return ok({ reason: 'once', why: `${only} is done; it was all that was asked for` });
  }
  if (open.length > 0) return ok({ reason: 'blocked', why: blockedSentence(session, { open, status }) });
  const gates = await finalGates(session);
  if (!gates.ok) return gates;
  if (session.options.stopper.request) return ok(undefined);
  if (allGreen(gates.value)) return ok({ reason: 'complete', why: `${plural(items.length, 'item')} done` });
  return addFix(session, gates.value);
}

async function finalGates(session: Session): Promise<Result<readonly GateResult[]>> {
  const { final } = session.settings;
  if (final.length === 0 || session.plan.plan.repeats) return ok([]);
  const tip = await session.workspace.tip();
  if (!tip.ok) return tip;
  const tree = await session.workspace.treeOf(tip.value);
  if (!tree.ok) return tree;
  // What is proven is what was accepted, not an attempt that was left unfinished.
  const entered = await enterTree(session, { wanted: tree.value, tip: tip.value });
  if (!entered.ok) return entered;
  const gates = await runChecks(session, { gates: final, phase: 'final' });
  if (!session.options.stopper.signal.aborted) session.record({ type: 'final', tree: tree.value, gates });
  const swept = await sweepResidue(session, entered.value);
  return swept.ok ? ok(gates) : swept;
}

function addFix(session: Session, gates: readonly GateResult[]): Result<Stop | undefined> {
  const red = gates.find(gate => gate.status !== 'green');
  if (!red) return ok(undefined);
  const why = `the final gate ${red.name} is not green`;
  if (session.state.fixes >= MAX_FIXES) {
    return ok({ reason: 'blocked', why: `${why} after ${plural(session.state.fixes, 'fix item')}` });
  }
  const current = rereadPlan(session.plan);
  const taken = new Set(current.plan.items.map(item => item.id));
  let n = session.state.fixes + 1;
  while (taken.has(`FIX-${n}`)) n += 1;
  const id = `FIX-${n}`;
  const appended = appendToPlan(current, {
    id,
    title: `Make the final gate pass: ${red.name}`,
    body: `\`${red.run}\` failed on the finished work:\n\n${tailOf(red.tail, TAIL_CHARS)}`,
    criteria: [`\`${red.run}\` exits 0`],
  });
  if (!appended.ok) return ok({ reason: 'blocked', why });
  writeAtomic(current.path, appended.value);
  session.plan = planFrom(current, appended.value);
  session.tree = '';
  session.record({ type: 'item.added', item: id, why });
  return ok(undefined);
}

function blockedSentence(
  session: Session,
  { open, status }: { open: readonly Item[]; status: Left['status'] },
): string {
  const blocked = open.filter(item => status(item) === 'blocked');
  const first = blocked[0];
  const waiting = open.length - blocked.length;
  const parts = [
    blocked.length > 0 ? `${plural(blocked.length, 'item')} blocked` : '',
    waiting > 0 ? `${plural(waiting, 'item')} waiting for others` : '',
  ].filter(Boolean);
  const why = first ? itemOf(session.state, first.id).why || first.note : '';
  return `${parts.join(', ')}${first ? `; ${first.id}: ${why || 'marked blocked in the plan'}` : ''}`;
}
