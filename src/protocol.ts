/**
 * The central types. Read this file first, together with protocol/plan.ts: a plan contains items, an agent works on one of them, gates and
 * guards check its work, a verdict decides, and a workspace keeps the work or sets it aside. One long file, because these types are read
 * together; types that are looked up one at a time are in protocol/.
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
export type { InnerTrees } from './protocol/inner-trees.ts';
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
  /** Extra arguments from the user, placed before those that pass the brief. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `command` agents only: the program and its arguments. */
  readonly command?: readonly string[];
  /** `acp` agents only: the program that speaks the Agent Client Protocol, and its arguments. */
  readonly acp?: readonly string[];
  /** `script` agents only: the scenario file. */
  readonly scenario?: string;
  /** The account whose limits are shared with other runs on this machine; if absent, it is derived from the agent's login. */
  readonly account?: string;
  /** An MCP server for agents that support one: the program, and the file that names it. */
  readonly mcp?: { readonly command: string; readonly args: readonly string[]; readonly config: string };
}

export interface AgentCommand {
  readonly argv: readonly [string, ...string[]];
  /** The program that has to be installed, if `argv` begins with a launcher for it. */
  readonly program?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** What the agent is doing, according to its stream. `from` is the tool call that started the sub-agent that sent the signal. */
export type AgentSignal =
  | { readonly type: 'text'; readonly text: string; readonly from?: string }
  /** A tool call; the result refers to it by `id`. */
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly detail: string;
      readonly id?: string;
      readonly from?: string;
    }
  /** A tool's result: its first lines, or everything if the tool failed; both bounded. `lines` counts all lines. */
  | {
      readonly type: 'result';
      readonly text: string;
      readonly lines: number;
      readonly failed?: true;
      readonly id?: string;
      readonly from?: string;
    }
  /** An error that the agent reports, in its own words. */
  | { readonly type: 'error'; readonly text: string }
  /** Everything used so far; figures that the agent reports only at the end are estimated until then. */
  | { readonly type: 'usage'; readonly usage: Usage; readonly costUsd?: number }
  /** `hopeless`: no retry can succeed, so there is no point in waiting for the process. */
  | { readonly type: 'retrying'; readonly detail: string; readonly hopeless?: true }
  /** The agent said it is finished; if the process lingers, a grace period starts. */
  | { readonly type: 'finished' };

/** A type of event that the reader of a stream does not know, and how often it occurred. */
export interface UnknownEvent {
  readonly type: string;
  readonly count: number;
}

/** The result of one agent process, as its adapter understands it. */
export interface AgentOutcome {
  /** The agent's final message: claims and lessons are read only from here. */
  readonly message: string;
  readonly usage: Usage;
  readonly costUsd: number;
  /** The model as the agent names it; absent if it does not say. */
  readonly model?: string;
  /** `billed` is paid per token; `notional` means that no bill follows: a subscription, or a price from a table. */
  readonly billing?: 'billed' | 'notional';
  readonly failure?: AgentFailure;
  /** What the agent wanted to do but was not permitted to, according to its stream. */
  readonly denied?: readonly string[];
  /** Events in the stream that this version does not know, counted by type; the stored stream still contains them. */
  readonly unknown?: readonly UnknownEvent[];
}

export interface AgentReader {
  /** Reads one line of stdout, without its line break. Never throws. */
  line(line: string): readonly AgentSignal[];
  /** The model that the stream has named so far; it decides what the tokens cost. */
  model?(): string | undefined;
  /** Called after the process has exited. Never throws. */
  end(end: ProcessEnd): AgentOutcome;
}

/** An adapter for an agent: builds its command and reads its stream. */
export interface Agent {
  readonly name: string;
  /** If absent, nothing is known about the agent's abilities. */
  readonly abilities?: Abilities;
  command(options: AgentOptions): AgentCommand;
  read(): AgentReader;
}

/** What the agent says about its item: an input, never a verdict. */
export type Claim =
  | { readonly type: 'done'; readonly how: 'promise' | 'signal' | 'mark' | 'tool' }
  | { readonly type: 'blocked'; readonly why: string }
  /** The agent needs a person's answer before it can continue. */
  | { readonly type: 'question'; readonly text: string }
  | { readonly type: 'none' };

// ── Evidence ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Gate {
  readonly name: string;
  readonly run: string;
  readonly timeoutMs: number;
  /** The only paths that the gate's result depends on; absent means all. */
  readonly paths?: readonly string[];
}

export interface GateResult {
  readonly name: string;
  readonly run: string;
  readonly status: 'green' | 'red' | 'timeout' | 'not-run';
  readonly exit: number | null;
  readonly durationMs: number;
  /** The end of the output, bounded, for people and for the next brief. */
  readonly tail: string;
  /** The gate was red before the item began, so the item is not blamed. */
  readonly wasRed?: true;
  /** The gate was not run again, because it was green on exactly the files it depends on. */
  readonly reused?: true;
  /** What the gate's test runner reported; `unknown` if the output looks like a test runner's but cannot be read. */
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
  /** What is counted, if the runner does not count tests. */
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
  /** The file's mode before the change, if the file existed. */
  readonly oldMode?: string;
  /** Object ids of the file before and after the change; absent where the file does not exist. */
  readonly before?: string;
  readonly after?: string;
}

/** How a guard reacts: report only, accept with a warning, or reject the attempt and restore the files. */
export type Level = 'note' | 'warn' | 'block';

export interface Finding {
  readonly rule: string;
  readonly level: Level;
  readonly message: string;
  readonly path?: string;
  /** 1-based line in the new file, or in the old file if the line was deleted. */
  readonly line?: number;
}

/** A changed file before and after the change; empty where the file does not exist. */
export interface FileText {
  readonly before: string;
  readonly after: string;
}

export interface GuardInput {
  /** Without the plan and the config: those belong to the runner, and it restores them before the guards run. */
  readonly changes: readonly Change[];
  readonly item: Item;
  readonly rules: GuardRules;
  /** The target of a symlink at this path, for the outside guard. */
  readonly linkTarget: (path: string) => string | undefined;
  /** Undefined for files that are not text or too large to read. */
  readonly text?: (path: string) => FileText | undefined;
  /** Current size of a changed file in bytes, if known. */
  readonly size?: (path: string) => number | undefined;
  /** Files that did not change but that a guard needs, such as the lockfile beside a manifest. */
  readonly unchanged?: ReadonlyMap<string, string>;
  /** The commands that will judge the change. */
  readonly gates?: readonly string[];
  /** What the change is: an item's work, one iteration of a repeating item, or a range of commits. */
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
  /** Levels that the user set, replacing the defaults of the rules. */
  readonly levels?: Readonly<Partial<Record<RuleId, Level | 'off'>>>;
  readonly manifests?: 'when-named' | 'free';
  readonly tests?: 'protect' | 'free';
}

export interface Evidence {
  /** The tree that the gates ran on; only this tree, plus the runner's own mark in the plan, is committed. */
  readonly tree: string;
  readonly changed: boolean;
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly findings: readonly Finding[];
  readonly gates: readonly GateResult[];
  /** Results of the item's own checks. */
  readonly verify: readonly GateResult[];
  /** The item's own checks were red before its first attempt. */
  readonly verifyWasRed: boolean;
  /** What `tdd` found out about the new tests and the new code. */
  readonly proof?: Proof;
  /** Absent if no proof was run. */
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
  /** The runner died too often while working on the item. */
  | 'runner-died'
  /** The work was accepted on its own, but conflicts with what other workers landed meanwhile; it does not count as an attempt. */
  | 'merge';

export type Verdict =
  | {
      readonly type: 'accepted';
      readonly why: string;
      /** Accepted without a claim: everything was green, and a second session had nothing to add. */
      readonly settled?: true;
    }
  /** Green work of a repeating item that has not given its promise yet: it is committed, and the loop continues. */
  | {
      readonly type: 'progress';
      readonly why: string;
      /** Text for the next brief, if the goal (`until`) is not reached: what is still missing, bounded. */
      readonly feedback?: string;
    }
  | {
      readonly type: 'rejected';
      readonly reason: RejectReason;
      readonly why: string;
      /** Text for the next brief: what failed, bounded. */
      readonly feedback: string;
      /** The same failure has the same signature; `stuck` limits how often it may repeat. */
      readonly signature: string;
      /** Whether the next attempt starts from this attempt's tree or from the base. */
      readonly next: 'continue' | 'fresh';
      /** Files that other workers changed too. */
      readonly paths?: readonly string[];
    }
  /** Blocked because the agent said so, because it refused its input and would again, or until its question is answered. */
  | {
      readonly type: 'blocked';
      readonly cause: 'claimed' | 'refused' | 'asked';
      readonly why: string;
      /** Set if the next attempt starts from this attempt's tree; otherwise it starts from the base. */
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
