/** Who works, and who reviews: chosen and found on this machine, or refused. */
import { statSync } from 'node:fs';
import { agentNamed, agentNames, findOnPath } from '../agents/index.ts';
import { configName, type Settings } from '../config/index.ts';
import type { Agent, AgentOptions } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { nearest } from '../util/suggest.ts';

export interface ChosenAgent {
  readonly agent: Agent;
  readonly options: AgentOptions;
  /** The program that will be started. */
  readonly program: string;
}

/** The caller's own agent, the configured one, or the first known one on PATH; refused when its program is not there. */
export function chooseAgent(
  settings: Pick<Settings, 'agent' | 'file'>,
  env: NodeJS.ProcessEnv,
  own?: Agent,
): Result<ChosenAgent> {
  const { options } = settings.agent;
  if (own) return withProgram(own, options, env);
  const name = settings.agent.name || firstOnPath(env);
  if (!name) {
    return fail({
      reason: 'agent-not-found',
      message: `no agent was found on PATH (${BY_ITSELF.join(', ')})`,
      hint: `Install one (ralph agents says how), or name yours in ${configName(settings)}: agent: {command: [./my-agent]}`,
    });
  }
  const agent = agentNamed(name);
  if (!agent) {
    const near = nearest(name, agentNames);
    return fail({
      reason: 'agent-unknown',
      message: `there is no agent named "${name}"`,
      hint: near
        ? `Did you mean "${near}"?`
        : `Known agents: ${agentNames.join(', ')}. Any other: agent: {command: [program]}`,
    });
  }
  const missing = missingPart({ name, options });
  return missing ? fail(missing) : withProgram(agent, options, env);
}

function withProgram(agent: Agent, options: AgentOptions, env: NodeJS.ProcessEnv): Result<ChosenAgent> {
  const { argv, program = argv[0] } = agent.command(options);
  const found = findOnPath(program, env);
  if (found) return ok({ agent, options, program: found });
  if (program.includes('/') && statSync(program, { throwIfNoEntry: false })?.isFile()) {
    return fail({
      reason: 'agent-not-found',
      message: `the agent's program "${program}" may not be run: it is not executable`,
      hint: `Run: chmod +x ${quoted(program)}`,
    });
  }
  return fail({
    reason: 'agent-not-found',
    message: `the agent's program "${program}" was not found`,
    hint: `${installLine(agent)}, or choose another with --agent (ralph agents lists them).`,
  });
}

const installLine = ({ abilities }: Agent): string =>
  abilities?.install ? `Install it: ${abilities.install}` : 'Install it';

/** The first that can be used, and who steps in for it. */
export interface ChosenAgents extends ChosenAgent {
  readonly fallbacks: readonly ChosenAgent[];
  /** Who works at a second and later attempt. */
  readonly retrier?: ChosenAgent;
  /** Why others are left out. */
  readonly missing: readonly string[];
}

/**
 * Who may do the work, in order. One that is missing is left out as long as another is there; the first refusal is told
 * where none is.
 */
export function chooseAgents(settings: Settings, env: NodeJS.ProcessEnv, own?: Agent): Result<ChosenAgents> {
  const first = chooseAgent(settings, env, own);
  const others = own ? [] : settings.fallbacks.map(agent => chooseAgent({ agent }, env));
  const { retry } = settings.roles;
  const retrier = retry && !own ? chooseAgent({ agent: retry }, env) : undefined;
  const all = [first, ...others, ...(retrier ? [retrier] : [])];
  // What is wrong in the config is wrong whoever else there is; what is not installed is not.
  const wrong = all.find(chosen => !chosen.ok && chosen.error.reason !== 'agent-not-found');
  if (wrong && !wrong.ok) return wrong;
  const [found, ...fallbacks] = [first, ...others].flatMap(chosen => (chosen.ok ? [chosen.value] : []));
  if (!found) return first.ok ? ok({ ...first.value, fallbacks: [], missing: [] }) : first;
  const missing = all.flatMap(chosen => (chosen.ok ? [] : [chosen.error.message]));
  return ok({ ...found, fallbacks, missing, ...(retrier?.ok ? { retrier: retrier.value } : {}) });
}

export interface ChosenReviewer extends ChosenAgent {
  readonly fallbacks: readonly ChosenAgent[];
}

/** Who reviews, where reviews are configured: agents of its own, or those that work. One that is missing is left out. */
export function chooseReviewer(
  { agent, fallbacks, review }: Settings,
  env: NodeJS.ProcessEnv,
  own?: Agent,
): Result<ChosenReviewer | undefined> {
  if (!review) return ok(undefined);
  const first = chooseFirstReviewer({ agent, review }, env, own);
  const others = review.agent ? (review.fallbacks ?? []) : own ? [] : fallbacks;
  const rest = others.map(each => chooseAgent({ agent: each }, env));
  const wrong = [first, ...rest].find(each => !each.ok && each.error.reason !== 'agent-not-found');
  if (wrong && !wrong.ok) return wrong;
  const [found, ...more] = [first, ...rest].flatMap(each => (each.ok ? [each.value] : []));
  if (found) return ok({ ...found, fallbacks: more });
  return first.ok ? ok({ ...first.value, fallbacks: [] }) : first;
}

/** With the model and effort of reviews: those of the first are seldom ones of the others. */
function chooseFirstReviewer(
  { agent, review }: { readonly agent: Settings['agent']; readonly review: NonNullable<Settings['review']> },
  env: NodeJS.ProcessEnv,
  own?: Agent,
): Result<ChosenAgent> {
  const { name, options } = review.agent ?? agent;
  const { model = options.model, effort = options.effort } = review;
  const wishes = { ...(model === undefined ? {} : { model }), ...(effort === undefined ? {} : { effort }) };
  const chosen = chooseAgent(
    { agent: { name, options: { ...options, ...wishes } } },
    env,
    review.agent ? undefined : own,
  );
  if (chosen.ok) return chosen;
  const hint = `Install it, or name another in the config: review: {agent: <name>}. Known agents: ${agentNames.join(', ')}.`;
  return fail({ ...chosen.error, message: `the reviewer: ${chosen.error.message}`, hint });
}

function missingPart({ name, options }: Settings['agent']): Failure | undefined {
  if (name === 'command' && !options.command) {
    return {
      reason: 'agent-incomplete',
      message: 'agent: command needs the program to run',
      hint: 'For example: agent: {command: [./my-agent, --flag]}',
    };
  }
  if (name === 'acp' && !options.acp) {
    return {
      reason: 'agent-incomplete',
      message: 'agent: acp needs the program to run',
      hint: 'For example: agent: {acp: [my-agent, --acp]}',
    };
  }
  if (name === 'script' && !options.scenario) {
    return {
      reason: 'agent-incomplete',
      message: 'agent: script needs a scenario file',
      hint: 'For example: agent: {use: script, scenario: scenario.yaml}',
    };
  }
  return undefined;
}

/** Taken without being named, in this order. */
const BY_ITSELF = ['claude', 'codex'];

const firstOnPath = (env: NodeJS.ProcessEnv): string | undefined =>
  BY_ITSELF.find(candidate => findOnPath(candidate, env));
