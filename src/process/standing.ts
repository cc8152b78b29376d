/** A long-running program that answers on its pipes; it keeps the runner alive only while an answer is awaited. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export type Standing = ChildProcessWithoutNullStreams;

/** Undefined if it cannot be started. */
export function startStanding(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Standing | undefined {
  try {
    return spawn(program, args, { cwd, env, stdio: 'pipe' });
  } catch {
    return undefined;
  }
}

/** An idle program must not keep the runner alive. */
export function keepAlive(child: Standing, busy: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket]) {
    if (busy) handle.ref();
    else handle.unref();
  }
}
