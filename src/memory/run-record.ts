/** A run as its archive keeps it for programs: items, attempts, verdicts and reasons, time, tokens, cost, lessons. */
import type { Recorded } from '../events.ts';
import type { Evidence, ItemStatus, Usage, Verdict } from '../protocol.ts';
import { advance, effectiveStatus, fold, itemOf, noUsage } from '../state.ts';
import { oneLine } from '../util/show.ts';
import { concerns, failureOf } from './failures.ts';
import type { SaidLesson } from './lesson.ts';
import { addCounts, type Counts, noCounts } from './track-record.ts';

/** One iteration that came to a verdict. */
export interface ArchivedAttempt {
  readonly iteration: number;
  readonly attempt: number;
  readonly verdict: Verdict['type'];
  readonly at: number;
  readonly reason?: string;
  readonly why?: string;
  /** The same trouble has the same words here, whichever item and run it came in. */
  readonly failure?: string;
  /** One telling line of the output that failed. */
  readonly line?: string;
  /** Files it changed. */
  readonly paths: readonly string[];
  readonly durationMs: number;
  readonly usage: Usage;
  readonly costUsd: number;
  /** Ids of lessons in its brief, and of those its agent said it used. */
  readonly shown: readonly string[];
  readonly used: readonly string[];
}

export interface ArchivedItem {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStatus;
  readonly why: string;
  readonly commit?: string;
  readonly attempts: readonly ArchivedAttempt[];
}

export interface RunRecord {
  readonly version: 1;
  readonly run: string;
  readonly plan: { readonly path: string; readonly format: string; readonly name: string };
  readonly branch: string;
  readonly agent: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly reason: string;
  readonly why: string;
  readonly activeMs: number;
  readonly iterations: number;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly items: readonly ArchivedItem[];
  /** How long its journal was then: one that is longer now belongs to a run that continued. */
  readonly journalBytes?: number;
  readonly lessons: {
    /** What became of the lessons that were shown, by id. */
    readonly shown: Readonly<Record<string, Counts>>;
    readonly born: readonly (SaidLesson & { readonly id: string; readonly from: readonly string[] })[];
    /** Ids of those that went in this run; archives of older versions do not say. */
    readonly retired?: readonly string[];
  };
}

export interface RunRecordOptions {
  readonly records: Iterable<Recorded>;
  /** The files an iteration changed, where that is known. */
  readonly footprint?: (iteration: number) => readonly string[];
  /** The plan's items as they stand now; without them only those that were worked on are known. */
  readonly items?: readonly { readonly id: string; readonly title: string; readonly status: ItemStatus }[];
  readonly born?: RunRecord['lessons']['born'];
  /** What a lesson says; without it only cited ones are charged for a failure. */
  readonly textOf?: (id: string) => string;
  readonly journalBytes?: number;
}

const WHY = 300;
const PATHS = 40;

export function runRecord(options: RunRecordOptions): RunRecord {
  const { records, footprint = () => [], items = [], born = [], textOf = () => '', journalBytes } = options;
  // Once through, keeping what is told below: all records of a long run do not fit into memory.
  let state = fold([]);
  const attempts = new Attempts(footprint);
  const retired = new Set<string>();
  for (const record of records) {
    state = advance(state, record);
    attempts.see(record);
    if (record.type === 'lessons.changed') for (const id of record.retired) retired.add(id);
  }
  const { byItem } = attempts;
  const planned = new Map(items.map(item => [item.id, item]));
  const ids = new Set([...planned.keys(), ...state.items.keys()]);
  return {
    version: 1,
    run: state.run,
    plan: state.plan,
    branch: state.branch,
    agent: state.agent,
    startedAt: state.startedAt,
    finishedAt: state.finished?.at ?? state.lastAt,
    reason: state.finished?.reason ?? 'unfinished',
    why: oneLine(state.finished?.why ?? '', WHY),
    activeMs: state.activeMs,
    iterations: state.iterations,
    usage: state.usage,
    costUsd: state.costUsd,
    items: [...ids].map(id => {
      const known = itemOf(state, id);
      return {
        id,
        title: oneLine(planned.get(id)?.title ?? known.title, 200),
        status: effectiveStatus(planned.get(id)?.status ?? 'pending', known),
        why: oneLine(known.why, WHY),
        ...(known.commit === undefined ? {} : { commit: known.commit }),
        attempts: byItem.get(id) ?? [],
      };
    }),
    ...(journalBytes === undefined ? {} : { journalBytes }),
    lessons: { shown: countsOf([...byItem.values()].flat(), textOf), born, retired: [...retired] },
  };
}

/** What became of each lesson that these attempts were shown. */
function countsOf(
  attempts: readonly ArchivedAttempt[],
  textOf: (id: string) => string,
): Readonly<Record<string, Counts>> {
  const counts: Record<string, Counts> = {};
  for (const attempt of attempts) {
    for (const id of attempt.shown)
      counts[id] = addCounts(counts[id] ?? noCounts, countOf(attempt, { id, text: textOf(id) }));
  }
  return counts;
}

/** A missing claim, a limit or a crash says nothing about any lesson; a failure only about those it concerns. */
export function countOf(
  { verdict, used, at, line }: Pick<ArchivedAttempt, 'verdict' | 'used' | 'at' | 'line'>,
  { id, text }: { readonly id: string; readonly text: string },
): Counts {
  const won = verdict === 'accepted' || verdict === 'progress';
  const cited = used.includes(id);
  const failed = verdict === 'rejected' && line !== undefined;
  return {
    shown: 1,
    used: Number(cited),
    won: Number(won),
    lost: Number(failed && (cited || concerns(line, text))),
    failed: Number(failed && cited),
    lastWon: won && cited ? at : 0,
  };
}

type Open = { -readonly [K in keyof ArchivedAttempt]: ArchivedAttempt[K] } & { item: string; evidence?: Evidence };

/** Iterations with a verdict, by item and in their order; one that was cut off has none, and its number is used again. */
class Attempts {
  readonly byItem = new Map<string, ArchivedAttempt[]>();
  readonly #footprint: (iteration: number) => readonly string[];
  // Shown before its iteration starts or after it: both are in order.
  readonly #shown = new Map<number, readonly string[]>();
  readonly #used = new Map<number, readonly string[]>();
  readonly #open = new Map<number, Open>();

  constructor(footprint: (iteration: number) => readonly string[]) {
    this.#footprint = footprint;
  }

  see(record: Recorded): void {
    switch (record.type) {
      case 'lessons.shown':
        this.#shown.set(record.iteration, record.ids);
        break;
      case 'lessons.said':
        this.#used.set(record.iteration, record.used);
        break;
      case 'iteration.started': {
        const { iteration, item, attempt } = record;
        const nothing = { paths: [], durationMs: 0, usage: noUsage, costUsd: 0, shown: [], used: [] };
        this.#open.set(iteration, { iteration, item, attempt, verdict: 'retry', at: record.at, ...nothing });
        break;
      }
      case 'agent.finished':
        Object.assign(this.#open.get(record.iteration) ?? {}, { usage: record.usage, costUsd: record.costUsd });
        break;
      case 'evidence':
        Object.assign(this.#open.get(record.iteration) ?? {}, { evidence: record.evidence });
        break;
      case 'verdict': {
        const known = this.#open.get(record.iteration);
        if (known) Object.assign(known, verdictFacts(record.verdict, known.evidence), { at: record.at });
        break;
      }
      case 'iteration.finished':
        this.#finish(record.iteration, record.durationMs);
        break;
      case 'iteration.aborted':
        this.#open.delete(record.iteration);
        break;
      default:
        break;
    }
  }

  #finish(iteration: number, durationMs: number): void {
    const known = this.#open.get(iteration);
    if (!known) return;
    const { evidence: _, item, ...facts } = known;
    const attempt = {
      ...facts,
      durationMs,
      paths: this.#footprint(iteration).slice(0, PATHS),
      shown: this.#shown.get(iteration) ?? [],
      used: this.#used.get(iteration) ?? [],
    };
    const before = this.byItem.get(item);
    if (before) before.push(attempt);
    else this.byItem.set(item, [attempt]);
    this.#open.delete(iteration);
  }
}

function verdictFacts(verdict: Verdict, evidence: Evidence | undefined): Partial<ArchivedAttempt> {
  if (verdict.type === 'accepted' || verdict.type === 'progress') return { verdict: verdict.type };
  const why = { verdict: verdict.type, why: oneLine(verdict.why, WHY) };
  if (verdict.type !== 'rejected') return why;
  return { ...why, reason: verdict.reason, ...failureOf(verdict, evidence) };
}
