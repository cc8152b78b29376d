/**
 * Any agent that speaks the Agent Client Protocol. The protocol needs both ends of a pipe, so a small program of our own
 * (`acp-bridge.ts`) holds the conversation and prints what it hears, a record per line; `acp-stream.ts` reads those lines.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Agent, AgentOptions } from '../protocol.ts';
import { acpAgents, plainAcp, type Quirks } from './acp-quirks.ts';
import { acpReader } from './acp-stream.ts';
import { effortWord } from './effort.ts';

/** Gemini, OpenCode, Copilot, Qwen, and `acp` for any other. */
export const acp: readonly Agent[] = [...acpAgents, plainAcp].map(quirks => ({
  name: quirks.name,
  abilities: { stream: 'events', model: true, mcp: true, ...quirks.abilities },
  command: options => acpCommand(quirks, options),
  read: () => acpReader(quirks),
}));

function acpCommand(
  { argv, env: own, modelFlag, errorsInLog, abilities }: Omit<Quirks, 'argv'> & Partial<Pick<Quirks, 'argv'>>,
  { acp: words = argv ?? [''], model, effort, args, env, mcp }: AgentOptions,
): ReturnType<Agent['command']> {
  const byFlag = model && modelFlag ? [modelFlag, model] : [];
  const level = effortWord(effort, abilities.efforts.length > 0 ? abilities.efforts : [effort ?? '']);
  const wishes = {
    ...(model && !modelFlag ? { model } : {}),
    ...(level ? { effort: level } : {}),
    ...(errorsInLog ? { log: true } : {}),
    ...(mcp ? { mcp: { command: mcp.command, args: mcp.args } } : {}),
  };
  return {
    argv: [process.execPath, bridgePath(), JSON.stringify(wishes), ...words, ...byFlag, ...args],
    env: { ...own, ...env },
    program: words[0] ?? '',
  };
}

/** Among the chunks of the running bundle, or in the build folder when this runs from its sources. */
function bridgePath(): string {
  const places = ['./acp-bridge.cjs', './cli/acp-bridge.cjs', '../../dist/cli/acp-bridge.cjs'];
  const paths = places.map(place => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find(path => existsSync(path)) ?? paths.at(-1) ?? '';
}
