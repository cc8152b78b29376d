/**
 * Any agent that speaks the Agent Client Protocol. The protocol needs both ends of a pipe, so a small program of our own
 * (`acp-bridge.ts`) holds the conversation and prints what it hears, a record per line; `acp-stream.ts` reads those lines.
 */
import type { Agent, AgentOptions } from '../protocol.ts';
import { builtFile } from '../util/built-file.ts';
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
  {
    argv,
    env: own,
    files = {},
    modelFlag,
    errorsInLog,
    abilities,
  }: Omit<Quirks, 'argv'> & Partial<Pick<Quirks, 'argv'>>,
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
    argv: [process.execPath, builtFile('cli/acp-bridge.cjs'), JSON.stringify(wishes), ...words, ...byFlag, ...args],
    env: { ...own, ...Object.fromEntries(Object.entries(files).map(([key, name]) => [key, builtFile(name)])), ...env },
    program: words[0] ?? '',
  };
}
