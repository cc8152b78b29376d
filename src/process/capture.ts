/** Short tool calls such as git: run, wait, take the output. */

import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { plain } from '../util/show.ts';
import { childProcess } from './child-process.ts';
import { killGroup } from './kill-group.ts';
import { programPath } from './program-path.ts';
import { callInShell } from './resident-shell.ts';
import { keepTrack } from './running.ts';

export interface CaptureOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Buffer | string;
  /** Of each of stdout and stderr; the process is ended when it writes more. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
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
export async function capture(options: CaptureOptions): Promise<Captured> {
  return (await captureInShell(options)) ?? (await captureInChild(options));
}

/** Calls before there is a shell: a program that makes few of them is quicker without. */
const FEW_CALLS = 3;
let calls = 0;

/** Undefined where this call is not one for the shell. */
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
  // What a shell says of a command that a signal ended; git itself uses 128 and 129.
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
    // An argument with a NUL in it is refused by a throw.
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

interface Over {
  readonly program: string;
  readonly out: Collector;
  readonly err: Collector;
  readonly code: number | null;
  /** Why it was ended by us. */
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
  stderr: `${program} could not be started: ${error instanceof Error ? error.message : String(error)}`,
  truncated: false,
});
