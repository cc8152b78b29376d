/** The environment and working folder of an agent's program. */
import { delimiter, join, resolve } from 'node:path';
import { isProgram } from '../util/paths.ts';

/**
 * Variables that make an agent believe it runs inside another one: it then refuses to start, joins the outer session or
 * changes its defaults. Never a credential, an endpoint or a setting of the user's.
 */
const NESTED_ENV: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'CODEX_CI',
  'GEMINI_CLI',
  'QWEN_CODE',
  'OPENCODE',
  'CURSOR_AGENT',
  'AI_AGENT',
];

/** What an agent's process gets: the runner's own environment without the traces of an outer agent, then `extra`. */
export function agentEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !NESTED_ENV.includes(name)) environment[name] = value;
  }
  return { ...environment, ...extra };
}

/** The file a shell would run for this program, or undefined. */
export function findOnPath(program: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (program === '') return undefined;
  if (program.includes('/')) return isProgram(program) ? resolve(program) : undefined;
  // An empty entry would be the current folder: a program there is not meant by its bare name.
  const folders = (env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  return folders.map(folder => join(folder, program)).find(isProgram);
}
