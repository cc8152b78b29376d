/** Short tool calls such as git: run, wait, take the output. */

import type { ChildProcess } from 'node:child_process';
import { plain } from '../util/show.ts';
import { childProcess } from './child-process.ts';
import { keepTrack } from './running.ts';

export interface CaptureOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Buffer | string;
  /** Of each of stdout and stderr; the process is ended when it writes more. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface Captured {
  /** Null when it was not started or did not end by itself. */
  readonly code: number | null;
  readonly stdout: Buffer;
  /** What it wrote to stderr; where it could not be run to its end, why. */
  readonly stderr: string;
  readonly truncated: boolean;
}

/** How long its output may stay open once it has exited: a child of its own may hold it. */
const DRAIN_MS = 2_000;

/**
 * Never rejects. In a group of its own, so that Ctrl-C reaches the runner alone and nothing is left half written; and
 * waited for by the event loop, so that the runner hears every signal meanwhile.
 */
export function capture(options: CaptureOptions): Promise<Captured> {
  const [program, ...args] = options.argv;
  const { cwd, env, input, maxBytes, timeoutMs } = options;
  let child: ChildProcess;
  try {
    child = childProcess().spawn(program, args, {
      cwd,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
  } catch (error) {
    // An argument with a NUL in it is refused by a throw.
    return Promise.resolve(notStarted(program, error));
  }
  return new Promise(resolve => {
    const out = collect(child.stdout, { maxBytes, onFull: () => end(`wrote more than ${maxBytes} bytes`) });
    const err = collect(child.stderr, { maxBytes, onFull: () => end(`wrote more than ${maxBytes} bytes`) });
    let ended: string | undefined;
    const forget = child.pid === undefined ? undefined : keepTrack({ pid: child.pid, command: options.argv.join(' ') });
    const end = (why: string) => {
      ended ??= why;
      killGroup(child);
    };
    const late = setTimeout(() => end(`did not end within ${timeoutMs} ms`), Math.min(Math.max(1, timeoutMs), 2 ** 30));
    let drain: NodeJS.Timeout | undefined;
    const finish = (code: number | null, signal: string | null) => {
      clearTimeout(late);
      clearTimeout(drain);
      forget?.();
      const said = plain(err.bytes().toString('utf8')).trimEnd();
      const why = ended ?? (signal === null ? undefined : `was killed by ${signal}`);
      const problem = why === undefined ? '' : `${program} ${why}${ended ? ' and was ended' : ''}.`;
      resolve({
        code: why === undefined ? code : null,
        stdout: out.bytes(),
        stderr: [said, problem].filter(Boolean).join('\n'),
        truncated: out.isFull() || err.isFull(),
      });
    };
    child.once('error', error => {
      // Any later error is a signal that could not be sent.
      if (child.pid !== undefined) return;
      clearTimeout(late);
      resolve(notStarted(program, error));
    });
    child.once('close', finish);
    child.once('exit', (code, signal) => {
      drain = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        child.off('close', finish);
        finish(code, signal);
      }, DRAIN_MS);
    });
    // A program need not read its input to the end.
    child.stdin?.on('error', () => undefined);
    if (input !== undefined) child.stdin?.end(input);
  });
}

interface Collected {
  bytes(): Buffer;
  isFull(): boolean;
}

function collect(
  stream: ChildProcess['stdout'],
  { maxBytes, onFull }: { readonly maxBytes: number; readonly onFull: () => void },
): Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('error', () => undefined);
  stream?.on('data', (chunk: Buffer) => {
    if (size <= maxBytes) chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) onFull();
  });
  return {
    bytes: () => {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      return all.subarray(0, maxBytes);
    },
    isFull: () => size > maxBytes,
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}

const notStarted = (program: string, error: unknown): Captured => ({
  code: null,
  stdout: Buffer.alloc(0),
  stderr: `${program} could not be started: ${error instanceof Error ? error.message : String(error)}`,
  truncated: false,
});
