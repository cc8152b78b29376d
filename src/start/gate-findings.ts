/** What the gates say before a run: they are run as its baseline would run them, where that can be done without a trace. */
import { UNTIL } from '../config/index.ts';
import type { Passing } from '../events.ts';
import type { Stopper } from '../process/index.ts';
import type { GateResult } from '../protocol.ts';
import type { Result } from '../util/result.ts';
import { oneLine, plural, showDuration } from '../util/show.ts';
import { type Baseline, isFoundation } from './baseline.ts';
import type { Found } from './find-plan.ts';
import { bad, type Finding, good, warn } from './finding.ts';
import type { Preflight } from './preflight.ts';
import type { Project, Refusal } from './project.ts';
import { type Trial, tryGates } from './try-gates.ts';

export interface GateQuestion {
  readonly project: Project;
  readonly found: Result<Found, Refusal>;
  readonly checks: Preflight;
  /** No run could start here now: another one works, or no state can be kept. */
  readonly isHeld: boolean;
  readonly only?: string | undefined;
  readonly stopper: Stopper;
}

export async function* gateFindings(question: GateQuestion): AsyncGenerator<Finding> {
  const { project, found, checks, only, stopper } = question;
  const { settings } = project;
  if (settings.gates.length === 0) {
    yield warn(
      'gates',
      "none: an item is accepted on the agent's claim and a change alone",
      'Add the commands that prove an item done: ralph init --gates, or in ralph.yaml: gates: [npm test]',
    );
  }
  yield* offered(question);
  const reason = whyNot(question);
  if (reason !== undefined) {
    if (settings.gates.length > 0) yield warn('gates', `not run: ${reason}`);
  } else if (found.ok && checks.branch.ok) {
    const sandbox = checks.sandbox.ok ? checks.sandbox.value.sandbox : undefined;
    yield* tried({ project, found: found.value, ground: checks.branch.value, only, stopper, sandbox });
  }
  if (settings.gatesFrom === 'detected') {
    const count = plural(settings.gates.filter(gate => gate.name !== UNTIL).length, 'gate');
    yield warn('gates', `${count} detected, not configured`, 'Write them into ralph.yaml to be sure');
  }
}

/** A test command that the plan names is a person's to take: it is never run by itself. */
function* offered({ project: { settings }, found }: GateQuestion): Generator<Finding> {
  const command = found.ok ? found.value.plan.plan.testCommand : undefined;
  if (command === undefined || settings.gates.some(({ run }) => run.trim() === command)) return;
  yield warn(
    'gates',
    `the plan names a test command that is not a gate: ${oneLine(command, 200)}`,
    `To have it judge every item, in ralph.yaml: gates: [${JSON.stringify(command)}]`,
  );
}

/** Why they are not run here and now. */
function whyNot({ found, checks, isHeld }: GateQuestion): string | undefined {
  const { tree, branch } = checks;
  if (isHeld) return 'no run can start here now';
  if (!found.ok) return 'there is no plan to run yet';
  if (found.value.alreadyDone) return 'nothing is left to do';
  if (found.value.died) return 'the last runner was cut off; its work is recovered first';
  if (!tree.ok) return 'the tree is refused';
  if (!branch.ok) return 'the run would have no branch';
  if (!checks.sandbox.ok) return 'there is no sandbox for them';
  if (branch.value.moves) return `they run on branch ${branch.value.choice.branch}, which starts from another commit`;
  return undefined;
}

async function* tried(trial: Omit<Trial, 'show'>): AsyncGenerator<Finding> {
  const { project, found, only, stopper } = trial;
  const { gates, baseline } = project.settings;
  const running = eachResult(trial);
  let next = await running.next();
  for (; !next.done; next = await running.next()) {
    const { value } = next;
    // Where red is refused, the refusal says it with the end of the output.
    if (value.status === 'green') yield good('gate', `${value.name}: green in ${showDuration(value.durationMs)}`);
    else if (baseline !== 'green') yield redButAllowed(value);
  }
  if (stopper.signal.aborted) return;
  if (!next.value.ok) yield bad('gates', next.value.error.failure);
  else if (next.value.value === undefined && gates.some(gate => gate.name !== UNTIL)) {
    const isFirst = isFoundation(found.plan.plan, only);
    yield good(
      'gates',
      isFirst ? 'not run before the first group, which lays the foundation' : 'known to be green on this tree',
    );
  }
}

function redButAllowed({ name, status, exit, durationMs, tail }: GateResult): Finding {
  const how = status === 'timeout' ? 'ran out of time' : `exited ${exit ?? 'by a signal'}`;
  return warn('gate', `${name}: ${how} after ${showDuration(durationMs)}`, tail.split('\n').slice(-8).join('\n'));
}

/** Each gate as it ends, and then what a run would make of all. */
async function* eachResult(
  trial: Omit<Trial, 'show'>,
): AsyncGenerator<GateResult, Result<Baseline | undefined, Refusal>> {
  const ended: GateResult[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  const show = (event: Passing): void => {
    if (event.type !== 'gate.finished') return;
    ended.push(event.result);
    wake();
  };
  const all = tryGates({ ...trial, show }).finally(() => {
    isOver = true;
  });
  for (;;) {
    const result = ended.shift();
    if (result) yield result;
    else if (isOver) return await all;
    else await Promise.race([all, new Promise<void>(resolve => (wake = resolve))]);
  }
}
