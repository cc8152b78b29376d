/**
 * Small shells that stay, for short calls. Forking this process copies the page tables of its whole heap, which takes
 * longer than most git calls do; forking a shell of one megabyte does not. Each has one call at a time: whoever finds all
 * of them busy starts a process of its own.
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { childProcess } from './child-process.ts';
import { killGroup } from './kill-group.ts';

export interface ShellCall {
  /** The program by its whole path: the shell is not asked to look for it. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onOut: (chunk: Buffer) => void;
  readonly onErr: (chunk: Buffer) => void;
}

export interface Call {
  /** Of the shell, which leads the group that the call runs in. */
  readonly pid: number;
  /** Null when the shell itself came to its end. */
  readonly ended: Promise<number | null>;
}

interface Shell {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly env: NodeJS.ProcessEnv;
  readonly streams: readonly Socket[];
  call: { onOut(chunk: Buffer): void; onErr(chunk: Buffer): void; onEnd(): void } | undefined;
}

/** One for git, two for those who look through files beside it. */
const SHELLS = 3;
const shells: Shell[] = [];
let isRefused = false;

/** Undefined where all shells are busy or none can be had. */
export function callInShell({ argv, cwd, env, onOut, onErr }: ShellCall): Call | undefined {
  const here = shells.find(shell => !shell.call) ?? startShell(env);
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
      // The code stands before the mark, in four characters.
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
    `(cd -P -- ${quote(cwd)} || exit 126; ${settings(here.env, env)}exec ${argv.map(quote).join(' ')}) </dev/null
printf '%4d${mark}\\n' $?; printf '0000${mark}\\n' >&2
`,
  );
  return { pid: here.pid, ended };
}

/** The digits before the mark. */
const CODE = 4;

/** Passes on what comes before the code and the mark, holding back only what may be their beginning. */
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
  if (isRefused || shells.length >= SHELLS) return undefined;
  const child = childProcess().spawn('/bin/sh', ['-s'], { env, cwd: '/', stdio: 'pipe', detached: true });
  const { pid } = child;
  const started: Shell | undefined =
    pid === undefined
      ? undefined
      : { child, pid, env, streams: [child.stdin, child.stdout, child.stderr] as unknown as Socket[], call: undefined };
  const over = () => {
    // The next call has another one, unless it cannot be started at all.
    if (started && shells.includes(started)) shells.splice(shells.indexOf(started), 1);
    if (pid === undefined) isRefused = true;
    started?.call?.onEnd();
  };
  child.once('error', over);
  child.once('close', over);
  // Whoever ended the shell left its call running, with the outputs that are read to their end.
  child.once('exit', () => killGroup(pid));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => started?.call?.onOut(chunk));
  child.stderr.on('data', (chunk: Buffer) => started?.call?.onErr(chunk));
  child.unref();
  for (const stream of started?.streams ?? []) stream.unref();
  if (started) shells.push(started);
  return started;
}

/** Variables with other names do not go through a shell, and git has none. */
const NAME = /^[A-Za-z_]\w*$/;

/** What makes the shell's environment the wanted one. */
function settings(has: NodeJS.ProcessEnv, wanted: NodeJS.ProcessEnv): string {
  if (has === wanted) return '';
  const gone = Object.keys(has).filter(name => NAME.test(name) && wanted[name] === undefined);
  const set = Object.entries(wanted).filter(
    ([name, value]) => NAME.test(name) && value !== undefined && value !== has[name],
  );
  return [
    gone.length > 0 ? `unset ${gone.join(' ')}; ` : '',
    ...set.map(([name, value]) => `export ${name}=${quote(value ?? '')}; `),
  ].join('');
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
