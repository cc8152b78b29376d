/** The runs of the repository, and the current state of one run. */
import type { GateResult } from '../../protocol.ts';
import type { CommandBody } from './command.ts';
import type {
  ActorView,
  CountsView,
  EndView,
  ErrorView,
  ItemRef,
  LimitsView,
  RunStatus,
  Tape,
  UsageView,
  VerdictRow,
} from './common.ts';
import type { StepView } from './iteration.ts';

/** What the page has to know first. */
export interface MetaView {
  /** The version of this interface; it changes when a field changes its meaning or is removed. */
  readonly api: 1;
  /** The version of the program. */
  readonly version: string;
  /** The name of the repository's folder. */
  readonly repository: string;
  /** Commands are not accepted: the page shows what to type instead. */
  readonly readonly: boolean;
  /** Sent with every command as `X-Ralph-Csrf`; null if commands cannot be sent (`readonly`, or a report file). */
  readonly csrf: string | null;
  /** `report`: one file without a server, and therefore without streams, commands and search over other runs. */
  readonly kind: 'serve' | 'report';
  /** The server's clock, for computing ages. */
  readonly now: number;
}

export interface RunRow {
  /** The id in URLs: the run's own id, with `@<worktree>` if the run is in another worktree of the repository. */
  readonly id: string;
  readonly run: string;
  /** The worktree of the run; null for the served one. */
  readonly worktree: string | null;
  readonly name: string;
  readonly plan: { readonly path: string; readonly format: string };
  readonly branch: string;
  readonly agent: string;
  readonly status: RunStatus;
  readonly isLive: boolean;
  readonly needsPerson: boolean;
  readonly startedAt: number;
  readonly lastAt: number;
  /** Time of work: without waits, pauses, and the gaps between a stop and a resume. */
  readonly activeMs: number;
  readonly counts: CountsView;
  readonly iterations: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly costUsd: number;
  readonly usage: UsageView;
  /** At most 200 letters; with more iterations, each letter is the worst of `tapeScale` neighbours. */
  readonly tape: Tape;
  readonly tapeScale: number;
  readonly finished: EndView | null;
  /** Why its journal cannot be read, or where it is damaged. */
  readonly problem: ErrorView | null;
}

export interface RunsView {
  /** Live runs first, then the most recently active. */
  readonly runs: readonly RunRow[];
  /** What to type if there is no run yet. */
  readonly startCommand: string;
}

export type PhaseName = 'brief' | 'agent' | 'guards' | 'gates' | 'proof' | 'verdict';

/** One cell of the phase bar. */
export interface PhaseView {
  readonly name: PhaseName;
  readonly state: 'done' | 'now' | 'later';
}

/** What one worker is doing now: an agent on an item, or a reviewer. */
export interface WorkView {
  readonly kind: 'iteration' | 'review';
  /** In a run with several workers, the number from 1. */
  readonly worker: number | null;
  /** The number of the iteration or of the review. */
  readonly n: number;
  readonly item: string;
  readonly title: string;
  /** For a review: its round. */
  readonly attempt: number;
  readonly agent: string;
  readonly since: number;
  readonly phases: readonly PhaseView[];
  /** The gate that is running. */
  readonly gate: { readonly name: string; readonly phase: string; readonly since: number } | null;
  /** When the agent last printed anything: its silence counts against `limits.idleMs`. */
  readonly heardAt: number | null;
  /** Used so far; added to the run's cost when the agent has ended. */
  readonly spent: { readonly usage: UsageView; readonly costUsd: number } | null;
  /** The newest steps, at most 40, oldest first. */
  readonly steps: readonly StepView[];
}

export interface NeedView {
  readonly kind:
    | 'blocked'
    | 'question'
    | 'review'
    | 'agent-unavailable'
    | 'stuck'
    | 'limit'
    | 'cut-off'
    | 'failed'
    | 'damaged';
  readonly item: ItemRef | null;
  /** The iteration to look at. */
  readonly n: number | null;
  readonly text: string;
  readonly at: number;
  /** What to type. */
  readonly command: string;
}

/** A control: what it does in words, what to type instead, and what to send. */
export interface ControlView {
  readonly type: CommandBody['type'];
  readonly label: string;
  readonly effect: string;
  readonly command: string;
  readonly enabled: boolean;
  /** Why it is not available, if it is not. */
  readonly why: string | null;
}

/** The view Now, and the frame of every other view of a run. */
export interface RunView extends RunRow {
  /** The whole state in one sentence. */
  readonly sentence: string;
  /** The cursor after this view, for the event stream: `GET .../stream?after=<cursor>`. */
  readonly cursor: string;
  readonly now: number;
  readonly base: string;
  readonly from: string | null;
  readonly sandbox: string | null;
  readonly gates: readonly string[];
  readonly limits: LimitsView;
  /** Cost per proven item times the items that can still be done; only an estimate. */
  readonly projection: {
    readonly costUsd: number;
    readonly items: number;
    readonly perItemUsd: number;
  } | null;
  readonly work: readonly WorkView[];
  readonly waiting: {
    readonly since: number;
    readonly until: number;
    readonly why: string;
    readonly announced: boolean;
  } | null;
  readonly paused: { readonly since: number; readonly by: ActorView } | null;
  /** Newest first, at most 10. */
  readonly last: readonly VerdictRow[];
  readonly needs: readonly NeedView[];
  /** The next items, at most 5. */
  readonly next: readonly ItemRef[];
  readonly steering: readonly string[];
  readonly baseline: readonly GateResult[];
  readonly final: readonly GateResult[];
  /** Recent messages of the runner that its journal does not keep. */
  readonly notices: readonly { readonly at: number; readonly level: 'info' | 'warn'; readonly message: string }[];
  readonly controls: readonly ControlView[];
  /** What to type next, where nobody works on it: to merge what is complete and not merged yet, else to continue. */
  readonly nextCommand: string | null;
  /** Of all iterations, at most 2,000 letters. */
  readonly fullTape: { readonly tape: Tape; readonly scale: number };
}
