/** A process that outlives this one, on purpose. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { LEASE } from './strays.ts';

const RUNNER = 'runner';

/** The environment for what a runner starts: the mark that is the runner's own is not theirs. */
export function withoutOwnMark(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [LEASE]: lease, ...rest } = env;
  return lease === RUNNER ? rest : env;
}

/** Starts a program with its output in a file and lets go of it; its pid, or undefined when it could not be started. */
export function startDetached({
  argv,
  log,
  env = {},
}: {
  readonly argv: readonly [string, ...string[]];
  readonly log: string;
  readonly env?: Readonly<Record<string, string>>;
}): number | undefined {
  const [program, ...args] = argv;
  const fd = openSync(log, 'a');
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', fd, fd],
    // To runs beside it, it is nobody's stray.
    env: { ...process.env, ...env, [LEASE]: RUNNER },
  });
  child.on('error', () => undefined);
  child.unref();
  closeSync(fd);
  return child.pid;
}
