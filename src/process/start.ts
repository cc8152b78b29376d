/** Starts a process in its own group, with its output on pipes that can be recognized later. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ProcessId } from '../protocol.ts';
import { errorText, fail, ok, type Result } from '../util/result.ts';
import { identify } from './identity.ts';
import { closeQuietly, type Pipe, takePipe } from './pipes.ts';
import { LEASE } from './strays.ts';

export interface StartOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The complete environment: only the lease is added. */
  readonly env: NodeJS.ProcessEnv;
  /** The file becomes the child's standard input directly, so nothing blocks if the child does not read it. */
  readonly stdin?: { readonly file: string } | 'none';
  /** Marks all descendants of the process, so that they can be found after a crash. */
  readonly lease?: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly id: ProcessId;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pipes: ReadonlySet<string>;
  /** Called once nothing searches for `pipes` any more. */
  unpin(): void;
}

/** A promise only on failure, because Node reports the reason one tick later. The error is a sentence. */
export function start(options: StartOptions): Result<Started, string> | Promise<Result<never, string>> {
  const [program, ...args] = options.argv;
  const pipes: Pipe[] = [];
  const ours: number[] = [];
  try {
    const stdin = options.stdin && options.stdin !== 'none' ? openSync(options.stdin.file, 'r') : undefined;
    if (stdin !== undefined) ours.push(stdin);
    const outPipe = takePipe();
    const errPipe = takePipe();
    for (const pipe of [outPipe, errPipe]) if (pipe) pipes.push(pipe);
    const stdio: StdioOptions = [stdin ?? 'ignore', outPipe?.write ?? 'pipe', errPipe?.write ?? 'pipe'];
    const env = options.lease === undefined ? options.env : { ...options.env, [LEASE]: options.lease };
    const child = spawn(program, args, { cwd: options.cwd, env, stdio, detached: true });

    const { pid } = child;
    if (pid === undefined) {
      closeOurs(pipes);
      return new Promise(resolve => child.once('error', error => resolve(fail(whyNot(error, options)))));
    }
    // A later error means that a signal could not be sent; whether the process is gone is checked separately.
    child.on('error', () => {});
    return ok({
      child,
      id: identify(pid) ?? { pid, started: '', boot: '' },
      stdout: readable(outPipe, child.stdout),
      stderr: readable(errPipe, child.stderr),
      pipes: new Set(pipes.map(pipe => pipe.key)),
      unpin: () => {
        for (const pipe of pipes) closeQuietly(pipe.pin);
      },
    });
  } catch (error) {
    closeOurs(pipes);
    return fail(whyNot(error, options));
  } finally {
    // The runner's copies of the child's ends: while one is open, the output never ends.
    for (const fd of [...ours, ...pipes.map(pipe => pipe.write)]) closeQuietly(fd);
  }
}

function closeOurs(pipes: readonly Pipe[]): void {
  for (const pipe of pipes) {
    closeQuietly(pipe.read);
    closeQuietly(pipe.pin);
  }
}

function readable(pipe: Pipe | undefined, stream: Readable | null): Readable {
  const source = pipe ? new Socket({ fd: pipe.read, readable: true, writable: false }) : stream;
  if (!source) throw new Error('a child without a pipe has a stream');
  source.on('error', () => {});
  return source;
}

function whyNot(error: unknown, { argv: [program], cwd, stdin }: StartOptions): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = errorText(error);
  const input = stdin && stdin !== 'none' ? stdin.file : undefined;
  if (input !== undefined && message.includes('open') && message.includes(input))
    return `${input} cannot be read: ${code}.`;
  switch (code) {
    case 'ENOENT':
      if (!existsSync(cwd)) return `The folder ${cwd} does not exist.`;
      if (program.includes('/') && existsSync(program)) return `${program} needs an interpreter that was not found.`;
      return `${program} was not found. Is it installed and on the PATH?`;
    case 'EACCES':
      return `${program} may not be run: it is not executable, or ${cwd} may not be entered.`;
    case 'E2BIG':
      return `The command line and environment of ${program} are too long for this system.`;
    default:
      return `${program} could not be started: ${message}`;
  }
}
