/** `.ralph/queue.json`: plans that wait for a time or for another run. Taken up by `ralph queue run`, or by the next run that ends. */
import { join } from 'node:path';
import { liveSeats, type RalphFolder, readRunFast, storeOf } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import type { ProcessId } from '../protocol.ts';
import { localMoment } from '../report/index.ts';
import { isComplete } from '../state.ts';
import { inTurn } from '../util/file-turn.ts';
import { readText, writeOwn } from '../util/files.ts';
import { parseJson } from '../util/json.ts';
import { isCalled, isNearlyCalled } from './run-names.ts';

export interface Queued {
  /** A number that stays: `ralph queue remove 3`. */
  readonly id: number;
  /** A plan's path as it was given, from the top of the repository, or words. */
  readonly plan: string;
  /** The flags of `ralph run` it is started with. */
  readonly flags: readonly string[];
  /** Not before this moment. */
  readonly at?: number | undefined;
  /** Not before this run, or the newest run of this plan, is over. */
  readonly after?: string;
  readonly added: number;
  /** The process that waits with it; where it is gone, others may take it up. */
  readonly waiter?: ProcessId;
}

const fileOf = ({ root }: RalphFolder): string => join(root, 'queue.json');

export function queueIn(folder: RalphFolder): readonly Queued[] {
  const read = parseJson(readText(fileOf(folder)));
  return Array.isArray(read) ? read.filter(isQueued) : [];
}

function isQueued(value: unknown): value is Queued {
  const { id, plan, flags } = (value ?? {}) as Partial<Queued>;
  return (
    typeof id === 'number' &&
    typeof plan === 'string' &&
    Array.isArray(flags) &&
    flags.every(each => typeof each === 'string')
  );
}

export function enqueue(folder: RalphFolder, wanted: Omit<Queued, 'id'>): Queued {
  return inTurn(fileOf(folder), () => {
    const before = queueIn(folder);
    const queued = { id: Math.max(0, ...before.map(({ id }) => id)) + 1, ...wanted };
    writeOwn(fileOf(folder), `${JSON.stringify([...before, queued], undefined, 1)}\n`);
    return queued;
  });
}

/** What nobody else waits with becomes this process's to start. */
export function mindQueue(folder: RalphFolder, me: ProcessId): readonly Queued[] {
  return inTurn(fileOf(folder), () => {
    const before = queueIn(folder);
    const isMine = ({ waiter }: Queued) => waiter?.pid === me.pid && waiter.started === me.started;
    const after = before.map(each => (isUnminded(each) ? { ...each, waiter: me } : each));
    if (before.some(isUnminded)) writeOwn(fileOf(folder), `${JSON.stringify(after, undefined, 1)}\n`);
    return after.filter(isMine);
  });
}

/** Nobody waits with it. */
export const isUnminded = ({ waiter }: Queued): boolean => !waiter || !isAlive(waiter);

/** Takes one out; whoever gets it is the one that runs it. */
export function dequeue(folder: RalphFolder, id: number): Queued | undefined {
  return inTurn(fileOf(folder), () => {
    const before = queueIn(folder);
    const found = before.find(each => each.id === id);
    if (found)
      writeOwn(
        fileOf(folder),
        `${JSON.stringify(
          before.filter(each => each !== found),
          undefined,
          1,
        )}\n`,
      );
    return found;
  });
}

/** What it waits for, in words; undefined once there is nothing. */
export function waitsFor(folder: RalphFolder, { at, after }: Queued, now: number): string | undefined {
  if (at !== undefined && at > now) return `until ${localMoment(at, now)}`;
  if (after === undefined) return undefined;
  const end = endOf(folder, after);
  return end === 'over' ? undefined : end === 'unknown' ? `for a run of ${after}` : `for ${after}`;
}

/** Whether a runner works on the run, or the newest run of the plan, that goes by this name. */
export function isLiveNamed(folder: RalphFolder, name: string): boolean {
  return liveSeats(folder, { isAlive }).some(({ owner }) => {
    const { run = '', plan = '' } = owner;
    // Before the gates have been run, there is no journal yet.
    return isCalled({ run, plan: { name: '', path: plan }, branch: '' }, name) || isRunCalled(folder, run, name);
  });
}

function isRunCalled(folder: RalphFolder, run: string, name: string): boolean {
  const first = run === '' ? undefined : storeOf(folder).firstRecord(run);
  return first?.type === 'run.started' && isNearlyCalled(first, name);
}

/** A run that only a person can help is not over: what builds on it would build on half of it. */
function endOf(folder: RalphFolder, name: string): 'over' | 'open' | 'unknown' {
  for (const { run, plan } of storeOf(folder).runsWithPlans()) {
    if (run !== name && plan !== name && !isRunCalled(folder, run, name)) continue;
    const read = readRunFast(folder, run);
    if (read.ok && read.value.state.discarded) return 'unknown';
    return read.ok && isComplete(read.value.state) ? 'over' : 'open';
  }
  return 'unknown';
}

/** A run of that name has begun, and has work left. */
export const isLeftOpen = (folder: RalphFolder, name: string): boolean => endOf(folder, name) === 'open';

export const queueLines = (queue: readonly Queued[], now: number): readonly string[] =>
  queue.map(({ id, plan, at, after }) => {
    const waits = [
      ...(at === undefined ? [] : [at > now ? `until ${localMoment(at, now)}` : `since ${localMoment(at, now)}`]),
      ...(after === undefined ? [] : [`for ${after}`]),
    ];
    return `waits  ${plan}  ${waits.join(' and ') || 'to be started'}  (ralph queue remove ${id})`;
  });
