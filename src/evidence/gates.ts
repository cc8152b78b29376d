/** Runs the user's commands one after the other and stops at the first that turned red. */
import type { Gate, GateResult, ProcessEnd } from '../protocol.ts';
import { tailOf } from '../util/bounded.ts';
import { isRed } from '../util/same-failure.ts';

export interface GateRun {
  readonly gates: readonly Gate[];
  readonly run: (gate: Gate) => Promise<ProcessEnd>;
  readonly onStart?: (gate: Gate) => void;
  readonly onFinish?: (result: GateResult) => void;
  readonly stopped?: () => boolean;
  /** Whether a red gate was red before, in the same way: then it does not stop the others. */
  readonly wasRed?: (result: GateResult) => boolean;
  /** Whether a gate is known to be green on the files it depends on. */
  readonly isKnown?: (gate: Gate) => boolean;
}

const TAIL_CHARS = 4000;

export async function runGates(request: GateRun): Promise<readonly GateResult[]> {
  const { gates, run, onStart, onFinish, stopped, wasRed, isKnown } = request;
  const results: GateResult[] = [];
  let failed = false;
  for (const gate of gates) {
    const idle = { name: gate.name, run: gate.run, exit: null, durationMs: 0, tail: '' };
    if (failed || stopped?.()) {
      results.push({ ...idle, status: 'not-run' });
      continue;
    }
    if (isKnown?.(gate)) {
      const result: GateResult = { ...idle, status: 'green', exit: 0, reused: true };
      results.push(result);
      onFinish?.(result);
      continue;
    }
    onStart?.(gate);
    const made = gateResult(gate, await run(gate));
    const result: GateResult = isRed(made) && wasRed?.(made) ? { ...made, wasRed: true } : made;
    failed = result.status !== 'green' && !result.wasRed;
    results.push(result);
    onFinish?.(result);
  }
  return results;
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
