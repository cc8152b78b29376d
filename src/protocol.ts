/**
 * The few shapes everything is made of. Read this file first, and protocol/plan.ts with it: a plan holds items, an agent works on one of them,
 * gates and guards look at what it did, a verdict decides, and a workspace keeps or sets aside. One long file, because these are
 * read together; what is looked up one by one is in protocol/.
 */
import type { Abilities } from './protocol/abilities.ts';
import type { AgentFailure } from './protocol/failure.ts';
import type { Item } from './protocol/plan.ts';
import type { ProcessEnd } from './protocol/process.ts';
import type { Proof, TrialCost } from './protocol/proof.ts';
import type { RuleId } from './protocol/rule-ids.ts';

export type { Abilities } from './protocol/abilities.ts';
export { type Actor, actorPlaces } from './protocol/actor.ts';
export type { AgentFailure, FailureClass } from './protocol/failure.ts';
export { type MessageKind, messageKinds } from './protocol/message-kinds.ts';
export type {
  Begin,
  FormatName,
  Item,
  ItemStatus,
  Mark,
  NewItem,
  NewText,
  Plan,
  PlanDocument,
  PlanFiles,
  PlanFormat,
  PlanPlace,
  Problem,
  ReviewMark,
} from './protocol/plan.ts';
export type {
  PlanSource,
  SourceChange,
  SourceIssue,
  SourcePlace,
  SourceQuery,
  SourceState,
} from './protocol/plan-source.ts';
export type { Leftover, ProcessEnd, ProcessId, Runner } from './protocol/process.ts';
export type { Mutant, Proof, TestProof, TrialCost } from './protocol/proof.ts';
export { type GuardId, guardIds, type ProofRuleId, type RuleId, ruleIds } from './protocol/rule-ids.ts';

// ── Agent ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface AgentOptions {
  readonly model?: string;
  readonly effort?: string;
  /** Extra arguments of the user's, put before the ones that carry the brief. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `command` agents only: the program and its arguments. */
  readonly command?: readonly string[];
  /** `acp` agents only: the program that speaks the Agent Client Protocol, and its arguments. */
  readonly acp?: readonly string[];
  /** `script` agents only: the scenario file. */
  readonly scenario?: string;
  /** Whose limits it shares with other runs on this machine; absent: told by its login. */
  readonly account?: string;
  /** A server of tools to hand to it, for agents that take one: the program, and the file that names it. */
  readonly mcp?: { readonly command: string; readonly args: readonly string[]; readonly config: string };
}

export interface AgentCommand {
  readonly argv: readonly [string, ...string[]];
  /** The program that has to be installed, where `argv` begins with another one that starts it. */
  readonly program?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** What the agent is doing, as its stream tells it. `from` is the tool call that started the sub-agent whose it is. */
export type AgentSignal =
  | { readonly type: 'text'; readonly text: string; readonly from?: string }
  /** A call of a tool; `id` is how its result names it. */
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly detail: string;
      readonly id?: string;
      readonly from?: string;
    }
  /** What a tool answered: its first lines, or all of it where it failed; both bounded. `lines` counts all there were. */
  | {
      readonly type: 'result';
      readonly text: string;
      readonly lines: number;
      readonly failed?: true;
      readonly id?: string;
      readonly from?: string;
    }
  /** Trouble of the agent's own, in its own words. */
  | { readonly type: 'error'; readonly text: string }
  /** All it has used so far; what is not told before the end is estimated, and the end corrects it. */
  | { readonly type: 'usage'; readonly usage: Usage; readonly costUsd?: number }
  /** `hopeless`: no try can succeed, and the process need not be waited for. */
  | { readonly type: 'retrying'; readonly detail: string; readonly hopeless?: true }
  /** The agent said it is finished; if the process lingers, a grace period starts. */
  | { readonly type: 'finished' };

/** A type of event that a stream had and its reader does not know, and how often it came. */
export interface UnknownEvent {
  readonly type: string;
  readonly count: number;
}

/** The end of one agent process as its adapter understands it. */
export interface AgentOutcome {
  /** The agent's final message: the only place claims and lessons are read from. */
  readonly message: string;
  readonly usage: Usage;
  readonly costUsd: number;
  /** As the agent itself names it; absent where it does not say. */
  readonly model?: string;
  /** Paid for by the token, or a figure that no bill follows: a subscription, or a price from a table. */
  readonly billing?: 'billed' | 'notional';
  readonly failure?: AgentFailure;
  /** What it wanted to do and was not permitted to, as its stream says. */
  readonly denied?: readonly string[];
  /** Events of its stream that this version does not know, counted by their type; the stream itself keeps them. */
  readonly unknown?: readonly UnknownEvent[];
}

export interface AgentReader {
  /** One line of stdout, without its end. Never throws. */
  line(line: string): readonly AgentSignal[];
  /** The model as far as the stream has named it: what its tokens cost. */
  model?(): string | undefined;
  /** After the process is gone. Never throws. */
  end(end: ProcessEnd): AgentOutcome;
}

/** Two functions: build a command, read its stream. */
export interface Agent {
  readonly name: string;
  /** Absent: nothing is known about it. */
  readonly abilities?: Abilities;
  command(options: AgentOptions): AgentCommand;
  read(): AgentReader;
}

/** What the agent says about its item: an input, never a verdict. */
export type Claim =
  | { readonly type: 'done'; readonly how: 'promise' | 'signal' | 'mark' | 'tool' }
  | { readonly type: 'blocked'; readonly why: string }
  /** It needs a person's answer before it can continue. */
  | { readonly type: 'question'; readonly text: string }
  | { readonly type: 'none' };

// ── Evidence ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Gate {
  readonly name: string;
  readonly run: string;
  readonly timeoutMs: number;
  /** The only paths its result depends on; absent means everything. */
  readonly paths?: readonly string[];
}

export interface GateResult {
  readonly name: string;
  readonly run: string;
  readonly status: 'green' | 'red' | 'timeout' | 'not-run';
  readonly exit: number | null;
  readonly durationMs: number;
  /** Capped end of the output, for people and for the next brief. */
  readonly tail: string;
  /** It was red before the item began: the item is not blamed for it. */
  readonly wasRed?: true;
  /** Not run again: it was green on the very files it depends on. */
  readonly reused?: true;
  /** What its test runner said; `unknown` where it looks like one and cannot be read. */
  readonly tests?: TestCounts | 'unknown';
}

/** How many tests a gate ran. */
export interface TestCounts {
  readonly runner: string;
  /** Passed and failed. */
  readonly executed: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What is counted, where the runner names no tests. */
  readonly of?: 'packages';
}

/** One changed path between two trees. */
export interface Change {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted' | 'type-changed';
  readonly added: number;
  readonly deleted: number;
  readonly binary: boolean;
  readonly mode: string;
  /** The mode it had, where it was there before. */
  readonly oldMode?: string;
  /** Object ids of its two sides; absent where there is no such side. */
  readonly before?: string;
  readonly after?: string;
}

/** How a guard reacts: report only, accept and show, or refuse the attempt and put the files back. */
export type Level = 'note' | 'warn' | 'block';

export interface Finding {
  readonly rule: string;
  readonly level: Level;
  readonly message: string;
  readonly path?: string;
  /** 1-based, in the new file; in the old one where the line is gone. */
  readonly line?: number;
}

/** Both sides of a changed file; a side that is not there is empty. */
export interface FileText {
  readonly before: string;
  readonly after: string;
}

export interface GuardInput {
  /** Without the plan and the config: those belong to the runner and are put back before anything is looked at. */
  readonly changes: readonly Change[];
  readonly item: Item;
  readonly rules: GuardRules;
  /** Where a symlink at this path points; for the outside guard. */
  readonly linkTarget: (path: string) => string | undefined;
  /** Undefined for what is no text or too large to look into. */
  readonly text?: (path: string) => FileText | undefined;
  /** Bytes of a changed file as it is now, where that is known. */
  readonly size?: (path: string) => number | undefined;
  /** Files that did not change but that a guard needs, such as the lockfile beside a manifest. */
  readonly unchanged?: ReadonlyMap<string, string>;
  /** The commands that will judge the change. */
  readonly gates?: readonly string[];
  /** What the change is: an item's work, one round of a repeating one, or any range of commits. */
  readonly scope?: 'item' | 'repeating' | 'range';
}

export interface GuardRules {
  readonly allow: readonly string[];
  readonly forbid: readonly string[];
  readonly writeOnce: readonly string[];
  readonly files: number;
  readonly lines: number;
  readonly warnFiles: number;
  readonly warnLines: number;
  /** Reactions the user chose over the rules' own. */
  readonly levels?: Readonly<Partial<Record<RuleId, Level | 'off'>>>;
  readonly manifests?: 'when-named' | 'free';
  readonly tests?: 'protect' | 'free';
}

export interface Evidence {
  /** The tree the gates ran on; only this tree (with the runner's own mark in the plan) is committed. */
  readonly tree: string;
  readonly changed: boolean;
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly findings: readonly Finding[];
  readonly gates: readonly GateResult[];
  /** The item's own checks now. */
  readonly verify: readonly GateResult[];
  /** The item's own checks were red before the item was started. */
  readonly verifyWasRed: boolean;
  /** What `tdd` found out about new tests and new code. */
  readonly proof?: Proof;
  /** Absent where nothing was run for a proof. */
  readonly trials?: TrialCost;
}

// ── Verdict ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export type RejectReason =
  | 'gate-red'
  | 'guard'
  | 'no-change'
  | 'no-claim'
  | 'agent-failed'
  | 'verify-red'
  /** Its runner died too often while it was being worked on. */
  | 'runner-died'
  /** It was good by itself, and does not fit what other workers put on the branch meanwhile: no attempt of the item's. */
  | 'merge';

export type Verdict =
  | {
      readonly type: 'accepted';
      readonly why: string;
      /** Nobody claimed it: it was green, and a session that was asked about it had nothing to add. */
      readonly settled?: true;
    }
  /** Green work of a repeating item whose promise has not been given yet: kept, and the loop continues. */
  | { readonly type: 'progress'; readonly why: string }
  | {
      readonly type: 'rejected';
      readonly reason: RejectReason;
      readonly why: string;
      /** For the next brief: what failed, capped. */
      readonly feedback: string;
      /** The same trouble has the same signature; `stuck` counts them. */
      readonly signature: string;
      /** Whether the next attempt starts from this attempt's tree or from the base. */
      readonly next: 'continue' | 'fresh';
      /** Files that others changed too. */
      readonly paths?: readonly string[];
    }
  /** By the agent's own word, because it refused its input and would again, or until its question is answered. */
  | {
      readonly type: 'blocked';
      readonly cause: 'claimed' | 'refused' | 'asked';
      readonly why: string;
      /** The next attempt starts from this attempt's tree; absent: from the base. */
      readonly next?: 'continue';
    }
  | { readonly type: 'retry'; readonly failure: AgentFailure; readonly why: string };

// ── Review ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What a reviewer found wrong with an accepted item. */
export interface ReviewFinding {
  readonly severity: 'high' | 'medium' | 'low';
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
}

/** `unclear`: no verdict could be read. It never counts as a pass. */
export type ReviewVerdict = 'pass' | 'needs-fix' | 'unclear';

// ── World ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Time and chance as parameters, so that tests need no mocks. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Milliseconds that never jump. */
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  random(): number;
}
