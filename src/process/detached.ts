/** A process that outlives this one, on purpose. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** Starts a program with its output in a file and lets go of it; its pid, or undefined when it could not be started. */
export function startDetached({
  argv,
  log,
}: {
  readonly argv: readonly [string, ...string[]];
  readonly log: string;
}): number | undefined {
  const [program, ...args] = argv;
  const fd = openSync(log, 'a');
  const child = spawn(program, args, { detached: true, stdio: ['ignore', fd, fd] });
  child.on('error', () => undefined);
  child.unref();
  closeSync(fd);
  return child.pid;
}
