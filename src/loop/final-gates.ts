/** The final gates: once nothing is left to do, on a fresh checkout of what was accepted. */
import type { GateResult } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { type CheckPlace, runChecks } from './checks.ts';
import { withCheckout } from './fresh-checkout.ts';
import { PACKAGE_FOLDERS } from './ignored-kinds.ts';
import type { Session } from './session.ts';

/** Their results; none where there are none to run. A repeating plan's are its item's own. */
export async function finalGates(session: Session): Promise<Result<readonly GateResult[]>> {
  const { workspace, settings, state } = session;
  if (settings.final.length === 0 || session.plan.plan.repeats) return ok([]);
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const tree = await workspace.treeOf(tip.value);
  if (!tree.ok) return tree;
  const packages = settings.setup.length > 0 ? 'none' : 'linked';
  const ran = await withCheckout({ workspace, run: state.run, tree: tree.value, packages }, async folder => {
    const lent = await workspace.lendHistory(folder, { commit: tip.value, hidden: PACKAGE_FOLDERS });
    return lent.ok ? ok(await runIn(session, folder)) : lent;
  });
  const gates = ran.ok ? ran.value : ran;
  if (!gates.ok) return gates;
  if (!session.options.stopper.signal.aborted) session.record({ type: 'final', tree: tree.value, gates: gates.value });
  return gates;
}

/** A set-up that fails there is a red gate like any other: the finished work cannot be built from a clone. */
async function runIn(session: Session, folder: string): Promise<readonly GateResult[]> {
  const { setup, final } = session.settings;
  const place: CheckPlace = {
    workspace: { root: folder, marked: session.workspace.root },
    options: session.options,
    show: event => session.show(event),
  };
  const prepared = await runChecks(place, { gates: setup, phase: 'final' });
  return allGreen(prepared) ? await runChecks(place, { gates: final, phase: 'final' }) : prepared;
}
