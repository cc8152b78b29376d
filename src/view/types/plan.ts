/** The plan of a run: every item with what the run knows about it. */
import type { ActorView, CountsView, ErrorView, ItemRef, ItemStand, Tape, VerdictRow } from './common.ts';

export interface ItemView {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStand;
  /** Why it is blocked, skipped or held, or why it was refused last. */
  readonly why: string;
  readonly dependsOn: readonly string[];
  /** The dependencies that are not done. */
  readonly heldBy: readonly string[];
  readonly priority: number | null;
  /** Its position in a plan that is not a list. */
  readonly cell: CellView | null;
  /** Iterations that ended with a verdict on the work, plus the current one. */
  readonly attempts: number;
  /** One letter per iteration on it. */
  readonly tape: Tape;
  /** Its newest iteration. */
  readonly lastIteration: number | null;
  readonly durationMs: number;
  readonly costUsd: number;
  readonly commit: string | null;
  /** Accepted without a claim. */
  readonly settled: boolean;
  readonly review: {
    readonly verdict: 'pass' | 'needs-fix' | 'unclear';
    readonly rounds: number;
    readonly findings: number;
  } | null;
  /** The item whose review asked for this one. */
  readonly mends: string | null;
  /** What to type to have it tried again; null where it is done. */
  readonly retryCommand: string | null;
  /** 1-based, in the plan's file. */
  readonly line: number;
}

/** A cell of a sprint: `column` is the phase, `row` the step, `part` the sub-phase. */
export interface CellView {
  readonly column: string;
  readonly row: string;
  readonly part: string;
}

export interface ItemsView {
  readonly sentence: string;
  readonly counts: CountsView;
  readonly shape: 'list' | 'sprint' | 'groups';
  /** The columns of a sprint or a groups plan, in order. */
  readonly columns: readonly string[];
  /** How many items match the query; `rows` are those from `from` on, at most 1,000. */
  readonly matching: number;
  readonly from: number;
  readonly rows: readonly ItemView[];
  /** Set if the plan's file cannot be read or is another plan: then the rows come from the journal alone. */
  readonly problem: ErrorView | null;
}

/** A person's decision about an item. */
export interface MarkView {
  readonly at: number;
  readonly what: 'marked' | 'retried' | 'added' | 'adopted';
  readonly to: string;
  readonly why: string;
  readonly by: 'person' | 'runner';
  readonly actor: ActorView;
}

export interface ItemDetailView extends ItemView {
  readonly body: string;
  readonly criteria: readonly string[];
  readonly verify: readonly string[];
  readonly allow: readonly string[];
  /** Oldest first. */
  readonly iterations: readonly VerdictRow[];
  readonly reviews: readonly ReviewView[];
  readonly marks: readonly MarkView[];
  readonly before: readonly ItemRef[];
  readonly after: readonly ItemRef[];
}

export interface ReviewView {
  readonly review: number;
  readonly item: string;
  readonly round: number;
  /** The iteration before it. */
  readonly n: number;
  readonly at: number;
  readonly agent: string;
  readonly durationMs: number;
  readonly costUsd: number;
  readonly verdict: 'pass' | 'needs-fix' | 'unclear' | 'aborted' | 'open';
  readonly why: string;
  readonly findings: readonly {
    readonly severity: 'high' | 'medium' | 'low';
    readonly text: string;
    readonly file?: string;
    readonly line?: number;
  }[];
  /** The item that is to fix it. */
  readonly fix: string | null;
}
