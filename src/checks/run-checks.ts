/** Runs gates of any kind in the workspace, and shows their start and end as events. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { gateEnv, type Settings } from '../config/index.ts';
import type { Passing } from '../events.ts';
import { CAPTURE_BYTES, runGates } from '../evidence/index.ts';
import { runCommand } from '../process/index.ts';
import type { Gate, GateResult, Item } from '../protocol.ts';
import type { Argv, Sandbox } from '../sandbox/index.ts';
import { readText } from '../util/files.ts';

export interface Checks {
  readonly gates: readonly Gate[];
  readonly phase: 'baseline' | 'item' | 'final' | 'proof';
  /** The folder they run in, if it is not the work tree. */
  readonly folder?: string;
  /** The commands install packages, so they need the network and the settings of the person's package managers. */
  readonly installs?: true;
  readonly wasRed?: (result: GateResult) => boolean;
  readonly known?: (gate: Gate) => GateResult | undefined;
}

/** Where checks run and where their events go; a session is one. */
export interface CheckPlace {
  /** `marked` is the folder that a restart searches for them, if they run in another one. */
  readonly workspace: { readonly root: string; readonly marked?: string };
  readonly options: {
    readonly env: NodeJS.ProcessEnv;
    readonly settings: Pick<Settings, 'gateEnv'>;
    readonly stopper: { readonly signal: AbortSignal };
    readonly sandbox?: Sandbox;
  };
  show(event: Passing): void;
  /** Wraps code that is not the runner's, to restore what it changes; missing before there is a run. */
  guarded?<T>(act: () => Promise<T>): Promise<T>;
}

/** Set in the environment of every check: the folder it runs in, by which a restart finds checks of a dead runner. */
export const GATE_MARK = 'RALPH_GATE_IN';

export async function runChecks(place: CheckPlace, checks: Checks): Promise<readonly GateResult[]> {
  const { phase, folder, installs = false, ...asked } = checks;
  if (asked.gates.length === 0) return [];
  const { env, settings, stopper, sandbox } = place.options;
  const cwd = folder ?? place.workspace.root;
  const marked = { ...gateEnv(env, settings.gateEnv), [GATE_MARK]: place.workspace.marked ?? place.workspace.root };
  const inside = { cwd, tree: place.workspace.marked ?? place.workspace.root, env: marked, installs };
  const began = Date.now();
  const run = () =>
    runGates({
      ...asked,
      run: gate =>
        runCommand({
          command: gate.run,
          ...(sandbox ? { contain: (argv: Argv) => sandbox.gates(inside, argv) } : {}),
          cwd,
          env: marked,
          timeoutMs: gate.timeoutMs,
          signal: stopper.signal,
          tailBytes: CAPTURE_BYTES,
        }),
      report: gate => junitReport(gate.run, { folder: cwd, since: began }),
      onStart: gate => place.show({ type: 'gate.started', name: gate.name, phase }),
      onFinish: result => place.show({ type: 'gate.finished', result, phase }),
      stopped: () => stopper.signal.aborted,
    });
  return place.guarded ? await place.guarded(run) : await run();
}

const VERIFY_TIMEOUT = 10 * 60_000;

/** The item's own checks as gates. */
export const verifyGates = (item: Item): readonly Gate[] =>
  item.verify.map(run => ({ name: `verify: ${run}`, run, timeoutMs: VERIFY_TIMEOUT }));

/** The JUnit file that a gate's own command names, if the gate has just written it. */
const NAMED =
  /(?:--junit-?xml|--outputFile(?:\.\w+)?|--test-reporter-destination|--junitfile|--output-file|--log-junit)[= ]["']?([^\s"']+\.xml)\b/i;
const MOST_BYTES = 8 * 1024 * 1024;

function junitReport(
  command: string,
  { folder, since }: { readonly folder: string; readonly since: number },
): string | undefined {
  const named = NAMED.exec(command)?.[1];
  if (named === undefined) return undefined;
  const path = resolve(folder, named);
  try {
    // A file from an earlier run says nothing about this one.
    return statSync(path).mtimeMs < since ? undefined : readText(path, MOST_BYTES);
  } catch {
    return undefined;
  }
}
