/** All known agents. */
import type { Agent } from '../protocol.ts';
import { acp } from './acp.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { command } from './command.ts';
import { pi } from './pi.ts';
import { presets } from './presets.ts';
import { script } from './script.ts';

const agents: readonly Agent[] = [claude, codex, pi, ...acp, ...presets, command, script];

/** Every name `agent:` may have. */
export const agentNames: readonly string[] = agents.map(agent => agent.name);

/** All of them, in the order in which they are told. */
export const allAgents = (): readonly Agent[] => agents;

/** The agent of this name, if there is one. */
export function agentNamed(name: string): Agent | undefined {
  return agents.find(agent => agent.name === name);
}
