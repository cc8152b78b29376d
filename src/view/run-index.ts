/**
 * A run as the views need it: the fold of its journal, and a small row per iteration. The journal is read once from its
 * start, and later from where the last read ended; only this index is kept in memory.
 */
import type { Durable, Recorded } from '../events.ts';
import { type JournalPlace, journalBytes, type RalphFolder, storeOf } from '../journal/index.ts';
import type { GateResult, Usage } from '../protocol.ts';
import { advance, fold, type RunState } from '../state.ts';
import type { Failure } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { newRow, type Row, told } from './iteration-row.ts';
import type { ActorView } from './types/common.ts';
import type { MarkView, ReviewView } from './types/plan.ts';
import type { SpanView } from './types/timeline.ts';

export interface RunIndex {
  readonly folder: RalphFolder;
  readonly run: string;
  /** Reads new records; true if the journal grew. */
  refresh(): boolean;
  readonly facts: RunFacts;
}

/** Changed in place by `refresh`. */
export interface RunFacts {
  state: RunState;
  /** Damage of the journal, which is then read only up to it. */
  problem: Failure | undefined;
  /** In the order of their start. */
  readonly rows: Row[];
  /** The index of the newest row with each number. */
  readonly byNumber: Map<number, number>;
  readonly waits: SpanView[];
  readonly pauses: SpanView[];
  readonly reviews: ReviewView[];
  readonly marks: Map<string, MarkView[]>;
  /** By item: the item whose review asked for it. */
  readonly mends: Map<string, string>;
  readonly gates: readonly string[];
  baseline: readonly GateResult[];
  final: readonly GateResult[];
  limits: Readonly<Record<string, number>>;
  pausedBy: ActorView;
  lessons: { gained: Set<string>; retired: Set<string>; shown: Set<string>; counted: boolean };
  /** How far the journal was read. */
  place: JournalPlace | undefined;
}

const NOBODY: ActorView = { who: null, from: null };
/** More of each than anybody looks at. */
const MOST_SPANS = 2_000;
const MOST_MARKS = 200;

export function openRunIndex(folder: RalphFolder, run: string): RunIndex {
  let facts = emptyFacts();
  let size = -1;
  const index: RunIndex = {
    folder,
    run,
    get facts() {
      return facts;
    },
    refresh: () => {
      const bytes = journalBytes(folder, run);
      if (bytes === size) return false;
      // A shorter file is another journal.
      if (bytes < (facts.place?.good ?? 0)) facts = emptyFacts();
      const read = storeOf(folder).readJournal(run, (record, after) => take(facts, record, after), facts.place);
      facts.problem = read.ok ? undefined : read.error;
      size = bytes;
      return true;
    },
  };
  return index;
}

const emptyFacts = (): RunFacts => ({
  state: fold([]),
  problem: undefined,
  rows: [],
  byNumber: new Map(),
  waits: [],
  pauses: [],
  reviews: [],
  marks: new Map(),
  mends: new Map(),
  gates: [],
  baseline: [],
  final: [],
  limits: {},
  pausedBy: NOBODY,
  lessons: { gained: new Set(), retired: new Set(), shown: new Set(), counted: false },
  place: undefined,
});

function take(facts: RunFacts, record: Recorded, after: JournalPlace): void {
  const before = facts.place;
  facts.place = { good: after.good, seq: after.seq, sum: after.sum };
  facts.state = advance(facts.state, record);
  switch (record.type) {
    case 'run.started':
      Object.assign(facts, { gates: record.gates });
      facts.limits = limitsIn(record) ?? facts.limits;
      break;
    case 'run.resumed':
      facts.limits = limitsIn(record) ?? facts.limits;
      endSpans(facts, record.at);
      break;
    case 'baseline':
      facts.baseline = record.gates;
      break;
    case 'final':
      facts.final = record.gates;
      break;
    case 'run.finished':
      endSpans(facts, record.at);
      break;
    case 'wait.started':
      push(facts.waits, { start: record.at, end: null, why: oneLine(record.why, 200) });
      break;
    case 'wait.ended':
      end(facts.waits, record.at);
      break;
    case 'paused':
      push(facts.pauses, { start: record.at, end: null, why: '' });
      facts.pausedBy = actorIn(record);
      break;
    case 'unpaused':
      end(facts.pauses, record.at);
      break;
    case 'iteration.started':
      facts.byNumber.set(record.iteration, facts.rows.push(newRow(record, before, facts.state)) - 1);
      break;
    case 'review.started':
    case 'review.finished':
    case 'review.aborted':
      takeReview(facts, record);
      break;
    case 'item.marked':
    case 'item.retried':
    case 'item.added':
    case 'item.adopted':
      takeMark(facts, record);
      break;
    case 'lessons.shown':
      for (const id of record.ids) facts.lessons.shown.add(id);
      break;
    default:
      takeLessons(facts, record);
      break;
  }
  if ('iteration' in record && record.iteration !== undefined && record.type !== 'iteration.started') {
    const row = facts.rows[facts.byNumber.get(record.iteration) ?? -1];
    if (row) told(row, record);
  }
}

/** Records of newer versions, read by their fields without knowing their type. */
interface Newer {
  readonly type: string;
  readonly limits?: unknown;
  readonly actor?: { readonly via?: unknown; readonly user?: unknown };
  readonly gained?: readonly unknown[];
  readonly retired?: readonly unknown[];
}

function limitsIn(record: Recorded): Readonly<Record<string, number>> | undefined {
  const { limits } = record as Newer;
  if (typeof limits !== 'object' || limits === null) return undefined;
  return Object.fromEntries(
    Object.entries(limits).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

function actorIn(record: Durable): ActorView {
  const { actor } = record as Newer;
  const text = (value: unknown) => (typeof value === 'string' ? oneLine(value, 100) : null);
  return actor ? { who: text(actor.user), from: text(actor.via) } : NOBODY;
}

function takeLessons({ lessons }: RunFacts, record: Recorded): void {
  const { type, gained = [], retired = [] } = record as Newer;
  if (type !== 'lessons.changed') return;
  lessons.counted = true;
  for (const id of gained) lessons.gained.add(String(id));
  for (const id of retired) lessons.retired.add(String(id));
}

type ReviewRecord = Extract<Recorded, { type: 'review.started' | 'review.finished' | 'review.aborted' }>;

function takeReview({ reviews, state }: RunFacts, record: ReviewRecord): void {
  if (record.type === 'review.started') {
    const { review, item, round, at, agent } = record;
    const nothing = { durationMs: 0, costUsd: 0, verdict: 'open', why: '', findings: [], fix: null } as const;
    reviews.push({ review, item, round, n: state.iterations, at, agent, ...nothing });
    return;
  }
  const place = reviews.findLastIndex(({ review }) => review === record.review);
  const known = reviews[place];
  if (!known) return;
  reviews[place] =
    record.type === 'review.aborted'
      ? { ...known, verdict: 'aborted', why: oneLine(record.why, 300), costUsd: record.costUsd }
      : {
          ...known,
          verdict: record.verdict,
          why: oneLine(record.why, 300),
          durationMs: record.durationMs,
          costUsd: record.costUsd,
          findings: record.findings.slice(0, 20).map(finding => ({ ...finding, text: oneLine(finding.text, 500) })),
          fix: record.fix ?? null,
        };
}

type MarkRecord = Extract<Recorded, { type: 'item.marked' | 'item.retried' | 'item.added' | 'item.adopted' }>;

function takeMark({ marks, mends }: RunFacts, record: MarkRecord): void {
  const of = marks.get(record.item) ?? [];
  marks.set(record.item, of);
  if (of.length >= MOST_MARKS) of.shift();
  const common = { at: record.at, actor: actorIn(record) };
  switch (record.type) {
    case 'item.marked':
      of.push({ ...common, what: 'marked', to: record.to, why: oneLine(record.why, 400), by: record.by });
      return;
    case 'item.retried':
      of.push({ ...common, what: 'retried', to: 'pending', why: oneLine(record.hint, 400), by: 'person' });
      return;
    case 'item.added':
      of.push({ ...common, what: 'added', to: 'pending', why: oneLine(record.why, 400), by: 'runner' });
      if (record.mends !== undefined) mends.set(record.item, record.mends);
      return;
    case 'item.adopted':
      of.push({ ...common, what: 'adopted', to: 'done', why: record.commit, by: 'runner' });
  }
}

function push(spans: SpanView[], span: SpanView): void {
  spans.push(span);
  if (spans.length > MOST_SPANS) spans.shift();
}

function end(spans: SpanView[], at: number): void {
  const last = spans.at(-1);
  if (last && last.end === null) spans[spans.length - 1] = { ...last, end: at };
}

function endSpans({ waits, pauses }: RunFacts, at: number): void {
  end(waits, at);
  end(pauses, at);
}

export const tokensIn = ({ inputTokens, cachedTokens }: Usage): number => inputTokens + cachedTokens;
