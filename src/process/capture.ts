/** Short tool calls such as git: run, wait, take the output. */

import { childProcess } from '../util/child-process.ts';
import { plain } from '../util/show.ts';

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

/**
 * Blocks the event loop on purpose: a git call takes a few milliseconds, and waiting for it through the loop costs
 * another. Callers await it all the same, so that this can change. Never rejects.
 */
export function capture(options: CaptureOptions): Promise<Captured> {
  const [program, ...args] = options.argv;
  try {
    const result = childProcess().spawnSync(program, args, {
      cwd: options.cwd,
      env: options.env,
      ...(options.input === undefined ? {} : { input: options.input }),
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      maxBuffer: options.maxBytes,
      timeout: Math.min(Math.max(1, options.timeoutMs), 2 ** 30),
      killSignal: 'SIGKILL',
    });
    // A program need not read its input to the end.
    const error = codeOf(result.error) === 'EPIPE' ? undefined : result.error;
    const problem = error ? describe(program, error, options) : '';
    const said = result.stderr ? plain(result.stderr.toString('utf8')) : '';
    return Promise.resolve({
      code: error ? null : result.status,
      // The bound is checked between reads, so a read may go past it.
      stdout: result.stdout?.subarray(0, options.maxBytes) ?? Buffer.alloc(0),
      stderr: [said.trimEnd(), problem].filter(Boolean).join('\n'),
      truncated: codeOf(error) === 'ENOBUFS',
    });
  } catch (error) {
    // An argument with a NUL in it is refused by a throw.
    return Promise.resolve({
      code: null,
      stdout: Buffer.alloc(0),
      stderr: describe(program, error, options),
      truncated: false,
    });
  }
}

function describe(program: string, error: unknown, options: CaptureOptions): string {
  switch (codeOf(error)) {
    case 'ENOBUFS':
      return `${program} wrote more than ${options.maxBytes} bytes and was ended.`;
    case 'ETIMEDOUT':
      return `${program} did not end within ${options.timeoutMs} ms and was ended.`;
    default:
      return `${program} could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
