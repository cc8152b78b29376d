/** Starts another process of this program in its own session, so that it survives this one, and reads its lines. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { runnerMark } from './detached.ts';

export interface ChildRun {
  readonly pid: number | undefined;
  /** Its exit code; 143 and similar codes for a signal. */
  readonly ended: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

export interface ChildRunOptions {
  readonly argv: readonly [string, ...string[]];
  readonly onLine: (line: string) => void;
  /** Lines from standard error. */
  readonly onTrouble: (line: string) => void;
}

const DRAIN_MS = 2_000;

const SIGNALLED: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 };

export function startChildRun({ argv, onLine, onTrouble }: ChildRunOptions): ChildRun {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...runnerMark },
  });
  const read = [
    [child.stdout, onLine],
    [child.stderr, onTrouble],
  ] as const;
  for (const [stream, tell] of read) createInterface({ input: stream }).on('line', tell);
  const failed = once(child, 'error').then(([error]) => {
    onTrouble(`ralph: it could not be started: ${(error as Error).message}`);
    return 4;
  });
  const closed = once(child, 'close');
  const exited = once(child, 'exit').then(async ([code, signal]: unknown[]) => {
    // Processes that a killed runner left behind may hold its output open.
    await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    return typeof code === 'number' ? code : (SIGNALLED[String(signal)] ?? 1);
  });
  return {
    pid: child.pid,
    ended: Promise.race([failed, exited]),
    kill: signal => {
      child.kill(signal);
    },
  };
}
