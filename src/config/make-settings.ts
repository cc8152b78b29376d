/** Config file, flags and defaults made into settings. */
import type { Gate, GuardRules } from '../protocol.ts';
import { parseDuration } from '../util/duration.ts';
import { agentOf, inOrder, type OneAgent, reviewOf, wishesOf } from './agent-settings.ts';
import { detectGates } from './detect.ts';
import { notifyTargets } from './notify.ts';
import type { ConfigFile } from './read.ts';
import type { Config } from './schema.ts';
import { type Limits, type Overrides, type SandboxSettings, type Settings, UNTIL } from './settings.ts';

const FRUITLESS = 6;
const WAIT = 30_000;
const GATE_TIMEOUT = 10 * 60_000;

export function settings(root: string, { config, file }: ConfigFile, overrides: Overrides = {}): Settings {
  const until = overrides.until ?? config.until;
  const detected = config.gates === undefined ? detectGates(root) : [];
  const gates = [...gateList(config.gates ?? detected), ...(until === undefined ? [] : [goalGate(until)])];
  const wishes = wishesOf(config, overrides);
  const read = (one: OneAgent) => agentOf(root, one);
  const [agent = read({}), ...fallbacks] = inOrder(config, overrides).map(read);
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
    ...(overrides.until === undefined ? {} : { goal: overrides.until }),
    gatesFrom: config.gates !== undefined ? 'config' : detected.length > 0 ? 'detected' : 'none',
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

const goalGate = (run: string): Gate => ({ name: UNTIL, run, timeoutMs: GATE_TIMEOUT });

/** The goal that a run was started with holds until it is called with another one. */
export function withGoal(settings: Settings, goal: string | undefined): Settings {
  if (goal === undefined || settings.goal !== undefined) return settings;
  return { ...settings, goal, gates: [...settings.gates.filter(({ name }) => name !== UNTIL), goalGate(goal)] };
}

function gateList(gates: readonly GateConfig[]): readonly Gate[] {
  return gates.map(gate => {
    const { name, run, timeout, paths }: Exclude<GateConfig, string> = typeof gate === 'string' ? { run: gate } : gate;
    const timeoutMs = (timeout && parseDuration(timeout)) || GATE_TIMEOUT;
    return { name: name ?? run, run, timeoutMs, ...(paths === undefined ? {} : { paths }) };
  });
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
