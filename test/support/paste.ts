/** Pastes printed commands into a shell, as a person would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, cliFile, type Ended } from './cli.ts';
import type { Repo } from './repo.ts';

/** Every line of a text that is a command followed by a comment, as in the closing summary of a run. */
export const stepsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}((?:ralph|git) .*?) +# .*$/gm)].map(([, command = '']) => command);

/** Runs a line in a shell that finds `ralph`, from a folder of the repository. */
export async function paste(repo: Repo, line: string, folder = '.'): Promise<Ended> {
  const bin = join(repo.outside, 'bin');
  mkdirSync(bin, { recursive: true });
  const ralph = join(bin, 'ralph');
  writeFileSync(ralph, `#!/bin/sh\nexec '${process.execPath}' '${cliFile}' "$@"\n`);
  chmodSync(ralph, 0o755);
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: join(repo.root, folder),
    env: cleanEnv(repo.home, { PATH: `${bin}:${process.env.PATH ?? '/usr/bin:/bin'}` }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString('utf8')));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, ...said };
}
