/** Who does the work and who reviews it, as the config and the flags name them. */
import { resolve } from 'node:path';
import { parseDuration } from '../util/duration.ts';
import type { Config } from './schema.ts';
import type { Overrides, Settings } from './settings.ts';

export type OneAgent = Exclude<NonNullable<Config['agent']>, readonly unknown[]>;

/** Who may do the work, the first that can be used first. `--agent claude,codex` is a list too. */
export function inOrder(config: Config, overrides: Overrides): readonly OneAgent[] {
  const { agent } = overrides;
  if (agent !== undefined) return agent.includes('/') ? [agent] : agent.split(',').map(name => name.trim());
  const chosen = config.agents?.build ?? config.agent ?? {};
  return Array.isArray(chosen) ? chosen : [chosen];
}

/** The flags' model and effort, then the agent's own, then the config's. */
export function wishesOf(config: Config, overrides: Overrides): (agent: Settings['agent']) => Settings['agent'] {
  return ({ name, options }) => {
    const model = overrides.model ?? options.model ?? config.model;
    const effort = overrides.effort ?? options.effort ?? config.effort;
    const wanted = { ...(model === undefined ? {} : { model }), ...(effort === undefined ? {} : { effort }) };
    return { name, options: { ...options, ...wanted } };
  };
}

export const agentOf = (root: string, agent: OneAgent): Settings['agent'] => anchored(root, asWritten(agent));

function asWritten(agent: OneAgent): Settings['agent'] {
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

export function reviewOf(root: string, { review, agents }: Config): Settings['review'] {
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
  const [first, ...fallbacks] = named.map(one => agentOf(root, one));
  return {
    items: typeof items === 'string' ? [items === 'all' ? '*' : items] : items,
    rounds,
    ...(first ? { agent: first, fallbacks } : {}),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}
