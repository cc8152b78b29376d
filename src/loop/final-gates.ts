/** Runs the final gates once nothing is left to do, on a fresh checkout of the accepted work. */

import { type CheckPlace, runChecks } from '../checks/index.ts';
import { PACKAGE_FOLDERS } from '../custody/index.ts';
import type { Gate, GateResult } from '../protocol.ts';
import { allGreen, itemOf } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { withCheckout } from './fresh-checkout.ts';
import type { Session } from './session.ts';

/** Returns their results, empty if there are no final gates. In a repeating plan, the item itself has to pass them. */
export async function finalGates(session: Session): Promise<Result<readonly GateResult[]>> {
  const { workspace, settings } = session;
  if (settings.final.length === 0 || session.plan.plan.repeats) return ok([]);
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const tree = await workspace.treeOf(tip.value);
  if (!tree.ok) return tree;
  const gates = await onCheckout(session, { tree: tree.value, commit: tip.value, gates: settings.final });
  if (!gates.ok) return gates;
  if (!session.options.stopper.signal.aborted) session.record({ type: 'final', tree: tree.value, gates: gates.value });
  return gates;
}

/** For an item that was added because a final gate was red: runs that gate on a fresh checkout of the item's work. */
export async function finalGateOf(
  session: Session,
  work: { readonly item: string; readonly tree: string; readonly commit: string },
): Promise<Result<readonly GateResult[]>> {
  const { finalGate } = itemOf(session.state, work.item);
  const gates = session.settings.final.filter(gate => gate.run === finalGate);
  return gates.length === 0 ? ok([]) : await onCheckout(session, { ...work, gates });
}

interface Judged {
  readonly tree: string;
  /** The commit at the top of the history that the gates see. */
  readonly commit: string;
  readonly gates: readonly Gate[];
}

async function onCheckout(session: Session, { tree, commit, gates }: Judged): Promise<Result<readonly GateResult[]>> {
  const { workspace, settings, state } = session;
  const packages = settings.setup.length > 0 ? 'none' : 'linked';
  const ran = await withCheckout({ workspace, run: state.run, tree, packages }, async folder => {
    const lent = await workspace.lendHistory(folder, { commit, hidden: PACKAGE_FOLDERS });
    return lent.ok ? ok(await runIn(session, folder, gates)) : lent;
  });
  return ran.ok ? ran.value : ran;
}

/** A failed set-up counts as a red gate: the finished work cannot be built from a clone. */
async function runIn(session: Session, folder: string, gates: readonly Gate[]): Promise<readonly GateResult[]> {
  const { setup } = session.settings;
  const place: CheckPlace = {
    workspace: { root: folder, marked: session.workspace.root },
    options: session.options,
    show: event => session.show(event),
  };
  const prepared = await runChecks(place, { gates: setup, phase: 'final', installs: true });
  return allGreen(prepared) ? await runChecks(place, { gates, phase: 'final' }) : prepared;
}
