/** The one set of values that a run works with, and what flags may override. `make-settings.ts` makes it. */
import type { AgentOptions, Gate, GuardRules } from '../protocol.ts';
import type { NotifyTarget } from './notify.ts';

export interface Limits {
  readonly iterations: number;
  readonly timeMs: number;
  readonly iterationMs: number;
  readonly idleMs: number;
  readonly attempts: number;
  readonly stuck: number;
  /** Iterations in a row that bring nothing, before the run asks for a person. */
  readonly fruitless: number;
  readonly costUsd: number;
  /** From here on nothing new is begun, and what is at work may finish. */
  readonly softCostUsd?: number;
  /** Shortest wait for a limit whose announced end is over; other waits are multiples of it. */
  readonly waitMs: number;
}

/** Which accepted items a second agent looks at, and which agent that is. */
export interface ReviewSettings {
  /** Globs over item ids; `*` is every item. */
  readonly items: readonly string[];
  /** Absent: the agent that does the work. */
  readonly agent?: Settings['agent'];
  /** Who reviews when that one cannot, in this order. */
  readonly fallbacks?: readonly Settings['agent'][];
  readonly model?: string;
  readonly effort?: string;
  readonly rounds: number;
  /** Longest time for one reviewer; absent: that of an iteration. */
  readonly timeoutMs?: number;
}

/** Dollars for a million tokens, by the name of a model or a glob over it. */
export type Prices = Readonly<
  Record<string, { readonly input: number; readonly output: number; readonly cached?: number | undefined }>
>;

/** What keeps agents and gates inside, and what is let in. */
export interface SandboxSettings {
  readonly tier: 'auto' | 'bwrap' | 'docker' | 'seatbelt' | 'none';
  readonly network: 'agent' | 'all' | 'none' | readonly string[];
  readonly image?: string;
  readonly allow: {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly env: readonly string[];
  };
}

export interface Settings {
  readonly plan?: string;
  /** An empty name means the first known agent on PATH. */
  readonly agent: { readonly name: string; readonly options: AgentOptions };
  /** Who works when that one cannot, in this order. */
  readonly fallbacks: readonly Settings['agent'][];
  /** Who works at a second and later attempt, and who makes plans, where that is somebody else. */
  readonly roles: { readonly retry?: Settings['agent']; readonly plan?: Settings['agent'] };
  /** The user's own, over those of the table. */
  readonly prices: Prices;
  readonly setup: readonly Gate[];
  readonly gates: readonly Gate[];
  /** The command of `--until`: it belongs to the run, and its gate is the last of `gates`. */
  readonly goal?: string;
  readonly gatesFrom: 'config' | 'detected' | 'none';
  readonly final: readonly Gate[];
  /** Variables that gates get besides the usual ones. */
  readonly gateEnv: readonly string[];
  readonly baseline: 'green' | 'any';
  readonly limits: Limits;
  /** A time of day or a moment, as it was written. */
  readonly deadline?: string;
  readonly rules: GuardRules;
  /** What new tests have to prove, and how long finding out may take in one iteration. */
  readonly proof: { readonly tdd: 'off' | 'warn' | 'enforce'; readonly timeoutMs: number };
  readonly onValidation: 'block' | 'skip';
  /** Whether agents that can get the server of tools (`ralph mcp`). */
  readonly mcp: boolean;
  /** Whether green work that nobody claims and nobody adds to may be accepted. */
  readonly claims: 'settle' | 'required';
  readonly review: ReviewSettings | undefined;
  readonly context: readonly string[];
  readonly branch: string;
  /** The template of a commit message; undefined: the built-in one. */
  readonly commit: string | undefined;
  /** The plan or run whose branch a plan builds on: as asked for now, and for the configured plan. */
  readonly after: { readonly flag?: string; readonly config?: string };
  readonly workspace: 'here' | 'worktree';
  /** How many items are worked on at once; more than one have a worktree each. */
  readonly parallel: number;
  /** Files of the checkout that a new worktree gets, and folders that it gets where the file system can clone them. */
  readonly carry: readonly string[];
  readonly share: 'auto' | readonly string[];
  readonly push: { readonly when: 'off' | 'each' | 'end'; readonly onFailure: 'go-on' | 'stop' };
  readonly sandbox: SandboxSettings;
  /** Where runs are archived, relative to the repository; undefined: no archives, and nothing is remembered. */
  readonly archive: { readonly folder: string; readonly commit: boolean } | undefined;
  /** Where traces of runs go. */
  readonly otel?: { readonly endpoint: string; readonly headers?: Readonly<Record<string, string>> };
  /** Who is told what happens, besides whoever watches. */
  readonly notify: readonly NotifyTarget[];
  readonly file?: string;
}

/** What flags of `ralph run` may override; same names as in the config, in camel case. */
export interface Overrides {
  readonly maxIterations?: number;
  readonly timeoutMs?: number;
  readonly iterationTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly maxAttempts?: number;
  readonly maxFruitless?: number;
  readonly maxCost?: number;
  readonly deadline?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly branch?: string;
  readonly after?: string;
  readonly worktree?: boolean;
  readonly parallel?: number;
  readonly until?: string;
  readonly plan?: string;
  readonly allowRed?: boolean;
  readonly claims?: Settings['claims'];
  /** Where the config does not say what is reviewed, or says that nothing is. */
  readonly review?: 'all';
  /** Yes, without a sandbox. */
  readonly noSandbox?: boolean;
}

/** The gate that `--until` adds: what the work is to reach, so it may be red at the start. */
export const UNTIL = 'until';
