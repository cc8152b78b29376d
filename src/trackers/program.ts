/** One call of `gh`, `glab` or `bd`: its output, or a sentence with the next step. */
import { capture, programPath } from '../process/index.ts';
import type { SourcePlace } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';

export interface Program {
  readonly name: 'gh' | 'glab' | 'bd';
  /** Where people get it. */
  readonly home: string;
  /** How it says that it is not logged in. */
  readonly isLogin: (code: number | null, said: string) => boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Nobody is there to answer a question or to read about a new version. */
const QUIET = {
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  NO_PROMPT: '1',
  NO_COLOR: '1',
  GLAMOUR_STYLE: 'notty',
};

export async function callProgram(
  { name, home, isLogin }: Program,
  args: readonly string[],
  { place, input }: { readonly place: SourcePlace; readonly input?: string },
): Promise<Result<string>> {
  if (programPath(name, place.env) === undefined) {
    return fail<Failure>({
      reason: 'tracker-program',
      message: `${name} is not installed, and issues are read through it`,
      hint: `Install it (${home}), then: ${name} auth login`,
    });
  }
  const ended = await capture({
    argv: [name, ...args],
    cwd: place.cwd,
    env: { ...place.env, ...QUIET },
    maxBytes: MAX_BYTES,
    timeoutMs: place.timeoutMs,
    ...(input === undefined ? {} : { input }),
  });
  if (ended.code === 0) return ok(ended.stdout.toString('utf8'));
  const said = ended.stderr.trim();
  if (isLogin(ended.code, said)) {
    return fail<Failure>({
      reason: 'tracker-login',
      message: `${name} is not logged in`,
      hint: `Log in: ${name} auth login`,
    });
  }
  return fail<Failure>({
    reason: 'tracker-refused',
    message: `${name} ${args.slice(0, 2).join(' ')} failed: ${oneLine(said || `exit ${ended.code ?? 'by a signal'}`, 300)}`,
    hint: name === 'bd' ? 'Try it yourself: bd doctor' : `Try it yourself: ${name} auth status`,
  });
}

/** What a program prints as JSON, as a list of records; anything else is a failure. */
export function recordsIn(text: string, program: string): Result<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '[]' : text);
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (list.every((each): each is Record<string, unknown> => typeof each === 'object' && each !== null))
      return ok(list);
  } catch {
    // Said below.
  }
  return fail<Failure>({
    reason: 'tracker-refused',
    message: `${program} printed something that is not a list of issues: ${oneLine(text, 100)}`,
    hint: `A newer version may print JSON: ${program} --version`,
  });
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One id after the other: the first trouble ends it, and what is not there is left out. */
export async function eachOf<T>(
  ids: readonly string[],
  read: (id: string) => Promise<Result<T | undefined>>,
): Promise<Result<readonly T[]>> {
  const found: T[] = [];
  for (const id of ids) {
    const one = await read(id);
    if (!one.ok) return one;
    if (one.value !== undefined) found.push(one.value);
  }
  return ok(found);
}
