/**
 * Gates and proofs as spans. The journal knows how long each took and when the last was over, so they are laid end to end
 * before that moment; none begins before what it looks at was there.
 */

import type { Evidence, GateResult } from '../protocol.ts';
import { isRed } from '../util/same-failure.ts';
import { type Attributes, type Span, spanId } from './span.ts';

interface Place {
  readonly trace: string;
  readonly parent: string;
  /** Of what they belong to. */
  readonly attributes: Attributes;
  readonly end: number;
}

export function gateSpans({
  trace,
  parent,
  attributes,
  gates,
  end,
  since,
}: Place & {
  readonly gates: readonly { readonly gate: GateResult; readonly phase: string }[];
  readonly since: number;
}): readonly Span[] {
  let at = Math.max(since, end - gates.reduce((sum, { gate }) => sum + gate.durationMs, 0));
  return gates.map(({ gate, phase }, nth) => {
    const start = at;
    at = Math.min(end, at + gate.durationMs);
    const tests = typeof gate.tests === 'object' ? gate.tests : undefined;
    return {
      trace,
      id: spanId(trace, 'gate', parent, phase, nth, end),
      parent,
      name: 'ralph.gate',
      start,
      end: Math.max(start, at),
      attributes: {
        ...attributes,
        'ralph.gate.name': gate.name,
        'ralph.gate.phase': phase,
        'ralph.gate.status': gate.status,
        'ralph.gate.reused': gate.reused,
        'ralph.gate.was_red': gate.wasRed,
        'process.exit.code': gate.exit ?? undefined,
        'ralph.tests.executed': tests?.executed,
        'ralph.tests.failed': tests?.failed,
        'error.type': isRed(gate) ? gate.status : undefined,
      },
      ...(isRed(gate) ? { error: `${gate.name} is ${gate.status}` } : {}),
    };
  });
}

/** Undefined where nothing was run for a proof. */
export function proofSpan({
  trace,
  parent,
  attributes,
  evidence: { trials, proof },
  end,
}: Place & { readonly evidence: Evidence }): Span | undefined {
  if (!trials) return undefined;
  const { runs, durationMs, why, wallMs = durationMs } = trials;
  return {
    trace,
    id: spanId(trace, 'proof', parent, end),
    parent,
    name: 'ralph.proof',
    start: end - wallMs,
    end,
    attributes: {
      ...attributes,
      'ralph.proof.runs': runs,
      'ralph.proof.what': why,
      'ralph.proof.tests': proof?.tests.length,
      'ralph.proof.proven': proof?.tests.filter(test => test.proof === 'proven').length,
      'ralph.proof.mutants': proof?.mutants.length,
      'ralph.proof.noticed': proof?.mutants.filter(mutant => mutant.noticed).length,
    },
  };
}
