/** One iteration: its brief, what the agent did, what was found, and what was decided. */
import type { Claim, Finding, GateResult, Leftover, Mutant, TestProof } from '../../protocol.ts';
import type { EndFacts } from '../../report/index.ts';
import type { UsageView, VerdictRow, VerdictWord } from './common.ts';
import type { ReviewView } from './plan.ts';

export interface IterationView {
  readonly sentence: string;
  readonly n: number;
  readonly item: string;
  readonly title: string;
  readonly attempt: number;
  readonly try: number;
  readonly agent: string;
  readonly model: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly durationMs: number;
  readonly usage: UsageView;
  readonly costUsd: number;
  /** `priced`: tokens times a price from the table. `notional`: no bill follows. */
  readonly billing: 'billed' | 'notional' | 'priced' | null;
  /** How the agent's process ended. */
  readonly end: EndFacts | null;
  readonly verdict: VerdictView;
  /** What the agent claimed, and its last words. */
  readonly claim: Claim | null;
  readonly said: string;
  readonly chain: readonly LinkView[];
  readonly changes: { readonly files: number; readonly added: number; readonly deleted: number } | null;
  readonly findings: readonly Finding[];
  readonly verify: readonly GateResult[];
  readonly verifyWasRed: boolean;
  readonly gates: readonly GateResult[];
  readonly proof: ProofView | null;
  readonly diff: DiffView;
  readonly steps: readonly StepView[];
  /** Steps left out at the beginning of a very long list. */
  readonly stepsLeftOut: number;
  /** What to type to read all of them. */
  readonly logsCommand: string;
  readonly brief: BriefView;
  readonly lessons: {
    readonly shown: readonly string[];
    readonly used: readonly string[];
    readonly said: readonly { readonly kind: string; readonly text: string }[];
  };
  /** Edits of the plan or the config that were undone. */
  readonly restored: readonly string[];
  readonly leftovers: readonly Leftover[];
  readonly droppedBytes: number;
  readonly base: string;
  readonly commit: string | null;
  /** Where its work is kept if it was not accepted, and the command that shows it. */
  readonly ref: string | null;
  readonly getBack: string | null;
  /** Every iteration on the same item, oldest first, including this one. */
  readonly attempts: readonly VerdictRow[];
  readonly reviews: readonly ReviewView[];
  readonly previous: number | null;
  readonly next: number | null;
}

export interface VerdictView {
  readonly type: VerdictWord;
  /** For a rejected one. */
  readonly reason: string | null;
  readonly why: string;
  /** What the next brief says about it. */
  readonly feedback: string;
  /** Whether the next attempt starts from this one's tree or from the base. */
  readonly next: 'continue' | 'fresh' | null;
  readonly at: number | null;
  /** Accepted without a claim. */
  readonly settled: boolean;
}

/** A link in the chain of evidence; one that was not reached says why. */
export interface LinkView {
  readonly name: 'brief' | 'agent' | 'claim' | 'guards' | 'verify' | 'gates' | 'proof' | 'verdict' | 'review';
  readonly state: 'good' | 'bad' | 'weak' | 'not-run' | 'now';
  readonly text: string;
  readonly durationMs: number | null;
}

export interface ProofView {
  readonly tests: readonly TestProof[];
  readonly mutants: readonly Mutant[];
  /** The duration; null if unknown. */
  readonly durationMs: number | null;
  readonly runs: number;
  /** What the additional test runs were for, in words. */
  readonly why: readonly string[];
}

export interface DiffView {
  /** `none`: nothing is recorded (yet). */
  readonly state: 'whole' | 'cut' | 'none';
  readonly bytes: number;
  /** Files with a finding first. */
  readonly files: readonly DiffFile[];
}

export interface DiffFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly added: number;
  readonly deleted: number;
  readonly binary: boolean;
  /** Why it is collapsed at first: a lock file, generated, or too long. */
  readonly folded: string | null;
  /** Its hunks as text of `git diff`, each from its `@@` line on; empty if it is left out. */
  readonly patch: string;
}

export interface StepView {
  readonly kind: 'says' | 'tool' | 'result' | 'error' | 'retrying';
  /** Null in journals of older versions. */
  readonly at: number | null;
  /** 0 for the agent itself, 1 for its sub-agent, and so on. */
  readonly depth: number;
  /** For a tool: what it does in one of these words; null if unknown, and then `tool` is its own name. */
  readonly verb: 'Read' | 'Search' | 'Edit' | 'Write' | 'Run' | 'Fetch' | 'Plan' | 'Agent' | null;
  readonly tool: string | null;
  readonly text: string;
  /** How often in a row. */
  readonly count: number;
  readonly failed: boolean;
  /** Lines of a result that are left out. */
  readonly more: number;
  /** Tokens used so far, if they changed. */
  readonly tokens: number | null;
}

export interface BriefView {
  readonly state: 'whole' | 'cut' | 'none';
  readonly text: string;
  /** An estimate: bytes divided by four. */
  readonly tokens: number;
  /** Null in runs of older versions, which did not record it. */
  readonly slots: readonly SlotView[] | null;
}

export interface SlotView {
  readonly name: string;
  readonly tokens: number;
  readonly budget: number | null;
  /** Entries that did not fit. */
  readonly dropped: number;
  readonly note: string | null;
}
