/** Starts the built program as a user does, in an environment without anything from the machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEndOfFile } from './at-end.ts';

/** `RALPH_TEST_DIST` names another build, for example one that is not rewritten while a soak runs. */
const dist = process.env.RALPH_TEST_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
export const cliFile = join(dist, 'cli.cjs');

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

export interface CliOptions {
  readonly cwd: string;
  /** An empty folder of the test. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its stdin, which is empty by default. */
  readonly input?: string;
  /** Modules loaded before the program. */
  readonly preload?: readonly string[];
  /** Runs as another user; only root can do that. */
  readonly uid?: number;
}

/** PATH and an empty HOME: no git configuration, no `NODE_OPTIONS`, no locale; a sandbox only if a test wants one. */
export function cleanEnv(home: string, extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    RALPH_SANDBOX: 'none',
    ...extra,
  };
}

/** Programs that have not ended: one that waits for nobody, such as `ralph serve`, would outlive a test that failed. */
const running = new Set<ChildProcess>();

function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
}

/** Starts `ralph <args>` and returns at once; it is ended with its test file at the latest. */
export function startRalph(args: readonly string[], { cwd, home, env, input, preload = [], uid }: CliOptions): Running {
  const imports = preload.flatMap(file => ['--import', file]);
  const child = spawn(process.execPath, [...imports, cliFile, ...args], {
    cwd,
    env: cleanEnv(home, env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  if (running.size === 0) atEndOfFile(endAll);
  running.add(child);
  // A program that does not read its stdin closes it.
  child.stdin?.on('error', () => undefined).end(input);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  const ended = once(child, 'close').then(([code, signal]: unknown[]): Ended => {
    running.delete(child);
    return {
      code: code as number | null,
      signal: signal as string | null,
      stdout: Buffer.concat(stdout).toString('utf8'),
      stderr: Buffer.concat(stderr).toString('utf8'),
    };
  });
  return { child, pid: child.pid ?? 0, ended };
}

/** Runs `ralph <args>` to its end. */
export async function ralph(args: readonly string[], options: CliOptions): Promise<Ended> {
  return await startRalph(args, options).ended;
}
