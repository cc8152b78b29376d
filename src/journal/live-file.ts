/**
 * `.ralph/live.jsonl`: what the runner is doing right now and the journal does not keep (running gates, notices), for other terminals. It
 * belongs to one process, starts with its pid and limits, and is removed when that process ends. Nothing depends on it.
 */

import { closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import type { EventSink, Passing } from '../events.ts';
import type { GateResult } from '../protocol.ts';
import { fieldsOf } from '../util/json.ts';
import { type LineTail, lineTail } from '../util/line-tail.ts';
import { attempt } from '../util/result.ts';

/** The limits that apply in the runner, which may come from its command line. */
export interface RunnerLimits {
  readonly iterations?: number;
  readonly timeMs?: number;
  readonly costUsd?: number;
  readonly idleMs?: number;
  readonly iterationMs?: number;
}

export interface LiveFile {
  readonly sink: EventSink;
  close(): void;
}

const MOST_BYTES = 1024 * 1024;
// Neither follows a link nor blocks on a pipe that an agent put there.
const FLAGS =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_TRUNC |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK |
  constants.O_APPEND;

/** Nothing here throws: without the file, other terminals see less, and the run continues. */
export function openLiveFile(file: string, limits: RunnerLimits): LiveFile {
  const { iterations, timeMs, costUsd, idleMs, iterationMs } = limits;
  const head = { pid: process.pid, limits: { iterations, timeMs, costUsd, idleMs, iterationMs } };
  let fd = attempt(() => openSync(file, FLAGS, 0o644));
  let left = 0;
  const put = (value: object) => {
    const line = `${JSON.stringify(value)}\n`;
    left -= line.length;
    if (fd !== undefined) writeSync(fd, line);
  };
  const begin = () => {
    left = MOST_BYTES;
    put(head);
  };
  attempt(begin);
  return {
    sink: (event, at) => {
      if (fd === undefined || !isTold(event.type)) return;
      const told = event.type === 'gate.finished' ? { ...event, result: { ...event.result, tail: '' } } : event;
      attempt(() => {
        if (left <= 0 && fd !== undefined) {
          ftruncateSync(fd);
          begin();
        }
        put({ at, ...told });
      });
    },
    close: () => {
      attempt(() => {
        if (fd !== undefined) closeSync(fd);
        rmSync(file, { force: true });
      });
      fd = undefined;
    },
  };
}

type Told = Extract<Passing, { type: 'gate.started' | 'gate.finished' | 'notice' | 'plan.read' }>;

const TOLD: readonly string[] = ['gate.started', 'gate.finished', 'notice', 'plan.read'] satisfies Told['type'][];
const isTold = (type: string): type is Told['type'] => TOLD.includes(type);

export interface LiveTail {
  read(): readonly { readonly event: Told; readonly at: number }[];
  /** `limits` and `isRunners` are known after the first read. */
  limits(): RunnerLimits;
  /** Whether this process wrote the file, so it executes a run; an owner of the lock may also do something else, such as planning. */
  isRunners(): boolean;
}

/** Reads the events of the runner with this pid; a file left by another process is ignored. */
export function liveTail(file: string, pid: number): LiveTail {
  const tail: LineTail = lineTail(file);
  let limits: RunnerLimits = {};
  let believed = false;
  return {
    read: () =>
      tail.read().flatMap(line => {
        const fields = attempt(() => JSON.parse(line) as Fields | null) ?? {};
        if ('pid' in fields) {
          believed = fields.pid === pid;
          if (believed) limits = limitsOf(fields.limits);
          return [];
        }
        const event = believed ? eventOf(fields) : undefined;
        return event && typeof fields.at === 'number' ? [{ event, at: fields.at }] : [];
      }),
    limits: () => limits,
    isRunners: () => believed,
  };
}

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);
const PHASES = ['baseline', 'item', 'final', 'proof'] as const;
const phaseOf = (value: unknown) => PHASES.find(phase => phase === value) ?? 'item';

function limitsOf(value: unknown): RunnerLimits {
  const known = fieldsOf(value);
  const keys = ['iterations', 'timeMs', 'costUsd', 'idleMs', 'iterationMs'] as const;
  return Object.fromEntries(keys.flatMap(key => (typeof known[key] === 'number' ? [[key, known[key]]] : [])));
}

function eventOf(fields: Fields): Told | undefined {
  switch (fields.type) {
    case 'gate.started':
      return { type: 'gate.started', name: text(fields.name), phase: phaseOf(fields.phase) };
    case 'gate.finished': {
      const name = text((fields.result as Fields | undefined)?.name);
      return { type: 'gate.finished', result: { ...NO_RESULT, name }, phase: phaseOf(fields.phase) };
    }
    case 'notice':
      return { type: 'notice', level: fields.level === 'warn' ? 'warn' : 'info', message: text(fields.message) };
    case 'plan.read':
      return {
        type: 'plan.read',
        done: count(fields.done),
        total: count(fields.total),
        blocked: count(fields.blocked),
      };
    default:
      return undefined;
  }
}

/** Only the end of the gate is of interest here; its result is in the journal. */
const NO_RESULT: GateResult = { name: '', run: '', status: 'not-run', exit: null, durationMs: 0, tail: '' };
