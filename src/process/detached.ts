/** Starts a process that deliberately outlives this one. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { LEASE } from './strays.ts';

const RUNNER = 'runner';

/** Marks a runner in a session of its own, so that other live runs do not take it for a stray. */
export const runnerMark: Readonly<Record<string, string>> = { [LEASE]: RUNNER };

/** Whether this process was started that way. */
export const isOwnSession = (env: NodeJS.ProcessEnv): boolean => env[LEASE] === RUNNER;

/** The environment for programs that a runner starts, without the runner's own mark. */
export function withoutOwnMark(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!isOwnSession(env)) return env;
  const { [LEASE]: _, ...rest } = env;
  return rest;
}

/** Starts a program in the background with its output in a file; returns its pid, or undefined if it could not be started. */
export function startDetached({
  argv,
  log,
  cwd,
}: {
  readonly argv: readonly [string, ...string[]];
  readonly log: string;
  /** Default: the working directory of this process. */
  readonly cwd?: string;
}): number | undefined {
  const [program, ...args] = argv;
  const fd = openSync(log, 'a');
  const child = spawn(program, args, {
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', fd, fd],
    env: { ...process.env, ...runnerMark },
  });
  child.on('error', () => undefined);
  child.unref();
  closeSync(fd);
  return child.pid;
}
