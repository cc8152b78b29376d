/** Runs the user's commands one after the other and stops at the first that is red. */
import type { Gate, GateResult, ProcessEnd } from '../protocol.ts';
import { tailOf } from '../util/bounded.ts';
import { isRed } from '../util/same-failure.ts';
import { looksLikeTests, readResults } from './results/read.ts';
import type { TestResults } from './results/tally.ts';

export interface GateRun {
  readonly gates: readonly Gate[];
  readonly run: (gate: Gate) => Promise<ProcessEnd>;
  /** The content of a report that the gate has just written, if its command names the file. */
  readonly report?: (gate: Gate) => string | undefined;
  readonly onStart?: (gate: Gate) => void;
  readonly onFinish?: (result: GateResult) => void;
  readonly stopped?: () => boolean;
  /** Whether a red gate was already red in the same way: then it does not stop the others. */
  readonly wasRed?: (result: GateResult) => boolean;
  /** A known green result on exactly the files that the gate depends on. */
  readonly known?: (gate: Gate) => GateResult | undefined;
}

const TAIL_CHARS = 4000;

/** How much output is parsed for test results. Longer output counts as unreadable. */
export const CAPTURE_BYTES = 1024 * 1024;

const results = new WeakMap<GateResult, TestResults>();

/** Everything that the gate's test runner reported, including the ids, which are too many to store on disk. */
export const testsOf = (gate: GateResult): TestResults | undefined => results.get(gate);

export async function runGates(request: GateRun): Promise<readonly GateResult[]> {
  const { gates, run, report, onStart, onFinish, stopped, wasRed, known } = request;
  const done: GateResult[] = [];
  let failed = false;
  for (const gate of gates) {
    const idle = { name: gate.name, run: gate.run, exit: null, durationMs: 0, tail: '' };
    if (failed || stopped?.()) {
      done.push({ ...idle, status: 'not-run' });
      continue;
    }
    const before = known?.(gate);
    if (before) {
      const result = changed(before, { durationMs: 0, reused: true });
      done.push(result);
      onFinish?.(result);
      continue;
    }
    onStart?.(gate);
    const made = withTests(gate, { end: await run(gate), report });
    const result = isRed(made) && wasRed?.(made) ? changed(made, { wasRed: true }) : made;
    failed = result.status !== 'green' && !result.wasRed;
    done.push(result);
    onFinish?.(result);
  }
  return done;
}

function withTests(
  gate: Gate,
  { end, report }: { readonly end: ProcessEnd; readonly report: GateRun['report'] },
): GateResult {
  const result = gateResult(gate, end);
  const written = report?.(gate);
  const read =
    (written === undefined ? undefined : readResults(written)) ??
    (end.outputBytes <= CAPTURE_BYTES ? readResults(end.tail) : undefined);
  if (!read) return looksLikeTests(gate) && result.status !== 'not-run' ? { ...result, tests: 'unknown' } : result;
  const { runner, executed, passed, failed, skipped, of } = read;
  const counted = { ...result, tests: { runner, executed, passed, failed, skipped, ...(of && { of }) } };
  results.set(counted, read);
  return counted;
}

/** Returns the result with some fields replaced; its test results stay attached. */
function changed(made: GateResult, more: Partial<GateResult>): GateResult {
  const result: GateResult = { ...made, ...more };
  const read = results.get(made);
  if (read) results.set(result, read);
  return result;
}

function gateResult(gate: Gate, end: ProcessEnd): GateResult {
  const common = { name: gate.name, run: gate.run, exit: end.code, durationMs: Math.round(end.durationMs) };
  const tail = tailOf(end.error ? `${end.error}\n${end.tail}` : end.tail, TAIL_CHARS);
  switch (end.reason) {
    case 'exited':
      return { ...common, status: end.code === 0 ? 'green' : 'red', tail: end.code === 0 ? '' : tail };
    case 'timeout':
    case 'idle':
      return { ...common, status: 'timeout', tail };
    case 'stopped':
      return { ...common, status: 'not-run', tail };
    case 'lingered':
    case 'not-started':
      return { ...common, status: 'red', tail };
  }
}
