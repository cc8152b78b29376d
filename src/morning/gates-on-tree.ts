/** The gates on a tree that no checkout holds, in a folder of its own. */

import { join } from 'node:path';
import { type CheckPlace, runChecks } from '../checks/index.ts';
import { PACKAGE_FOLDERS } from '../custody/index.ts';
import type { Passing } from '../events.ts';
import { removeCheckout, withCheckout } from '../loop.ts';
import type { Gate, GateResult } from '../protocol.ts';
import { type ChosenSandbox, chooseSandbox, type Project } from '../start/index.ts';
import { allGreen, type RunState } from '../state.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { uniqueName } from '../util/unique-name.ts';
import { borrowHistory, OtherTrees } from '../workspace/index.ts';

export interface OnTree {
  readonly project: Project;
  /** Whose agents wrote it: its gates run where the gates of that run did. */
  readonly state: Pick<RunState, 'run' | 'agent' | 'sandbox'>;
  readonly tree: string;
  /** The history that the gates see. */
  readonly commit: string;
  /** Gates and final gates of the config, unless others are meant. */
  readonly gates?: readonly Gate[];
  readonly signal: AbortSignal;
  readonly show: (event: Passing) => void;
}

/** Set-up, then the gates, each command once; where set-up is not green, its results alone. */
export async function gatesOnTree(options: OnTree): Promise<Result<readonly GateResult[]>> {
  const { project, state, tree, commit, signal, show } = options;
  const { run, agent, sandbox } = state;
  const { repository, settings, folder, env } = project;
  const gates = (options.gates ?? [...settings.gates, ...settings.final]).filter(
    (gate, index, all) => all.findIndex(each => each.run === gate.run) === index,
  );
  if (gates.length === 0) return ok([]);
  const workspace = {
    root: repository.root,
    trees: new OtherTrees(repository.git, join(folder.root, `merge-${uniqueName()}`)),
  };
  const chosen = await chooseSandbox(project, { agents: [agent], consented: sandbox === 'none' });
  if (!chosen.ok) return fail(chosen.error.failure);
  const packages = settings.setup.length > 0 ? 'none' : 'linked';
  const ran = await withCheckout({ workspace, run, tree, packages }, async place => {
    const lent = await borrowHistory({
      git: repository.git,
      commonDir: repository.commonDir,
      folder: place,
      commit,
      hidden: PACKAGE_FOLDERS,
    });
    if (!lent.ok) return lent;
    const at: CheckPlace = {
      workspace: { root: place },
      options: { env, settings, stopper: { signal }, ...inside(chosen.value) },
      show,
    };
    const prepared = await runChecks(at, { gates: settings.setup, phase: 'final', installs: true });
    return ok(allGreen(prepared) ? await runChecks(at, { gates, phase: 'final' }) : prepared);
  });
  removeCheckout(workspace);
  return ran.ok ? ran.value : ran;
}

const inside = ({ sandbox }: ChosenSandbox) => (sandbox ? { sandbox } : {});
