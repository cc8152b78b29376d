/**
 * A run as seen from outside: its journal and its agents' signals as one stream of events, read from disk. The runner is
 * not contacted.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { agentNamed } from '../agents/index.ts';
import type { Event, Recorded } from '../events.ts';
import {
  iterationFolder,
  type JournalPlace,
  parseSignal,
  type RalphFolder,
  reviewFolder,
  runFolder,
  storeOf,
  type ToldSignal,
} from '../journal/index.ts';
import type { RunState } from '../state.ts';
import { isPacked, readOfIteration } from '../util/iteration-packs.ts';
import { type LineTail, linesOf, lineTail } from '../util/line-tail.ts';

export interface Happened {
  readonly event: Event;
  /** NaN if unknown: older versions kept signals without their time. */
  readonly at: number;
  /** Set for a record of the journal. */
  readonly seq?: number;
}

export interface RunTail {
  /** The events since the last call, in order. */
  read(): readonly Happened[];
}

export interface RunTailOptions {
  readonly folder: RalphFolder;
  readonly run: string;
  /** The first record to return. */
  readonly fromSeq: number;
  /** The first record that is no longer returned. */
  readonly toSeq?: number;
  /** The first record is the start of an iteration: earlier ones are read only to know which agents work. */
  readonly ofIteration?: boolean;
}

/** One agent's files, while it works. */
interface Heard {
  readonly place: { readonly iteration: number; readonly review?: number };
  readonly folder: string;
  /** Opens one of its files from the beginning. */
  readonly read: (name: string) => LineTail;
  readonly agent: string;
  readonly since: number;
  readonly tail: LineTail;
  spoke: boolean;
  output: number;
}

export function runTail(options: RunTailOptions): RunTail {
  const { folder, run, fromSeq, toSeq = Number.POSITIVE_INFINITY, ofIteration } = options;
  const store = storeOf(folder);
  let place: JournalPlace | undefined = ofIteration ? store.placeBefore(run, fromSeq) : undefined;
  const first = place && store.firstRecord(run);
  let agent = first?.type === 'run.started' ? first.agent : '';
  /** The newest iteration of each item, by which its reviews are known. */
  const newest = new Map<string, number>();
  /** Of each agent at work, by `keyOf`. */
  const heard = new Map<string, Heard>();

  const signals = (from: Heard, lines: readonly string[]): readonly Happened[] =>
    lines.flatMap(line => {
      const told = parseSignal(line);
      return told ? toEvents(from, [told]) : [];
    });
  const toEvents = (from: Heard, told: readonly ToldSignal[]): readonly Happened[] => {
    // Signals from before its start are from an agent that was cut off and had the same number.
    const own = told.filter(({ at }) => at === undefined || at >= from.since);
    if (own.length > 0) from.spoke = true;
    return own.map(({ signal, at }) => ({
      event: { type: 'agent.signal', ...from.place, signal },
      at: at ?? Number.NaN,
    }));
  };
  const listen = (record: Recorded, where: Heard['place'], by: string): void => {
    const its =
      where.review === undefined
        ? iterationFolder(folder, run, where.iteration)
        : reviewFolder(folder, run, where.review);
    const runs = runFolder(folder, run);
    const read =
      where.review === undefined && isPacked(runs, where.iteration)
        ? (name: string) => linesOf(readOfIteration(runs, where.iteration, name))
        : (name: string) => lineTail(join(its, name));
    const tail = read('events.jsonl');
    const from = { place: where, folder: its, read, agent: by, since: record.at, tail, spoke: false, output: 0 };
    heard.set(keyOf(where), from);
  };
  const hearOut = (where: Heard['place']): readonly Happened[] => {
    const from = heard.get(keyOf(where));
    if (!from) return [];
    heard.delete(keyOf(where));
    const rest = signals(from, [...from.tail.read(), ...from.tail.rest()]);
    return from.spoke ? rest : toEvents(from, fromOutput(from));
  };
  const told = (record: Recorded): readonly Happened[] => {
    if (record.type === 'run.started') agent = record.agent;
    if (record.type === 'iteration.started') newest.set(record.item, record.iteration);
    if (record.seq < fromSeq || record.seq >= toSeq) return [];
    const { seq, at, ...event } = record;
    const itself: Happened = { event, at, seq };
    switch (record.type) {
      case 'iteration.started':
        listen(record, { iteration: record.iteration }, agent);
        return [itself];
      case 'review.started':
        listen(record, { iteration: newest.get(record.item) ?? 0, review: record.review }, record.agent);
        return [itself];
      case 'agent.finished':
      case 'iteration.finished':
      case 'iteration.aborted':
        return [...hearOut({ iteration: record.iteration }), itself];
      case 'review.finished':
      case 'review.aborted':
        return [...hearOut({ iteration: 0, review: record.review }), itself];
      default:
        return [itself];
    }
  };
  const stillHeard = (from: Heard): readonly Happened[] => {
    const events = signals(from, from.tail.read());
    const size = statSync(join(from.folder, 'output.log'), { throwIfNoEntry: false })?.size ?? 0;
    const grown = size > from.output && events.length === 0;
    from.output = size;
    return grown ? [{ event: { type: 'agent.output', ...from.place }, at: Date.now() }] : events;
  };

  return {
    read: () => {
      const happened: Happened[] = [];
      const end = store.readJournal(run, record => happened.push(...told(record)), place);
      if (end.ok) place = { good: end.value.good, seq: end.value.seq, sum: end.value.sum };
      return [...happened, ...[...heard.values()].flatMap(stillHeard)];
    },
  };
}

const keyOf = ({ iteration, review }: Heard['place']): string =>
  review === undefined ? `iteration ${iteration}` : `review ${review}`;

/** The first record of what is going on: of several workers, the one that began first; otherwise what began last. */
export function sinceNow(records: readonly Recorded[], { openIterations }: RunState): Recorded | undefined {
  const starts = openIterations.map(open =>
    records.findLast(record => record.type === 'iteration.started' && record.iteration === open.iteration),
  );
  const [first] = starts.filter(start => start !== undefined).toSorted((a, b) => a.seq - b.seq);
  return first ?? records.findLast(({ type }) => type === 'iteration.started' || type === 'review.started');
}

/** If no signals were kept: the raw stream, parsed by the agent's adapter, or its last plain lines. */
function fromOutput({ read, agent }: Heard): readonly ToldSignal[] {
  const tail = read('output.log');
  const lines = [...tail.read(), ...tail.rest()];
  const reader = agentNamed(agent)?.read();
  const told = lines.flatMap(line => reader?.line(line) ?? []).map(signal => ({ signal }));
  const words = lines.filter(line => line.trim() !== '' && !/^\s*[{[]/.test(line)).slice(-20);
  if (told.length > 0 || words.length === 0) return told;
  return [{ signal: { type: 'text', text: words.join('\n') } }];
}
