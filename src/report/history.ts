/** The iterations of a journal, for the report: the essential facts of each, without long texts. */
import type { Durable, Recorded } from '../events.ts';
import type { Claim, Finding, GateResult, Leftover, Proof, Usage, Verdict } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { tailOf } from '../util/bounded.ts';
import type { EndFacts } from './sentences.ts';

export interface Attempt {
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly end?: EndFacts;
  readonly claim?: Claim;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly durationMs: number;
  readonly verdict?: Verdict;
  readonly changes?: { readonly files: number; readonly added: number; readonly deleted: number };
  readonly findings: readonly Finding[];
  readonly gates: readonly GateResult[];
  readonly verify: readonly GateResult[];
  readonly proof?: Proof;
  readonly restored: readonly string[];
  readonly leftovers: readonly Leftover[];
  /** Processes that started meanwhile and whose owner is unknown. */
  readonly strangers: readonly Leftover[];
  readonly droppedBytes: number;
  readonly commit?: string;
  readonly ref?: string;
  /** Why the iteration was cut off, if it never finished. */
  readonly aborted?: string;
  /** How many times in a row its runner has died, if the item may be the cause. */
  readonly death?: number;
}

/** One review that ended with an answer, whether the answer could be parsed or not. */
export type ReviewRow = Omit<Extract<Durable, { type: 'review.finished' }>, 'type' | 'usage'>;

export interface History {
  readonly attempts: readonly Attempt[];
  readonly reviews: readonly ReviewRow[];
  readonly adopted: readonly { readonly item: string; readonly commit: string }[];
  /** Items that a person marked as needing no more work. */
  readonly byHand: readonly { readonly item: string; readonly to: string; readonly why: string }[];
  readonly baseline: readonly GateResult[];
  readonly final: readonly GateResult[];
  /** All models that did the work, in the order of their first iteration. */
  readonly models: readonly string[];
}

/** Findings kept per attempt: a change of ten thousand files must not fill the memory. */
const KEPT = 10;
const WORDS = 500;
const TAIL = 800;

export function history(records: Iterable<Recorded>): History {
  const attempts: Attempt[] = [];
  const reviews: ReviewRow[] = [];
  const adopted: { item: string; commit: string }[] = [];
  const byHand: History['byHand'][number][] = [];
  let [baseline, final]: (readonly GateResult[])[] = [[], []];
  const models = new Set<string>();
  // A number is reused after an iteration that was cut off, so the newest one counts.
  const places = new Map<number, number>();
  const add = (iteration: number, facts: (attempt: Attempt) => Partial<Attempt>) => {
    const place = places.get(iteration);
    const attempt = place === undefined ? undefined : attempts[place];
    if (place !== undefined && attempt) attempts[place] = { ...attempt, ...facts(attempt) };
  };
  for (const record of records) {
    if (record.type === 'agent.finished' && record.model) models.add(record.model);
    switch (record.type) {
      case 'iteration.started':
        places.set(record.iteration, attempts.push(newAttempt(record)) - 1);
        break;
      case 'plan.restored':
        add(record.iteration, ({ restored }) => ({ restored: [...restored, ...editsOf(record)] }));
        break;
      case 'agent.finished':
      case 'evidence':
      case 'verdict':
      case 'iteration.finished':
      case 'iteration.aborted':
        add(record.iteration, () => factsOf(record));
        break;
      case 'item.adopted':
        adopted.push({ item: record.item, commit: record.commit });
        break;
      case 'item.marked':
        if (record.by === 'person' && (record.to === 'done' || record.to === 'skipped')) {
          byHand.push({ item: record.item, to: record.to, why: short(record.why) });
        }
        break;
      case 'review.finished':
        reviews.push(slimReview(record));
        break;
      case 'baseline':
        baseline = record.gates.map(slimGate);
        break;
      case 'final':
        final = record.gates.map(slimGate);
        break;
      default:
        break;
    }
  }
  return {
    attempts,
    reviews,
    adopted,
    byHand,
    baseline: baseline ?? [],
    final: final ?? [],
    models: [...models],
  };
}

type Restored = Extract<Durable, { type: 'plan.restored' }>;

const editsOf = ({ edits }: Restored): readonly string[] => edits.slice(0, KEPT).map(edit => short(edit));

function slimReview(record: Extract<Durable, { type: 'review.finished' }>): ReviewRow {
  const { review, item, round, verdict, fix, costUsd, durationMs } = record;
  return {
    review,
    item,
    round,
    verdict,
    findings: record.findings.slice(0, KEPT).map(finding => ({ ...finding, text: short(finding.text) })),
    why: short(record.why),
    undone: record.undone.slice(0, KEPT).map(what => short(what)),
    costUsd,
    durationMs,
    ...(fix === undefined ? {} : { fix }),
  };
}

function newAttempt(record: Extract<Durable, { type: 'iteration.started' }>): Attempt {
  const { iteration, item, attempt } = record;
  const nothing = { findings: [], gates: [], verify: [], restored: [], leftovers: [], strangers: [] };
  return { iteration, item, attempt, usage: noUsage, costUsd: 0, durationMs: 0, droppedBytes: 0, ...nothing };
}

function factsOf(record: Durable): Partial<Attempt> {
  switch (record.type) {
    case 'agent.finished': {
      const { leftovers, strangers = [], droppedBytes, ...end } = record.end;
      const { claim, usage, costUsd } = record;
      return {
        end,
        claim: claim.type === 'blocked' ? { ...claim, why: short(claim.why) } : claim,
        usage,
        costUsd,
        leftovers: leftovers.slice(0, KEPT).map(left => ({ ...left, command: short(left.command) })),
        strangers: strangers.slice(0, KEPT).map(left => ({ ...left, command: short(left.command) })),
        droppedBytes,
      };
    }
    case 'evidence': {
      const { changed, files, added, deleted, findings, gates, verify, proof } = record.evidence;
      return {
        changes: changed ? { files, added, deleted } : { files: 0, added: 0, deleted: 0 },
        findings: findings
          .filter(finding => finding.level !== 'note')
          .slice(0, KEPT)
          .map(slimFinding),
        gates: gates.map(slimGate),
        verify: verify.map(slimGate),
        ...(proof && { proof }),
      };
    }
    case 'verdict':
      return { verdict: slimVerdict(record.verdict) };
    case 'iteration.finished': {
      const { commit, ref, durationMs } = record;
      return { durationMs, ...(commit === undefined ? {} : { commit }), ...(ref === undefined ? {} : { ref }) };
    }
    case 'iteration.aborted':
      return {
        aborted: short(record.why),
        ...(record.ref === undefined ? {} : { ref: record.ref }),
        ...(record.death === undefined ? {} : { death: record.death }),
      };
    default:
      return {};
  }
}

/** A copy: a slice would keep the whole original string alive. */
function short(text: string, limit = WORDS): string {
  return text.length <= limit ? text : Buffer.from(text.slice(0, limit)).toString();
}

function slimVerdict(verdict: Verdict): Verdict {
  const why = short(verdict.why);
  // The feedback was for the next brief; its facts are already in the gates.
  if (verdict.type === 'rejected') return { ...verdict, why, feedback: '', signature: '' };
  if (verdict.type !== 'retry') return { ...verdict, why };
  return { ...verdict, why, failure: { ...verdict.failure, message: short(verdict.failure.message) } };
}

function slimFinding(finding: Finding): Finding {
  const slim = { ...finding, rule: short(finding.rule), message: short(finding.message) };
  return finding.path === undefined ? slim : { ...slim, path: short(finding.path) };
}

/** Only a failed gate keeps the end of its output. */
function slimGate(gate: GateResult): GateResult {
  const failed = gate.status === 'red' || gate.status === 'timeout';
  const tail = failed ? short(tailOf(gate.tail.slice(-4 * TAIL), TAIL), 2 * TAIL) : '';
  return { ...gate, name: short(gate.name), run: '', tail: Buffer.from(tail).toString() };
}
