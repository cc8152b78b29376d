/** Config file, flags and defaults made into the one set of values a run works with. */
import { resolve } from 'node:path';
import type { AgentOptions, Gate, GuardRules } from '../protocol.ts';
import { parseDuration } from '../util/duration.ts';
import { detectGates } from './detect.ts';
import { type NotifyTarget, notifyTargets } from './notify.ts';
import type { ConfigFile } from './read.ts';
import type { Config } from './schema.ts';

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

const FRUITLESS = 6;
const WAIT = 30_000;

const GATE_TIMEOUT = 10 * 60_000;

export function settings(root: string, { config, file }: ConfigFile, overrides: Overrides = {}): Settings {
  const until = overrides.until ?? config.until;
  const configured = until === undefined ? config.gates : [...(config.gates ?? []), { name: UNTIL, run: until }];
  const detected = configured === undefined ? detectGates(root) : [];
  const gates = gateList(configured ?? detected);
  const wishes = wishesOf(config, overrides);
  const read = (one: OneAgent) => anchored(root, agentOf(one));
  const [agent = agentOf({}), ...fallbacks] = inOrder(config, overrides).map(read);
  const plan = overrides.plan ?? config.plan;
  const deadline = overrides.deadline ?? config.deadline;
  const parallel = overrides.parallel ?? config.parallel ?? 1;
  const isolated = parallel > 1 || (overrides.worktree ?? config.worktree);
  return {
    ...(plan === undefined ? {} : { plan }),
    agent: wishes(agent),
    // A model of the first is seldom one of the second: only a model of its own is handed to that.
    fallbacks,
    roles: {
      ...(config.agents?.retry === undefined ? {} : { retry: read(config.agents.retry) }),
      ...(config.agents?.plan === undefined ? {} : { plan: read(config.agents.plan) }),
    },
    prices: config.prices ?? {},
    setup: gateList(config.setup ?? []),
    gates,
    gatesFrom: configured !== undefined ? 'config' : detected.length > 0 ? 'detected' : 'none',
    final: gateList(config.final ?? []),
    gateEnv: config['gate-env'] ?? [],
    baseline: overrides.allowRed ? 'any' : (config.baseline ?? 'green'),
    limits: limitsOf(config, overrides),
    ...(deadline === undefined ? {} : { deadline }),
    rules: rulesOf(config),
    proof: proofOf(config),
    onValidation: config['on-validation'] ?? 'block',
    mcp: config.mcp ?? false,
    claims: overrides.claims ?? config.claims ?? 'settle',
    review: reviewOf(root, config) ?? reviewOf(root, { ...config, review: overrides.review }),
    context: config.context ?? [],
    branch: overrides.branch ?? config.branch ?? 'ralph/{name}',
    commit: config.commit,
    after: {
      ...(overrides.after === undefined ? {} : { flag: overrides.after }),
      ...(config.after === undefined ? {} : { config: config.after }),
    },
    workspace: isolated ? 'worktree' : (config.workspace ?? 'here'),
    parallel,
    carry: config.carry ?? ['.env', '.env.local'],
    share: config.share === 'off' || config.share === false ? [] : (config.share ?? 'auto'),
    push: pushOf(config.push),
    sandbox: sandboxOf(config.sandbox, overrides),
    archive: archiveOf(config.archive),
    ...otelOf(config),
    notify: notifyTargets(config.notify ?? []),
    ...(file === undefined ? {} : { file }),
  };
}

function limitsOf(config: Config, overrides: Overrides): Limits {
  const limits = config.limits ?? {};
  const ms = (text: string | undefined) => (text === undefined ? undefined : parseDuration(text));
  const attempts = overrides.maxAttempts ?? config['max-attempts'] ?? limits.attempts ?? 3;
  return {
    iterations: overrides.maxIterations ?? config['max-iterations'] ?? limits.iterations ?? 50,
    timeMs: overrides.timeoutMs ?? ms(config.timeout) ?? ms(limits.time) ?? 4 * 3_600_000,
    iterationMs: overrides.iterationTimeoutMs ?? ms(config['iteration-timeout']) ?? ms(limits.iteration) ?? 45 * 60_000,
    idleMs: overrides.idleTimeoutMs ?? ms(config['idle-timeout']) ?? ms(limits.idle) ?? 10 * 60_000,
    attempts,
    stuck: limits.stuck ?? 3,
    // Who allows an item more attempts than this means them.
    fruitless: overrides.maxFruitless ?? config['max-fruitless'] ?? limits.fruitless ?? Math.max(FRUITLESS, attempts),
    waitMs: ms(limits.wait) ?? WAIT,
    costUsd: overrides.maxCost ?? config['max-cost'] ?? limits.cost ?? 25,
    ...(limits['soft-cost'] === undefined ? {} : { softCostUsd: limits['soft-cost'] }),
  };
}

const PROOF_TIMEOUT = 10 * 60_000;

const proofOf = (config: Config): Settings['proof'] => ({
  tdd: config.tdd || 'off',
  timeoutMs: parseDuration(config['proof-timeout'] ?? '') ?? PROOF_TIMEOUT,
});

/** What the guards go by; a config that says nothing gives the defaults. */
export function rulesOf(config: Config): GuardRules {
  const limits = config.limits ?? {};
  return {
    allow: config.guards?.allow ?? [],
    forbid: config.guards?.forbid ?? [],
    writeOnce: config.guards?.['write-once'] ?? [],
    files: limits.files ?? 60,
    lines: limits.lines ?? 5000,
    warnFiles: limits['warn-files'] ?? 10,
    warnLines: limits['warn-lines'] ?? 500,
    levels: chosen(config.guards?.rules ?? {}),
    manifests: config.guards?.manifests ?? 'when-named',
    tests: config.guards?.tests ?? 'protect',
  };
}

/** Without the keys that were left empty. */
function chosen(rules: NonNullable<NonNullable<Config['guards']>['rules']>): NonNullable<GuardRules['levels']> {
  return Object.fromEntries(Object.entries(rules).filter(([, level]) => level !== undefined));
}

type GateConfig = NonNullable<Config['gates']>[number];

function gateList(gates: readonly GateConfig[]): readonly Gate[] {
  return gates.map(gate => {
    const { name, run, timeout, paths }: Exclude<GateConfig, string> = typeof gate === 'string' ? { run: gate } : gate;
    const timeoutMs = (timeout && parseDuration(timeout)) || GATE_TIMEOUT;
    return { name: name ?? run, run, timeoutMs, ...(paths === undefined ? {} : { paths }) };
  });
}

type OneAgent = Exclude<NonNullable<Config['agent']>, readonly unknown[]>;

/** Who may do the work, the first that can be used first. `--agent claude,codex` is a list too. */
function inOrder(config: Config, overrides: Overrides): readonly OneAgent[] {
  const { agent } = overrides;
  if (agent !== undefined) return agent.includes('/') ? [agent] : agent.split(',').map(name => name.trim());
  const chosen = config.agents?.build ?? config.agent ?? {};
  return Array.isArray(chosen) ? chosen : [chosen];
}

/** The flags' model and effort, then the agent's own, then the config's. */
function wishesOf(config: Config, overrides: Overrides): (agent: Settings['agent']) => Settings['agent'] {
  return ({ name, options }) => {
    const model = overrides.model ?? options.model ?? config.model;
    const effort = overrides.effort ?? options.effort ?? config.effort;
    const wanted = { ...(model === undefined ? {} : { model }), ...(effort === undefined ? {} : { effort }) };
    return { name, options: { ...options, ...wanted } };
  };
}

function agentOf(agent: OneAgent): Settings['agent'] {
  if (typeof agent === 'string') {
    // A path is a program of the user's; a bare word is one of the known agents.
    return agent.includes('/')
      ? { name: 'command', options: { command: [agent], args: [], env: {} } }
      : { name: agent, options: { args: [], env: {} } };
  }
  const { use, command, acp, model, effort, args = [], env = {}, scenario, account } = agent;
  return {
    name: use ?? (command ? 'command' : acp ? 'acp' : scenario ? 'script' : ''),
    options: {
      args,
      env,
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
      ...(command === undefined ? {} : { command }),
      ...(acp === undefined ? {} : { acp }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(account === undefined ? {} : { account }),
    },
  };
}

/** Programs and scenarios of the user's own are named relative to the repository, wherever the agent works. */
function anchored(root: string, { name, options }: Settings['agent']): Settings['agent'] {
  const [program, ...rest] = options.command ?? [];
  const [speaker, ...words] = options.acp ?? [];
  return {
    name,
    options: {
      ...options,
      ...(program?.includes('/') ? { command: [resolve(root, program), ...rest] } : {}),
      ...(speaker?.includes('/') ? { acp: [resolve(root, speaker), ...words] } : {}),
      ...(options.scenario === undefined ? {} : { scenario: resolve(root, options.scenario) }),
    },
  };
}

const REVIEW_ROUNDS = 2;

function reviewOf(root: string, { review, agents }: Config): Settings['review'] {
  if (review === undefined || review === false || review === 'off') return undefined;
  const {
    items = '*',
    agent = agents?.review,
    model,
    effort,
    rounds = REVIEW_ROUNDS,
    timeout,
  } = typeof review === 'object' ? review : {};
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  const named = agent === undefined ? [] : [agent].flat();
  const [first, ...fallbacks] = named.map(one => anchored(root, agentOf(one)));
  return {
    items: typeof items === 'string' ? [items === 'all' ? '*' : items] : items,
    rounds,
    ...(first ? { agent: first, fallbacks } : {}),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function archiveOf(archive: Config['archive']): Settings['archive'] {
  if (archive === false || archive === 'off') return undefined;
  const { folder = 'archives', commit = false } = typeof archive === 'string' ? { folder: archive } : (archive ?? {});
  return { folder: folder.replace(/\/+$/, '') || 'archives', commit };
}

function otelOf({ otel }: Config): Pick<Settings, 'otel'> {
  if (otel === undefined) return {};
  const { endpoint, headers } = otel;
  return { otel: { endpoint, ...(headers ? { headers } : {}) } };
}

function sandboxOf(sandbox: Config['sandbox'], { noSandbox }: Overrides): SandboxSettings {
  const {
    tier,
    network = 'agent',
    image,
    allow = {},
  }: Exclude<typeof sandbox, string | false | undefined> = typeof sandbox === 'object'
    ? sandbox
    : sandbox === undefined
      ? {}
      : { tier: sandbox || 'none' };
  return {
    tier: noSandbox ? 'none' : (tier ?? 'auto'),
    network,
    ...(image === undefined ? {} : { image }),
    allow: { read: allow.read ?? [], write: allow.write ?? [], env: allow.env ?? [] },
  };
}

function pushOf(push: Config['push']): Settings['push'] {
  const { when = 'each', 'on-failure': onFailure = 'go-on' } =
    typeof push === 'object' ? push : { when: push ?? ('off' as const) };
  return { when: when === false ? 'off' : when, onFailure };
}
