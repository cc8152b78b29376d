/** What is cached of each iteration: enough for every list and plot. Its texts are read again when it is opened. */
import type { Recorded } from '../events.ts';
import type { JournalPlace } from '../journal/index.ts';
import type { Evidence, Usage } from '../protocol.ts';
import { verdictReason } from '../report/index.ts';
import { noUsage, type RunState } from '../state.ts';
import { oneLine } from '../util/show.ts';
import type { VerdictRow, VerdictWord } from './types/common.ts';

export interface Row {
  readonly n: number;
  readonly item: string;
  readonly title: string;
  readonly attempt: number;
  readonly try: number;
  readonly worker: number;
  readonly agent: string;
  readonly start: number;
  /** The position just before its first record. */
  readonly place: JournalPlace | undefined;
  verdict: VerdictWord;
  reason: string | null;
  why: string;
  /** When its verdict or its end was recorded. */
  at: number;
  agentMs: number;
  agentEnd: number;
  gates: readonly { readonly name: string; readonly ms: number }[];
  gatesMs: number;
  proofMs: number;
  /** From the record itself, or else the time between the gates and the evidence. */
  durationMs: number;
  usage: Usage;
  costUsd: number;
  commit: string | null;
  ref: string | null;
  /** What the runner is doing, for the phase bar. */
  step: 'brief' | 'agent' | 'checks' | 'verdict' | 'over';
}

type Started = Extract<Recorded, { type: 'iteration.started' }>;

export function newRow(record: Started, place: JournalPlace | undefined, { agent }: RunState): Row {
  return {
    n: record.iteration,
    item: record.item,
    title: oneLine(record.title, 200),
    attempt: record.attempt,
    try: record.try,
    worker: record.worker ?? 0,
    agent: record.agent ?? agent,
    start: record.at,
    place,
    verdict: 'open',
    reason: null,
    why: '',
    at: record.at,
    agentMs: 0,
    agentEnd: 0,
    gates: [],
    gatesMs: 0,
    proofMs: 0,
    durationMs: 0,
    usage: noUsage,
    costUsd: 0,
    commit: null,
    ref: null,
    step: 'brief',
  };
}

/** Updates the row with a later record of the same iteration. */
export function told(row: Row, record: Recorded): void {
  switch (record.type) {
    case 'agent.started':
      row.step = 'agent';
      return;
    case 'agent.finished':
      row.agentMs = record.end.durationMs;
      row.agentEnd = record.at;
      row.usage = record.usage;
      row.costUsd = record.costUsd;
      row.step = 'checks';
      return;
    case 'evidence':
      row.gates = [...record.evidence.verify, ...record.evidence.gates].map(gate => ({
        name: gate.name,
        ms: gate.status === 'not-run' || gate.reused ? -1 : gate.durationMs,
      }));
      row.gatesMs = row.gates.reduce((sum, { ms }) => sum + Math.max(0, ms), 0);
      row.proofMs = proofTime(record.evidence) ?? 0;
      row.step = 'verdict';
      return;
    case 'verdict':
      row.verdict = record.verdict.type;
      row.reason = record.verdict.type === 'rejected' ? record.verdict.reason : null;
      row.why = oneLine(verdictReason(record.verdict), 300);
      row.at = record.at;
      return;
    case 'iteration.finished':
      row.verdict = record.verdict;
      row.commit = record.commit ?? null;
      row.ref = record.ref ?? null;
      row.durationMs = record.durationMs;
      row.at = record.at;
      row.step = 'over';
      return;
    case 'iteration.aborted':
      row.verdict = 'aborted';
      row.why = oneLine(record.why, 300);
      row.ref = record.ref ?? null;
      row.durationMs = record.at - row.start;
      row.at = record.at;
      row.step = 'over';
      return;
    default:
      return;
  }
}

/** How long proofs took; undefined if nothing was run for them. */
export function proofTime({ proof, trials }: Evidence): number | undefined {
  const { wallMs } = (trials ?? {}) as { readonly wallMs?: unknown };
  const { durationMs } = (proof ?? {}) as { readonly durationMs?: unknown };
  if (typeof durationMs === 'number') return durationMs;
  if (typeof wallMs === 'number') return wallMs;
  return trials?.durationMs;
}

export const verdictRow = (row: Row): VerdictRow => ({
  n: row.n,
  item: row.item,
  title: row.title,
  attempt: row.attempt,
  verdict: row.verdict,
  reason: row.reason,
  why: row.why,
  at: row.at,
  durationMs: row.durationMs,
  costUsd: row.costUsd,
  commit: row.commit,
  ref: row.ref,
});
