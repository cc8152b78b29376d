/** The agents there are. */
import type { Agent } from '../protocol.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { command } from './command.ts';
import { script } from './script.ts';

const agents: readonly Agent[] = [claude, codex, command, script];

/** Every name `agent:` may have. */
export const agentNames: readonly string[] = agents.map(agent => agent.name);

/** The agent of this name, if there is one. */
export function agentNamed(name: string): Agent | undefined {
  return agents.find(agent => agent.name === name);
}
