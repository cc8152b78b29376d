/**
 * Small shells that stay alive for short calls. Forking this process copies the page tables of its whole heap, which takes longer than
 * most git calls; forking a shell of one megabyte does not. Each shell runs one call at a time. If all are busy, another is started, up to
 * a limit; beyond that, the caller starts a process of its own.
 */

import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { singleQuoted } from '../util/shell-word.ts';
import { childProcess } from './child-process.ts';
import { killGroup } from './send-signal.ts';

export interface ShellCall {
  /** The program with its absolute path, so that the shell need not search for it. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onOut: (chunk: Buffer) => void;
  readonly onErr: (chunk: Buffer) => void;
}

export interface Call {
  /** The pid of the shell, which leads the process group of the call. */
  readonly pid: number;
  /** Null if the shell itself exited. */
  readonly ended: Promise<number | null>;
}

interface Shell {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly env: NodeJS.ProcessEnv;
  readonly streams: readonly Socket[];
  call: { onOut(chunk: Buffer): void; onErr(chunk: Buffer): void; onEnd(): void } | undefined;
}

/** As many parallel calls as workers usually make. */
const SHELLS = 4;
const shells = new Set<Shell>();
let isRefused = false;

/** Undefined if all shells are busy or none can be started. */
export function callInShell({ argv, cwd, env, onOut, onErr }: ShellCall): Call | undefined {
  const here = freeShell(env);
  if (!here) return undefined;
  const mark = randomBytes(16).toString('hex');
  const end = Buffer.from(`${mark}\n`);
  const ended = new Promise<number | null>(resolve => {
    let code: number | undefined;
    let open = 2;
    const finish = (value: number | null) => {
      here.call = undefined;
      for (const stream of here.streams) stream.unref();
      resolve(value);
    };
    const close = () => {
      open -= 1;
      if (open === 0) finish(code ?? null);
    };
    const out = untilMark(end, onOut, before => {
      // The exit code precedes the mark, in four characters.
      code = Number(before.toString('latin1'));
      close();
    });
    const err = untilMark(end, onErr, close);
    const onEnd = () => {
      for (const stream of [out, err]) stream.flush();
      finish(null);
    };
    here.call = { onOut: out.add, onErr: err.add, onEnd };
  });
  for (const stream of here.streams) stream.ref();
  here.child.stdin?.write(
    `(cd -P -- ${singleQuoted(cwd)} || exit 126; ${settings(here.env, env)}exec ${argv.map(singleQuoted).join(' ')}) </dev/null
printf '%4d${mark}\\n' $?; printf '0000${mark}\\n' >&2
`,
  );
  return { pid: here.pid, ended };
}

function freeShell(env: NodeJS.ProcessEnv): Shell | undefined {
  for (const shell of shells) if (!shell.call) return shell;
  return isRefused || shells.size === SHELLS ? undefined : startShell(env);
}

/** The width of the exit code before the mark. */
const CODE = 4;

/** Passes on everything before the code and the mark, and holds back only what may be their start. */
function untilMark(mark: Buffer, pass: (chunk: Buffer) => void, found: (code: Buffer) => void) {
  const length = CODE + mark.length;
  let held: Buffer = Buffer.alloc(0);
  const passTo = (all: Buffer, end: number) => {
    if (end > 0) pass(all.subarray(0, end));
    held = all.subarray(end);
  };
  return {
    add: (chunk: Buffer) => {
      const all = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      passTo(all, Math.max(0, all.length - length));
      if (held.length === length && held.subarray(CODE).equals(mark)) found(held.subarray(0, CODE));
    },
    flush: () => passTo(held, held.length),
  };
}

function startShell(env: NodeJS.ProcessEnv): Shell | undefined {
  const child = childProcess().spawn('/bin/sh', ['-s'], { env, cwd: '/', stdio: 'pipe', detached: true });
  const { pid } = child;
  const started: Shell | undefined =
    pid === undefined
      ? undefined
      : { child, pid, env, streams: [child.stdin, child.stdout, child.stderr] as unknown as Socket[], call: undefined };
  const over = () => {
    // The next call starts another shell, unless no shell can be started at all.
    if (started) shells.delete(started);
    else isRefused = true;
    started?.call?.onEnd();
  };
  child.once('error', over);
  child.once('close', over);
  // If the shell was killed, its call is still running and holds the output open.
  child.once('exit', () => killGroup(pid));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => started?.call?.onOut(chunk));
  child.stderr.on('data', (chunk: Buffer) => started?.call?.onErr(chunk));
  child.unref();
  for (const stream of started?.streams ?? []) stream.unref();
  if (started) shells.add(started);
  return started;
}

/** Variables with other names cannot be set in a shell, and git uses none. */
const NAME = /^[A-Za-z_]\w*$/;

/** Shell code that turns the shell's environment into the wanted one. */
function settings(has: NodeJS.ProcessEnv, wanted: NodeJS.ProcessEnv): string {
  if (has === wanted) return '';
  const gone = Object.keys(has).filter(name => NAME.test(name) && wanted[name] === undefined);
  const set = Object.entries(wanted).filter(
    ([name, value]) => NAME.test(name) && value !== undefined && value !== has[name],
  );
  return [
    gone.length > 0 ? `unset ${gone.join(' ')}; ` : '',
    ...set.map(([name, value]) => `export ${name}=${singleQuoted(value ?? '')}; `),
  ].join('');
}
