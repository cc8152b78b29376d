/** A program that stays and answers on its pipes; it never keeps the runner alive while nobody waits for an answer. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export type Standing = ChildProcessWithoutNullStreams;

/** Undefined where it cannot be started. */
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

/** While it is only waiting it must not keep the runner alive. */
export function keepAlive(child: Standing, busy: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket]) {
    if (busy) handle.ref();
    else handle.unref();
  }
}
