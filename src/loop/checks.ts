/** Gates of any kind, run in the workspace and told to whoever watches. */

import { gateEnv } from '../config/gate-env.ts';
import type { Settings } from '../config/settings.ts';
import type { Passing } from '../events.ts';
import { runGates } from '../evidence/gates.ts';
import { runCommand } from '../process/supervise.ts';
import type { Gate, GateResult, Item } from '../protocol.ts';

export interface Checks {
  readonly gates: readonly Gate[];
  readonly phase: 'baseline' | 'item' | 'final';
  readonly wasRed?: (result: GateResult) => boolean;
  readonly isKnown?: (gate: Gate) => boolean;
}

/** Where checks run and who is told; a session is one. */
export interface CheckPlace {
  readonly workspace: { readonly root: string };
  readonly options: {
    readonly env: NodeJS.ProcessEnv;
    readonly settings: Pick<Settings, 'gateEnv'>;
    readonly stopper: { readonly signal: AbortSignal };
  };
  show(event: Passing): void;
}

/** In the environment of every check: where it runs. A restart finds those that a dead runner left by it. */
export const GATE_MARK = 'RALPH_GATE_IN';

export async function runChecks(place: CheckPlace, checks: Checks): Promise<readonly GateResult[]> {
  const { phase, ...asked } = checks;
  const { env, settings, stopper } = place.options;
  const cwd = place.workspace.root;
  const marked = { ...gateEnv(env, settings.gateEnv), [GATE_MARK]: cwd };
  return await runGates({
    ...asked,
    run: gate => runCommand({ command: gate.run, cwd, env: marked, timeoutMs: gate.timeoutMs, signal: stopper.signal }),
    onStart: gate => place.show({ type: 'gate.started', name: gate.name, phase }),
    onFinish: result => place.show({ type: 'gate.finished', result, phase }),
    stopped: () => stopper.signal.aborted,
  });
}

const VERIFY_TIMEOUT = 10 * 60_000;

/** The item's own checks as gates. */
export const verifyGates = (item: Item): readonly Gate[] =>
  item.verify.map(run => ({ name: `verify: ${run}`, run, timeoutMs: VERIFY_TIMEOUT }));
