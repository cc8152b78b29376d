/** A process that outlives this one, on purpose. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { LEASE } from './strays.ts';

const RUNNER = 'runner';

/** What marks a runner in a session of its own: to runs beside it, it is nobody's stray. */
export const runnerMark: Readonly<Record<string, string>> = { [LEASE]: RUNNER };

/** Whether this process was started so. */
export const isOwnSession = (env: NodeJS.ProcessEnv): boolean => env[LEASE] === RUNNER;

/** The environment for what a runner starts: the mark that is the runner's own is not theirs. */
export function withoutOwnMark(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!isOwnSession(env)) return env;
  const { [LEASE]: _, ...rest } = env;
  return rest;
}

/** Starts a program with its output in a file and lets go of it; its pid, or undefined when it could not be started. */
export function startDetached({
  argv,
  log,
  cwd,
}: {
  readonly argv: readonly [string, ...string[]];
  readonly log: string;
  /** Where this process is, unless told otherwise. */
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
