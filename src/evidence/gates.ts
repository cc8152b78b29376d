/** Runs the user's commands one after the other and stops at the first that is not green. */
import type { Gate, GateResult, ProcessEnd } from '../protocol.ts';
import { tailOf } from '../util/bounded.ts';

export interface GateRun {
  readonly gates: readonly Gate[];
  readonly run: (gate: Gate) => Promise<ProcessEnd>;
  readonly onStart?: (gate: Gate) => void;
  readonly onFinish?: (result: GateResult) => void;
  readonly stopped?: () => boolean;
}

const TAIL_CHARS = 4000;

export async function runGates({ gates, run, onStart, onFinish, stopped }: GateRun): Promise<readonly GateResult[]> {
  const results: GateResult[] = [];
  let failed = false;
  for (const gate of gates) {
    if (failed || stopped?.()) {
      results.push({ name: gate.name, run: gate.run, status: 'not-run', exit: null, durationMs: 0, tail: '' });
      continue;
    }
    onStart?.(gate);
    const result = gateResult(gate, await run(gate));
    failed = result.status !== 'green';
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
