/** The agents there are, as this machine has them: nothing here asks a model anything. */
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { allAgents, findOnPath } from '../agents/index.ts';
import { capture } from '../process/index.ts';
import type { Abilities, Agent } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

export interface KnownAgent {
  readonly name: string;
  /** The program that was found, or undefined. */
  readonly program?: string;
  readonly version?: string;
  /** What shows that somebody has logged in; absent where nothing was found, which need not mean that nobody has. */
  readonly login?: string;
  readonly abilities: Abilities;
}

const VERSION_MS = 20_000;

/** Every agent with a name of its own, in the order in which they are known. */
export async function knownAgents(env: NodeJS.ProcessEnv): Promise<readonly KnownAgent[]> {
  const named = allAgents().flatMap(agent => (agent.abilities?.install ? [{ agent, abilities: agent.abilities }] : []));
  return await Promise.all(named.map(({ agent, abilities }) => lookAt(agent, abilities, env)));
}

async function lookAt(agent: Agent, abilities: Abilities, env: NodeJS.ProcessEnv): Promise<KnownAgent> {
  const { argv, program = argv[0] } = agent.command({ args: [], env: {} });
  const found = findOnPath(program, env);
  const login = loginOf(abilities, env);
  const facts = { name: agent.name, ...(login ? { login } : {}), abilities };
  if (found === undefined) return facts;
  const version = await versionOf(found, env);
  return { ...facts, program: found, ...(version ? { version } : {}) };
}

/** As it prints it: the first line that has a number. */
async function versionOf(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const answer = await capture({
    argv: [program, '--version'],
    cwd: tmpdir(),
    env,
    maxBytes: 64 * 1024,
    timeoutMs: VERSION_MS,
  });
  if (answer.code !== 0) return undefined;
  const line = answer.stdout
    .toString('utf8')
    .split('\n')
    .find(text => /\d/.test(text));
  return line === undefined ? undefined : oneLine(line, 60);
}

function loginOf({ needs }: Abilities, env: NodeJS.ProcessEnv): string | undefined {
  const variable = needs.env.find(name => /KEY|TOKEN/.test(name) && env[name]);
  if (variable) return `$${variable}`;
  const home = env.HOME || homedir();
  const file = needs.login.find(path => existsSync(join(home, path)));
  return file === undefined ? undefined : `~/${file}`;
}
