/** Short calls of tools such as git: starts them, waits, and returns their output. */

import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { errorText } from '../util/result.ts';
import { plain } from '../util/show.ts';
import { childProcess } from './child-process.ts';
import { programPath } from './program-path.ts';
import { callInShell } from './resident-shell.ts';
import { keepTrack } from './running.ts';
import { killGroup } from './send-signal.ts';

export interface CaptureOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Buffer | string;
  /** Limit for stdout and stderr each; a process that writes more is ended. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Ends the process at once. */
  readonly signal?: AbortSignal;
}

export interface Captured {
  /** Null if the process was not started, or was ended. */
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The output on stderr; if the process could not finish, also why. */
  readonly stderr: string;
  readonly truncated: boolean;
}

/** How long the output may stay open after the exit, because a child may still hold it. */
const DRAIN_MS = 2_000;

/**
 * Never rejects. The call runs in its own process group, so that Ctrl-C reaches only the runner and nothing is left half written. It is
 * awaited asynchronously, so that the runner handles signals meanwhile.
 */
export async function capture(options: CaptureOptions): Promise<Captured> {
  return (await captureInShell(options)) ?? (await captureInChild(options));
}

/** Number of calls before a resident shell is started: for a few calls, starting it does not pay. */
const FEW_CALLS = 3;
let calls = 0;

/** For a program with many calls to come: starts the shell with the first call, while this process is still small. */
export function expectCalls(): void {
  calls = Math.max(calls, FEW_CALLS);
}

/** Undefined if the call is not suitable for the shell. */
async function captureInShell(options: CaptureOptions): Promise<Captured | undefined> {
  const { argv, cwd, env, input, maxBytes, timeoutMs } = options;
  calls += 1;
  const [name, ...args] = argv;
  if (calls <= FEW_CALLS || input !== undefined || options.signal || argv.some(word => word.includes('\0')))
    return undefined;
  const program = programPath(name, env);
  if (program === undefined || !existsSync(cwd)) return undefined;
  let ended: string | undefined;
  let pid: number | undefined;
  const end = (why: string) => {
    ended ??= why;
    killGroup(pid);
  };
  const onFull = () => end(`wrote more than ${maxBytes} bytes`);
  const out = collector(maxBytes, onFull);
  const err = collector(maxBytes, onFull);
  const call = callInShell({ argv: [program, ...args], cwd, env, onOut: out.add, onErr: err.add });
  if (!call) return undefined;
  pid = call.pid;
  const forget = keepTrack({ pid, command: argv.join(' ') });
  const late = setTimeout(() => end(`did not end within ${timeoutMs} ms`), longest(timeoutMs));
  const code = await call.ended;
  clearTimeout(late);
  forget();
  // The exit code that a shell reports for a command killed by a signal; git itself uses 128 and 129.
  const signal = code === null || code > 129 ? signalName(code === null ? 9 : code - 128) : undefined;
  return captured({ program: name, out, err, code, ended, signal });
}

function captureInChild(options: CaptureOptions): Promise<Captured> {
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
    // Node throws on an argument that contains NUL.
    return Promise.resolve(notStarted(program, error));
  }
  return new Promise(resolve => {
    let ended: string | undefined;
    const end = (why: string) => {
      ended ??= why;
      killGroup(child.pid);
    };
    const onFull = () => end(`wrote more than ${maxBytes} bytes`);
    const out = collector(maxBytes, onFull);
    const err = collector(maxBytes, onFull);
    for (const [stream, { add }] of [
      [child.stdout, out],
      [child.stderr, err],
    ] as const) {
      stream?.on('error', () => undefined);
      stream?.on('data', add);
    }
    const forget = child.pid === undefined ? undefined : keepTrack({ pid: child.pid, command: options.argv.join(' ') });
    const late = setTimeout(() => end(`did not end within ${timeoutMs} ms`), longest(timeoutMs));
    const aborted = () => end('was not waited for any longer');
    options.signal?.addEventListener('abort', aborted);
    let drain: NodeJS.Timeout | undefined;
    const finish = (code: number | null, signal: string | null) => {
      clearTimeout(late);
      clearTimeout(drain);
      options.signal?.removeEventListener('abort', aborted);
      forget?.();
      resolve(captured({ program, out, err, code, ended, signal: signal ?? undefined }));
    };
    child.once('error', error => {
      // A later error means that a signal could not be sent.
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

interface Over {
  readonly program: string;
  readonly out: Collector;
  readonly err: Collector;
  readonly code: number | null;
  /** Why the runner ended it. */
  readonly ended: string | undefined;
  readonly signal: string | undefined;
}

function captured({ program, out, err, code, ended, signal }: Over): Captured {
  const said = plain(err.bytes().toString('utf8')).trimEnd();
  const why = ended ?? (signal === undefined ? undefined : `was killed by ${signal}`);
  const problem = why === undefined ? '' : `${program} ${why}${ended ? ' and was ended' : ''}.`;
  return {
    code: why === undefined ? code : null,
    stdout: out.bytes(),
    stderr: [said, problem].filter(Boolean).join('\n'),
    truncated: out.isFull() || err.isFull(),
  };
}

const longest = (ms: number): number => Math.min(Math.max(1, ms), 2 ** 30);

const signalName = (number: number): string =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;

interface Collector {
  readonly add: (chunk: Buffer) => void;
  bytes(): Buffer;
  isFull(): boolean;
}

function collector(maxBytes: number, onFull: () => void): Collector {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add: chunk => {
      if (size <= maxBytes) chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) onFull();
    },
    bytes: () => {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      return all.subarray(0, maxBytes);
    },
    isFull: () => size > maxBytes,
  };
}

const notStarted = (program: string, error: unknown): Captured => ({
  code: null,
  stdout: Buffer.alloc(0),
  stderr: `${program} could not be started: ${errorText(error)}`,
  truncated: false,
});
