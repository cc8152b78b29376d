/**
 * Everything that can happen in a run, as one union. The durable events are the records of the journal; the others are only shown. The
 * terminal, `--json`, the log and the report consume this stream; the loop never asks them anything. One long file, because it is one
 * list: an author of a new event sees all the others.
 */
import type {
  Actor,
  AgentFailure,
  AgentSignal,
  Claim,
  Evidence,
  GateResult,
  InnerTrees,
  ItemStatus,
  ProcessEnd,
  ProcessId,
  ReviewFinding,
  ReviewVerdict,
  Runner,
  UnknownEvent,
  Usage,
  Verdict,
} from './protocol.ts';

/** Why a run ended; `describeStop` turns each into a sentence and `exitCode` into a number. */
export type StopReason =
  | 'complete'
  | 'iterations'
  | 'time'
  | 'cost'
  | 'deadline'
  | 'fruitless'
  | 'once'
  | 'stop-requested'
  | 'blocked'
  /** Something outside the items is in the way: a push that fails, packages that cannot be installed, final gates that stay red. */
  | 'halted'
  | 'review'
  | 'agent-unavailable'
  /** The agent cannot start with its current settings (model, flag, version, program): no work was done and no attempt is charged. */
  | 'agent-unusable'
  | 'interrupted'
  | 'terminated'
  | 'failed';

/** The limits that applied to one process of a run; a missing limit means unlimited. */
export interface RunLimits {
  readonly iterations?: number;
  readonly timeMs?: number;
  readonly iterationMs?: number;
  readonly idleMs?: number;
  readonly attempts?: number;
  readonly stuck?: number;
  readonly fruitless?: number;
  readonly costUsd?: number;
  readonly softCostUsd?: number;
  /** When the run had to end, in epoch milliseconds. */
  readonly deadline?: number;
}

interface IterationKey {
  /** The number of the worker; missing in a run with a single worker. */
  readonly worker?: number;
  readonly iteration: number;
  readonly item: string;
}

interface ReviewKey {
  readonly worker?: number;
  /** Number of the review, counted within the run. */
  readonly review: number;
  readonly item: string;
}

/** The events that the journal keeps. The state of a run is the fold of these. */
export type Durable =
  | {
      readonly type: 'run.started';
      readonly run: string;
      readonly plan: { readonly path: string; readonly format: string; readonly name: string };
      readonly branch: string;
      readonly base: string;
      /** Where the agent works: the repository itself, or the run's own worktree. */
      readonly workspace: string;
      readonly agent: string;
      readonly gates: readonly string[];
      /** What confines agents and gates: `bwrap`, `docker`, `seatbelt` or `none`. */
      readonly sandbox?: string;
      /** Set only if the plan is a text and not a file (`ralph run "text"`). */
      readonly promptText?: string;
      /** The command of `--until`. A resumed run has it too, unless it is given another one. */
      readonly until?: string;
      /** The plan named in the config, empty if there is none. If the config names another plan later, that one is meant. */
      readonly configured?: string;
      /** The branch that the person was on when the run's branch was created from it. */
      readonly from?: string;
      /** The process that executes the run; found here even if its lock was deleted. */
      readonly runner?: Runner;
      /** Items that the plan already marked as done or skipped when the run started. */
      readonly given?: readonly string[];
      readonly limits?: RunLimits;
    }
  | {
      readonly type: 'run.resumed';
      readonly base: string;
      readonly until?: string;
      readonly configured?: string;
      readonly sandbox?: string;
      readonly runner?: Runner;
      readonly limits?: RunLimits;
    }
  /**
   * The commit that several workers start from, if the branch has commits that the run did not make: a person's, or the plan's first
   * version.
   */
  | { readonly type: 'branch.taken'; readonly commit: string }
  | { readonly type: 'baseline'; readonly tree: string; readonly gates: readonly GateResult[] }
  /** Written before the agent starts. `base` is the commit, `tree` the content of the work tree. */
  | (IterationKey & {
      readonly type: 'iteration.started';
      readonly title: string;
      readonly attempt: number;
      readonly try: number;
      readonly base: string;
      readonly tree: string;
      /** Set in the agent's environment, so that its processes can be found after a crash. */
      readonly lease: string;
      /** At least one of the item's own checks failed before its first attempt. */
      readonly verifyWasRed?: boolean;
      /** Checks of the item that could not be started before the first attempt: a mistake in the plan. */
      readonly unstartable?: readonly string[];
      /** The agent that works, if it is not the run's first agent. */
      readonly agent?: string;
      /** What is in submodules, by path: the commit that `tree` names, and the tree of the files. */
      readonly inner?: InnerTrees;
    })
  /** The lessons contained in the brief. */
  | (IterationKey & { readonly type: 'lessons.shown'; readonly ids: readonly string[] })
  | (IterationKey & { readonly type: 'agent.started'; readonly process: ProcessId })
  | (IterationKey & {
      readonly type: 'agent.finished';
      readonly end: Pick<
        ProcessEnd,
        'reason' | 'code' | 'signal' | 'durationMs' | 'leftovers' | 'strangers' | 'droppedBytes'
      >;
      readonly claim: Claim;
      readonly usage: Usage;
      readonly costUsd: number;
      /** The cost is computed from tokens and a price table, because the agent reported none. */
      readonly priced?: true;
      readonly billing?: 'billed' | 'notional';
      /** The model that did the work: as the agent reports it, otherwise as configured. */
      readonly model?: string;
      readonly failure?: AgentFailure;
      /** Events in the agent's stream that this version does not know, counted by type. */
      readonly unknown?: readonly UnknownEvent[];
    })
  /** Lessons in the agent's final message, and the ids of lessons it says it used; the parser bounds both. */
  | (IterationKey & {
      readonly type: 'lessons.said';
      readonly lessons: readonly { readonly kind: 'pattern' | 'gotcha' | 'fact'; readonly text: string }[];
      readonly used: readonly string[];
    })
  /** Lessons that were added or retired, and where the change came from: the run, old archives and notes, or a person. */
  | {
      readonly type: 'lessons.changed';
      readonly from: 'run' | 'archives' | 'person';
      readonly gained: readonly string[];
      readonly retired: readonly string[];
      /** How many lessons were added beyond those listed. */
      readonly more?: number;
      readonly actor?: Actor;
    }
  /** The agent changed files that belong to the runner; they were restored. */
  | (IterationKey & { readonly type: 'plan.restored'; readonly edits: readonly string[] })
  | (IterationKey & { readonly type: 'evidence'; readonly evidence: Evidence })
  /** Written before the work is committed or set aside. For an accepted item, `at` is the date of the commit. */
  | (IterationKey & { readonly type: 'verdict'; readonly verdict: Verdict; readonly message?: string })
  /**
   * Accepted work merged with what other workers landed meanwhile, and the gate results for the merged tree. Written before the branch
   * moves.
   */
  | (IterationKey & {
      readonly type: 'merge';
      /** The commit that the work was merged into. */
      readonly onto: string;
      /** The merged tree; absent after a conflict. */
      readonly tree?: string;
      readonly gates: readonly GateResult[];
      readonly conflicts?: readonly string[];
    })
  | (IterationKey & {
      readonly type: 'iteration.finished';
      readonly verdict: Verdict['type'];
      readonly commit?: string;
      /** The ref that keeps the attempt if it was not accepted. */
      readonly ref?: string;
      /** The content of the work tree at the end of the iteration. */
      readonly tree: string;
      readonly durationMs: number;
    })
  /** A crash cut the iteration off: its tree is kept under `ref`, and its number is used again. */
  | (IterationKey & {
      readonly type: 'iteration.aborted';
      readonly ref?: string;
      readonly why: string;
      /** How many times in a row the runner has died while the item's own code ran. */
      readonly death?: number;
    })
  /** A commit of the run that is in git although its journal record was lost. */
  | { readonly type: 'item.adopted'; readonly item: string; readonly commit: string; readonly iteration?: number }
  | { readonly type: 'wait.started'; readonly until: number; readonly why: string; readonly announced?: true }
  | { readonly type: 'wait.ended'; readonly by?: 'person'; readonly actor?: Actor }
  /** The agent cannot work for now, so another may take over; without `until`, it stays parked until the run is started again. */
  | {
      readonly type: 'agent.parked';
      readonly agent: string;
      readonly until?: number;
      readonly why: string;
      readonly announced?: true;
      /** The agent cannot start with its current settings. */
      readonly unusable?: true;
    }
  | {
      readonly type: 'item.marked';
      readonly item: string;
      readonly to: Exclude<ItemStatus, 'in-progress'>;
      readonly by: 'person' | 'runner';
      readonly why: string;
      /** When the person made the request, if the runner read it later. */
      readonly asked?: number;
      /** Who made the request and from where; journals of older versions do not contain it. */
      readonly actor?: Actor;
    }
  /** An agent asked a question that the answers file does not answer: the item waits for `ralph answer`. */
  | { readonly type: 'question.asked'; readonly iteration: number; readonly item: string; readonly question: string }
  /** The item's next brief contains the answer, and no attempt is charged. `file` means the answers file. */
  | {
      readonly type: 'question.answered';
      readonly item: string;
      readonly question: string;
      readonly answer: string;
      readonly by: 'person' | 'file';
      readonly asked?: number;
    }
  /** A person restarted the item at its first attempt, with a hint for the next brief. */
  | {
      readonly type: 'item.retried';
      readonly item: string;
      readonly hint: string;
      readonly asked?: number;
      readonly actor?: Actor;
    }
  /** With `mends`, the review of that item asked for this one; otherwise a final gate did, and `gate` is its command. */
  | {
      readonly type: 'item.added';
      readonly item: string;
      readonly why: string;
      readonly mends?: string;
      readonly gate?: string;
    }
  /** Written before the reviewer starts. `tree` is the content of the work tree, and is restored afterwards. */
  | (ReviewKey & {
      readonly type: 'review.started';
      readonly round: number;
      readonly agent: string;
      readonly base: string;
      readonly tree: string;
      readonly lease: string;
    })
  | (ReviewKey & { readonly type: 'reviewer.started'; readonly process: ProcessId })
  | (ReviewKey & {
      readonly type: 'review.finished';
      readonly round: number;
      readonly verdict: ReviewVerdict;
      readonly findings: readonly ReviewFinding[];
      /** Why the verdict is unclear. */
      readonly why: string;
      /** The item that fixes the findings; its id is chosen before it is written into the plan. */
      readonly fix?: string;
      /** What the reviewer changed; all of it was restored. */
      readonly undone: readonly string[];
      readonly usage: Usage;
      readonly costUsd: number;
      readonly durationMs: number;
    })
  /** The consequences of a review are written into the plan. */
  | (ReviewKey & { readonly type: 'review.settled'; readonly commit?: string })
  /** The review was cut off or its provider failed: there is no verdict, and no round is used up. */
  | (ReviewKey & {
      readonly type: 'review.aborted';
      readonly why: string;
      readonly usage: Usage;
      readonly costUsd: number;
      readonly failure?: AgentFailure;
    })
  /** Somebody asked for an immediate stop. If the runner dies before it has ended the agent, the item gets no blame for it. */
  | {
      readonly type: 'stopping';
      readonly reason: Extract<StopReason, 'interrupted' | 'terminated' | 'stop-requested'>;
      readonly actor?: Actor;
    }
  | { readonly type: 'steered'; readonly text: string; readonly actor?: Actor }
  | { readonly type: 'paused'; readonly actor?: Actor }
  | { readonly type: 'unpaused'; readonly actor?: Actor }
  | { readonly type: 'final'; readonly tree: string; readonly gates: readonly GateResult[] }
  /** The run's branch was pushed to its remote; if `why` is set, the push failed. */
  | { readonly type: 'branch.pushed'; readonly remote: string; readonly commit: string; readonly why?: string }
  /** Written at the end: refs of the remote that something other than the run moved since the run started. */
  | {
      readonly type: 'remote.changed';
      readonly remote: string;
      readonly refs: readonly { readonly ref: string; readonly was?: string; readonly now?: string }[];
    }
  | {
      readonly type: 'run.finished';
      readonly reason: StopReason;
      readonly why: string;
      /** The work tree could not be restored; the next start restores it, as after a crash. */
      readonly unsettled?: true;
      /** Who asked the run to stop, if somebody did. */
      readonly actor?: Actor;
    }
  /** A person deleted its branch, so the plan starts over; `tip` was its last commit. */
  | { readonly type: 'run.discarded'; readonly tip: string; readonly actor?: Actor }
  /** The branch of a discarded run is there again. */
  | { readonly type: 'run.restored'; readonly actor?: Actor };

/** Events that are shown as they happen and not kept in the journal. */
export type Passing =
  | { readonly type: 'notice'; readonly level: 'info' | 'warn'; readonly message: string }
  /** `review` is set for signals of the reviewer that works after that iteration. */
  | {
      readonly type: 'agent.signal';
      readonly iteration: number;
      readonly review?: number;
      readonly signal: AgentSignal;
    }
  | { readonly type: 'agent.output'; readonly iteration: number; readonly review?: number }
  | {
      readonly type: 'gate.started';
      readonly worker?: number;
      readonly name: string;
      readonly phase: 'baseline' | 'item' | 'final' | 'proof';
    }
  | {
      readonly type: 'gate.finished';
      readonly worker?: number;
      readonly result: GateResult;
      readonly phase: 'baseline' | 'item' | 'final' | 'proof';
    }
  | {
      readonly type: 'plan.read';
      readonly done: number;
      readonly total: number;
      readonly blocked: number;
    };

/** A durable event as stored in the journal. */
export type Recorded<E extends Durable = Durable> = E & { readonly seq: number; readonly at: number };

export type Event = Durable | Passing;

const PASSING: Readonly<Record<Passing['type'], true>> = {
  notice: true,
  'agent.signal': true,
  'agent.output': true,
  'gate.started': true,
  'gate.finished': true,
  'plan.read': true,
};

export const isDurable = (event: Event): event is Durable => !(event.type in PASSING);

/** Receives every event in order; must not throw and is never waited for. */
export type EventSink = (event: Event, at: number) => void;
