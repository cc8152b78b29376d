/** Runs a user's program with a message. It runs outside every sandbox, so it must not be one that an agent can change. */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { capture, programPath } from '../../process/index.ts';
import { pathBelow, realPath } from '../../util/paths.ts';
import { fail, ok, type Result } from '../../util/result.ts';
import { oneLine } from '../../util/show.ts';
import type { Given, Trouble } from '../target.ts';

const OUTPUT = 64 * 1024;
/** Normally the signal ends the program; this limit is for a call without one. */
const LONGEST = 60_000;

export type Argv = readonly [string, ...string[]];

/** The program with its absolute path, found before any agent runs. */
export function programOf(words: readonly string[], { env, root }: Pick<Given, 'env' | 'root'>): Result<Argv, string> {
  const [name = '', ...args] = words.map(word => (word.startsWith('~/') ? join(env.HOME ?? '/', word.slice(2)) : word));
  const own = words.find(word => isInside(root, resolve(root, word)) && existsSync(resolve(root, word)));
  if (own !== undefined)
    return fail(
      `${own} is in the repository, where an agent can change it; keep it elsewhere, such as ~/.config/ralph`,
    );
  if (name.includes('/') && !isAbsolute(name)) return fail(`${name} is neither a name on the PATH nor a whole path`);
  // npm puts the repository's own programs first on the PATH.
  const path = (env.PATH ?? '').split(delimiter).filter(folder => isAbsolute(folder) && !isInside(root, folder));
  const found = programPath(name, { PATH: path.join(delimiter) });
  if (found === undefined || !existsSync(found)) return fail(`there is no program ${name} on the PATH`);
  if (isInside(root, found)) return fail(`${name} is in the repository, where an agent can change it`);
  return ok([found, ...args]);
}

function isInside(root: string, path: string): boolean {
  const [outer, inner] = [root, path].map(realPath);
  return outer === inner || pathBelow(outer ?? root, inner ?? path) !== undefined;
}

export interface Told {
  readonly argv: Argv;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
  readonly signal: AbortSignal;
}

export async function tellProgram({ argv, env, input, signal }: Told): Promise<Trouble | undefined> {
  if (signal.aborted) return { why: 'the run no longer waits' };
  // Not in the repository, because a program might load files from there that an agent wrote.
  const cwd = env.HOME && existsSync(env.HOME) ? env.HOME : '/';
  const { code, stderr } = await capture({ argv, cwd, env, input, maxBytes: OUTPUT, timeoutMs: LONGEST, signal });
  if (code === 0) return undefined;
  if (signal.aborted) return { why: 'it did not end in time and was ended' };
  const said = oneLine(stderr, 200);
  return { why: `${code === null ? 'it failed' : `it exited with ${code}`}${said ? `: ${said}` : ''}` };
}
