/**
 * Supervises one process from start to end. Whatever the process does, this returns how it ended, and leaves nothing of it running.
 *
 *  start ──► exited ──► drain (bounded) ──► sweep ──► end
 *     └────► idle | timeout | lingered | stopped ──► sweep (TERM, grace, KILL) ──┘
 */

import type { Leftover, ProcessEnd, ProcessId } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';
import { errorText } from '../util/result.ts';
import { secretValues } from '../util/secret-values.ts';
import { type CappedLog, type CappedLogOptions, openCappedLog } from './capped-log.ts';
import { capture } from './capture.ts';
import { type Output, takeOutput } from './output.ts';
import { keepTrack } from './running.ts';
import { killGroup, sendSignal } from './send-signal.ts';
import { type Started, type StartOptions, start } from './start.ts';
import { sweep } from './sweep.ts';
import { type Watch, watchOver, within } from './watch.ts';

export interface SuperviseOptions extends StartOptions {
  /** Longest silence on stdout and stderr together. */
  readonly idleMs?: number;
  readonly timeoutMs?: number;
  /** The time between TERM and KILL. */
  readonly graceMs?: number;
  /** How long the process may stay after `onLine` returned `finished`. */
  readonly lingerMs?: number;
  /** How long its output may stay open after it exited. */
  readonly drainMs?: number;
  readonly log?: CappedLogOptions;
  /** Where it works: unmarked processes there are reported, or ended with `killSuspects`. */
  readonly workspace?: string;
  /** A folder in the workspace where other runs work. */
  readonly except?: string;
  readonly killSuspects?: boolean;
  /** The process is only a wrapper around others: TERM goes to those, and the wrapper exits with them. */
  readonly wrapped?: boolean;
  readonly signal?: AbortSignal;
  /** Called before anything else; if it throws, the process is ended at once. */
  readonly onStarted?: (id: ProcessId) => void;
  /** Called for every line of stdout. `finished` gives the process time to exit; `hopeless` ends it at once. */
  readonly onLine?: (line: string) => 'finished' | 'hopeless' | void;
  readonly onOutput?: () => void;
  readonly maxLine?: number;
  readonly tailBytes?: number;
}

// After the exit nothing waits for leftover processes, so they get less time than the process itself.
const STRAY_GRACE_MS = 3_000;
// Children that are just exiting when their parent exits do not count as leftovers.
const SETTLE_MS = 100;
// What is inside a wrapper dies with it; on a busy machine the kernel may take its time.
const WRAPPED_SETTLE_MS = 3_000;
const LAST_WORDS_MS = 500;
const REAP_MS = 5_000;
const CLEAN_UP_MS = 30_000;

/** Runs a program in its own group until its end. Never rejects. */
export async function supervise(options: SuperviseOptions): Promise<ProcessEnd> {
  const began = systemClock.monotonic();
  if (options.signal?.aborted) return { ...nothing, reason: 'stopped' };
  // Opened before the start, because a fast process could put a link in the place of its log.
  const log = options.log && openCappedLog(options.log);
  const outcome = start(options);
  // Awaited only on failure: nothing else may run between the start and `onStarted`.
  const started = outcome instanceof Promise ? await outcome : outcome;
  if (!started.ok) {
    log?.close();
    return { ...nothing, reason: 'not-started', durationMs: systemClock.monotonic() - began, error: started.error };
  }
  return seeThrough(started.value, options, { began, log });
}

const nothing = {
  code: null,
  signal: null,
  durationMs: 0,
  leftovers: [],
  outputBytes: 0,
  droppedBytes: 0,
  tail: '',
} as const;

interface Begun {
  readonly began: number;
  readonly log: CappedLog | undefined;
}

async function seeThrough(started: Started, options: SuperviseOptions, { began, log }: Begun): Promise<ProcessEnd> {
  const { child, id } = started;
  const { graceMs = 10_000, lingerMs = 30_000, drainMs = 2_000 } = options;
  const exited = new Promise<Exit>(resolve => child.once('exit', (code, signal) => resolve({ code, signal })));
  const watch = watchOver({ ...options, lingerMs });
  const guard = guardCallbacks(watch);
  const { lease, workspace, except } = options;
  const forget = keepTrack({
    main: id,
    pipes: started.pipes,
    ...(lease && { lease }),
    ...(workspace && { workspace }),
    ...(except && { except }),
  });
  guard.run('not-started', () => options.onStarted?.(id));
  const output = listen({ started, options, log, watch, guard });

  const first = await Promise.race([exited, watch.cause]);
  const byItself = typeof first === 'object';
  // Processes that hold its output get this long; then they count as strays.
  if (byItself) await within(drainMs, Promise.race([output.closed, watch.cause]));
  let strangers: readonly Leftover[] = [];
  const leftovers = await sweep({
    ...options,
    onStrangers: found => {
      strangers = found;
    },
    main: id,
    mainAgeMs: systemClock.monotonic() - began,
    pipes: started.pipes,
    ...(byItself
      ? { graceMs: Math.min(graceMs, STRAY_GRACE_MS), settleMs: options.wrapped ? WRAPPED_SETTLE_MS : SETTLE_MS }
      : { graceMs }),
  });
  started.unpin();
  const exit = byItself ? first : await reap({ exited, pid: id.pid, graceMs });
  await within(LAST_WORDS_MS, output.closed);
  const taken = output.finish();
  watch.end();
  forget();
  child.unref();

  return {
    reason: guard.failure()?.reason ?? (byItself ? 'exited' : first),
    ...exit,
    durationMs: systemClock.monotonic() - began,
    leftovers,
    ...(strangers.length > 0 && { strangers }),
    ...taken,
    ...(guard.failure() && { error: guard.failure()?.error ?? '' }),
  };
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** After a sweep the exit follows within moments; if the process table cannot be read, this ends the process instead. */
async function reap(options: { readonly exited: Promise<Exit>; readonly pid: number; readonly graceMs: number }) {
  const unknown: Exit = { code: null, signal: null };
  const soon = await within(REAP_MS, options.exited);
  if (soon) return soon;
  // The child is not reaped yet, so its pid cannot have been reused.
  sendSignal(-options.pid, 'SIGTERM');
  const late = await within(options.graceMs, options.exited);
  if (late) return late;
  killGroup(options.pid);
  return (await within(REAP_MS, options.exited)) ?? unknown;
}

interface CallbackFailure {
  readonly reason: 'not-started' | 'stopped';
  readonly error: string;
}

interface Guard {
  run<T>(reason: CallbackFailure['reason'], callback: () => T): T | undefined;
  failure(): CallbackFailure | undefined;
}

/** A callback that throws is a bug in the caller, and must not leave the process running. */
function guardCallbacks(watch: Watch): Guard {
  let failure: CallbackFailure | undefined;
  return {
    run(reason, callback) {
      try {
        return callback();
      } catch (error) {
        failure ??= { reason, error: errorText(error) };
        watch.stop();
        return undefined;
      }
    },
    failure: () => failure,
  };
}

interface Listening {
  readonly started: Started;
  readonly options: SuperviseOptions;
  readonly log: CappedLog | undefined;
  readonly watch: Watch;
  readonly guard: Guard;
}

function listen({ started, options, log, watch, guard }: Listening): Output {
  const { onLine, onOutput } = options;
  return takeOutput({
    ...started,
    log,
    secrets: secretValues(options.env),
    maxLine: options.maxLine ?? 4 * 1024 * 1024,
    tailBytes: options.tailBytes ?? 64 * 1024,
    onChunk() {
      watch.heard();
      if (onOutput) guard.run('stopped', onOutput);
    },
    ...(onLine && {
      onLine: (line: string) => {
        const word = guard.run('stopped', () => onLine(line));
        if (word === 'finished' || word === 'hopeless') watch.finished(word === 'hopeless' ? 0 : undefined);
      },
    }),
  });
}

export interface CommandOptions
  extends Pick<
    SuperviseOptions,
    'cwd' | 'env' | 'log' | 'signal' | 'lease' | 'workspace' | 'killSuspects' | 'graceMs'
  > {
  /** A line for `/bin/sh`, as the user wrote it. */
  readonly command: string;
  /** Puts the command into a sandbox, with the environment that it has there. */
  readonly contain?: (argv: readonly [string, ...string[]]) => Inside;
  readonly timeoutMs: number;
  readonly tailBytes?: number;
}

/** Runs a shell command such as a gate, with nothing on its standard input. */
export function runCommand({ command, contain, ...options }: CommandOptions): Promise<ProcessEnd> {
  const argv = ['/bin/sh', '-c', command] as const;
  if (!contain) return supervise({ ...options, argv, stdin: 'none' });
  return superviseInside({ ...options, stdin: 'none' }, contain(argv));
}

/** A command inside a sandbox; `cleanUp` ends what would survive the death of its client. */
export interface Inside extends Pick<StartOptions, 'argv' | 'env'> {
  /** As in `SuperviseOptions`. */
  readonly wrapped?: boolean;
  readonly cleanUp?: readonly [string, ...string[]];
}

export async function superviseInside(
  options: Omit<SuperviseOptions, 'argv' | 'env'>,
  { argv, env, wrapped = false, cleanUp }: Inside,
): Promise<ProcessEnd> {
  const end = await supervise({ ...options, argv, env, wrapped });
  if (cleanUp) await capture({ argv: cleanUp, cwd: '/', env, maxBytes: 64 * 1024, timeoutMs: CLEAN_UP_MS });
  return end;
}
