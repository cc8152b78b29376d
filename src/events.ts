/**
 * Everything that can happen in a run: one union. Records of the journal are the durable part of it; the rest is only
 * shown. The terminal, `--json`, the log and the report are consumers of this stream and are never asked anything.
 * One long file, because it is one list: whoever adds an event sees all others.
 */
import type {
  Actor,
  AgentFailure,
  AgentSignal,
  Claim,
  Evidence,
  GateResult,
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
  | 'review'
  | 'agent-unavailable'
  /** As it is set up (model, flag, version, program) it cannot even begin: nothing was done and nothing is charged. */
  | 'agent-unusable'
  | 'interrupted'
  | 'terminated'
  | 'failed';

/** The limits a process of a run worked with; what is missing was not limited. */
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
  /** When it had to be over, in epoch milliseconds. */
  readonly deadline?: number;
}

interface IterationKey {
  /** Which of the workers of a run; missing where it has but one. */
  readonly worker?: number;
  readonly iteration: number;
  readonly item: string;
}

interface ReviewKey {
  readonly worker?: number;
  /** Counts the reviewers of a run. */
  readonly review: number;
  readonly item: string;
}

/** What the journal keeps. The state of a run is the fold of these. */
export type Durable =
  | {
      readonly type: 'run.started';
      readonly run: string;
      readonly plan: { readonly path: string; readonly format: string; readonly name: string };
      readonly branch: string;
      readonly base: string;
      /** Where the agent works: the repository itself or a worktree of the run's own. */
      readonly workspace: string;
      readonly agent: string;
      readonly gates: readonly string[];
      /** What keeps agents and gates inside: `bwrap`, `docker`, `seatbelt` or `none`. */
      readonly sandbox?: string;
      /** Present only where the plan's items are not in a file of their own (`ralph run "text"`). */
      readonly promptText?: string;
      /** The plan that the config names, empty for none: a person who names another later means that one. */
      readonly configured?: string;
      /** The branch the person was on, where the run's own was made from it. */
      readonly from?: string;
      /** Who carries the run on: found here although its lock was deleted. */
      readonly runner?: Runner;
      /** Items that the plan called done or skipped before the run. */
      readonly given?: readonly string[];
      readonly limits?: RunLimits;
    }
  | {
      readonly type: 'run.resumed';
      readonly base: string;
      readonly configured?: string;
      readonly sandbox?: string;
      readonly runner?: Runner;
      readonly limits?: RunLimits;
    }
  /** What several workers start from, where the branch has commits that the run did not know of: a person's, or the plan as given. */
  | { readonly type: 'branch.taken'; readonly commit: string }
  | { readonly type: 'baseline'; readonly tree: string; readonly gates: readonly GateResult[] }
  /** On disk before the agent starts. `base` is the commit, `tree` what the work tree held. */
  | (IterationKey & {
      readonly type: 'iteration.started';
      readonly title: string;
      readonly attempt: number;
      readonly try: number;
      readonly base: string;
      readonly tree: string;
      /** Put into the agent's environment; finds its processes again after a crash. */
      readonly lease: string;
      /** The item's own checks were red before its first attempt. */
      readonly verifyWasRed?: boolean;
      /** Those of them that could not be started then: a fault of the plan. */
      readonly unstartable?: readonly string[];
      /** Who works, where that is not the run's first agent. */
      readonly agent?: string;
    })
  /** Which lessons its brief carries. */
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
      /** The cost is tokens times a price of the table: the agent told none. */
      readonly priced?: true;
      readonly billing?: 'billed' | 'notional';
      /** What did the work: as the agent says, else as configured. */
      readonly model?: string;
      readonly failure?: AgentFailure;
      /** Events of its stream that this version does not know, counted by their type. */
      readonly unknown?: readonly UnknownEvent[];
    })
  /** What the agent's final message hands on, and which lessons it says it used; both bounded by their reader. */
  | (IterationKey & {
      readonly type: 'lessons.said';
      readonly lessons: readonly { readonly kind: 'pattern' | 'gotcha' | 'fact'; readonly text: string }[];
      readonly used: readonly string[];
    })
  /** Lessons that are new and lessons that went, and whose doing it was: the run's, old archives' and notes', a person's. */
  | {
      readonly type: 'lessons.changed';
      readonly from: 'run' | 'archives' | 'person';
      readonly gained: readonly string[];
      readonly retired: readonly string[];
      /** As many more were gained than are named. */
      readonly more?: number;
      readonly actor?: Actor;
    }
  /** The agent changed what belongs to the runner; it was restored. */
  | (IterationKey & { readonly type: 'plan.restored'; readonly edits: readonly string[] })
  | (IterationKey & { readonly type: 'evidence'; readonly evidence: Evidence })
  /** On disk before anything is kept or put aside. `at` of an accepted one is the commit's date. */
  | (IterationKey & { readonly type: 'verdict'; readonly verdict: Verdict; readonly message?: string })
  /** Accepted work on top of what others did meanwhile: what the gates say about the merged tree. Before the branch moves. */
  | (IterationKey & {
      readonly type: 'merge';
      /** The commit that it was merged into. */
      readonly onto: string;
      /** The merged tree; absent where there is none, because of a conflict. */
      readonly tree?: string;
      readonly gates: readonly GateResult[];
      readonly conflicts?: readonly string[];
    })
  | (IterationKey & {
      readonly type: 'iteration.finished';
      readonly verdict: Verdict['type'];
      readonly commit?: string;
      /** Where the attempt is kept when it was not accepted. */
      readonly ref?: string;
      /** What the work tree holds now. */
      readonly tree: string;
      readonly durationMs: number;
    })
  /** A crash cut this iteration off; its tree is kept under `ref` and its number is used again. */
  | (IterationKey & {
      readonly type: 'iteration.aborted';
      readonly ref?: string;
      readonly why: string;
      /** Its runner died while the item's own code ran, this many times in a row by now. */
      readonly death?: number;
    })
  /** Found in git but missing in the journal: its record was lost, its commit was not. */
  | { readonly type: 'item.adopted'; readonly item: string; readonly commit: string; readonly iteration?: number }
  | { readonly type: 'wait.started'; readonly until: number; readonly why: string; readonly announced?: true }
  | { readonly type: 'wait.ended'; readonly by?: 'person'; readonly actor?: Actor }
  /** It cannot work for now and another may; without `until`, not before the run is started again. */
  | {
      readonly type: 'agent.parked';
      readonly agent: string;
      readonly until?: number;
      readonly why: string;
      readonly announced?: true;
      /** As it is set up it cannot begin. */
      readonly unusable?: true;
    }
  | {
      readonly type: 'item.marked';
      readonly item: string;
      readonly to: Exclude<ItemStatus, 'in-progress'>;
      readonly by: 'person' | 'runner';
      readonly why: string;
      /** When the person said so, where that was before the runner heard it. */
      readonly asked?: number;
      /** Who the person was and where they said it; runs of older versions do not say. */
      readonly actor?: Actor;
    }
  /** An agent asked, and nothing in the answers file fits: the item waits for `ralph answer`. */
  | { readonly type: 'question.asked'; readonly iteration: number; readonly item: string; readonly question: string }
  /** Its next brief carries the answer, and no attempt is charged. `file` is the answers file. */
  | {
      readonly type: 'question.answered';
      readonly item: string;
      readonly question: string;
      readonly answer: string;
      readonly by: 'person' | 'file';
      readonly asked?: number;
    }
  /** A person wants it tried again from its first attempt, with something the next brief is to say. */
  | {
      readonly type: 'item.retried';
      readonly item: string;
      readonly hint: string;
      readonly asked?: number;
      readonly actor?: Actor;
    }
  /** `mends` names the item whose review asked for it; without it, a final gate did: `gate` is its command. */
  | {
      readonly type: 'item.added';
      readonly item: string;
      readonly why: string;
      readonly mends?: string;
      readonly gate?: string;
    }
  /** On disk before the reviewer starts. `tree` is what the work tree held, and holds again afterwards. */
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
      /** Why it is unclear. */
      readonly why: string;
      /** The item that is to mend it: its name is known before it is in the plan. */
      readonly fix?: string;
      /** What the reviewer had changed; all of it was put back. */
      readonly undone: readonly string[];
      readonly usage: Usage;
      readonly costUsd: number;
      readonly durationMs: number;
    })
  /** What follows from a review is in the plan. */
  | (ReviewKey & { readonly type: 'review.settled'; readonly commit?: string })
  /** It was cut off, or the provider was in trouble: no verdict, and no round used. */
  | (ReviewKey & {
      readonly type: 'review.aborted';
      readonly why: string;
      readonly usage: Usage;
      readonly costUsd: number;
      readonly failure?: AgentFailure;
    })
  /** Somebody asked for an end at once: if the runner goes before it has ended the agent, the item is not to blame. */
  | {
      readonly type: 'stopping';
      readonly reason: Extract<StopReason, 'interrupted' | 'terminated' | 'stop-requested'>;
      readonly actor?: Actor;
    }
  | { readonly type: 'steered'; readonly text: string; readonly actor?: Actor }
  | { readonly type: 'paused'; readonly actor?: Actor }
  | { readonly type: 'unpaused'; readonly actor?: Actor }
  | { readonly type: 'final'; readonly tree: string; readonly gates: readonly GateResult[] }
  /** The run's branch went to its remote; with `why`, it did not. */
  | { readonly type: 'branch.pushed'; readonly remote: string; readonly commit: string; readonly why?: string }
  /** At the end: refs of the remote that moved since the run began, and not by the run. */
  | {
      readonly type: 'remote.changed';
      readonly remote: string;
      readonly refs: readonly { readonly ref: string; readonly was?: string; readonly now?: string }[];
    }
  | {
      readonly type: 'run.finished';
      readonly reason: StopReason;
      readonly why: string;
      /** The work tree could not be restored; the next start does that, as after a crash. */
      readonly unsettled?: true;
      /** Who asked for the end, where somebody did. */
      readonly actor?: Actor;
    };

/** Shown while it happens, not kept in the journal. */
export type Passing =
  | { readonly type: 'notice'; readonly level: 'info' | 'warn'; readonly message: string }
  /** `review` where it is the reviewer's, who works after that iteration. */
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

/** A durable event as it is in the journal. */
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
