/** Runs the built program in a real terminal and types answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cleanEnv, cliFile } from './cli.ts';
import type { Repo } from './repo.ts';

const terminal = fileURLToPath(new URL('terminal.py', import.meta.url));

export interface Said {
  readonly code: number | null;
  readonly said: string;
}

/** Types each answer when the text it waits for was printed. */
export async function inTerminal(
  repo: Repo,
  args: readonly string[],
  answers: readonly (readonly [waitsFor: string, types: string])[],
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const program = [process.execPath, cliFile, ...args];
  const child = spawn('python3', [terminal, JSON.stringify(answers), ...program], {
    cwd: repo.root,
    env: cleanEnv(repo.home, { TERM: 'dumb', ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: said.replaceAll('\r\n', '\n') };
}
