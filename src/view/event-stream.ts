/**
 * A run as a stream of messages: records of its journal, steps of its agents. Each listener reads it from disk, from its own
 * cursor on: the server keeps nothing for it, and no message is lost or sent twice.
 */
import type { Recorded } from '../events.ts';
import { iterationFolder, type JournalPlace, parseSignal, reviewFolder, storeOf } from '../journal/index.ts';
import { type Transcript, transcript } from '../report/index.ts';
import type { Look } from './all-runs.ts';
import { type Cursor, cursorText, parseCursor } from './cursor.ts';
import { liveFile, readIterationFile } from './files.ts';
import { recordWords } from './record-text.ts';
import { type Lines, linesOf, readLines } from './signal-file.ts';
import { stepView } from './steps.ts';
import type { StreamMessage } from './types/stream.ts';

export interface Told {
  /** The cursor after this message. */
  readonly id: string;
  readonly message: StreamMessage;
}

export interface FeedReader {
  cursor(): string;
  /** The messages since the last call, in order, up to about this many bytes of text. */
  read(mostBytes: number): readonly Told[];
}

interface Agent {
  readonly key: string;
  readonly n: number;
  readonly review: number | null;
  readonly since: number;
  readonly steps: Transcript;
  heard: number;
}

/** How many rows before the cursor may belong to agents that are still open: no run has more workers. */
const WORKERS = 64;
/** A listener that is further behind starts again. */
const MOST_BEHIND = 5_000;

/** Undefined if the cursor belongs to another journal or is too far back. */
export function openFeed(look: Look, after: string): FeedReader | undefined {
  const start = parseCursor(after);
  const head = look.facts.place?.seq ?? 0;
  if (!start || start.seq > head || head - start.seq > MOST_BEHIND) return undefined;
  return feedFrom(look, start);
}

function feedFrom(look: Look, start: Cursor): FeedReader {
  const { place: checkout, run } = look;
  const agents = new Map<string, Agent>();
  let iteration = 0;
  let seq = start.seq;
  let place = placeBefore(look, start.seq);

  const cursor = (): string =>
    cursorText({ seq, heard: new Map([...agents.values()].map(agent => [agent.key, agent.heard])) });
  const linesAfter = (agent: Agent, from: number): Lines => {
    const folder =
      agent.review === null
        ? iterationFolder(checkout.folder, run, agent.n)
        : reviewFolder(checkout.folder, run, agent.review);
    const file = liveFile(folder);
    if (file !== undefined) return readLines(file, from);
    // The iteration was packed meanwhile.
    const bytes = agent.review === null ? readIterationFile(look, agent.n, 'events.jsonl')?.bytes : undefined;
    return bytes && bytes.length > from ? linesOf(bytes.subarray(from), from) : { lines: [], end: from };
  };
  const hear = (agent: Agent, tell: (told: Told) => void, hasRoom: () => boolean): void => {
    for (const { text, end } of linesAfter(agent, agent.heard).lines) {
      if (!hasRoom()) return;
      agent.heard = end;
      for (const message of messagesOf(agent, text)) tell({ id: cursor(), message });
    }
  };
  const begin = (record: Recorded, key: string, review: number | null): void => {
    agents.set(key, { key, n: iteration, review, since: record.at, steps: transcript(), heard: 0 });
  };
  const follow = (record: Recorded): Agent | undefined => {
    switch (record.type) {
      case 'iteration.started':
        iteration = record.iteration;
        begin(record, `i${iteration}`, null);
        return undefined;
      case 'review.started':
        begin(record, `r${record.review}`, record.review);
        return undefined;
      case 'agent.finished':
      case 'iteration.finished':
      case 'iteration.aborted':
        return agents.get(`i${record.iteration}`);
      case 'review.finished':
      case 'review.aborted':
        return agents.get(`r${record.review}`);
      default:
        return undefined;
    }
  };

  /** Reads up to the cursor, only to find out which agents are open. */
  const catchUp = (): void => {
    storeOf(checkout.folder).readJournal(
      run,
      (record, end) => {
        if (record.seq > start.seq) return 'enough';
        place = end;
        const ended = follow(record);
        if (ended) agents.delete(ended.key);
        return undefined;
      },
      place,
    );
    for (const agent of agents.values()) {
      const heard = start.heard.get(agent.key) ?? 0;
      // The depth of the next step depends on the earlier signals.
      for (const { text, end } of linesAfter(agent, 0).lines) {
        if (end > heard) break;
        agent.heard = end;
        messagesOf(agent, text);
      }
    }
  };
  catchUp();

  return {
    cursor,
    read: mostBytes => {
      const told: Told[] = [];
      let room = mostBytes;
      const tell = (one: Told): void => {
        room -= sizeOf(one.message);
        told.push(one);
      };
      const hasRoom = (): boolean => room > 0;
      storeOf(checkout.folder).readJournal(
        run,
        (record, end) => {
          if (!hasRoom()) return 'enough';
          const ended = follow(record);
          if (ended) {
            hear(ended, tell, hasRoom);
            // The rest of the agent's output comes first, with the next read.
            if (!hasRoom()) return 'enough';
            agents.delete(ended.key);
          }
          place = end;
          seq = record.seq;
          tell({ id: cursor(), message: recordMessage(record) });
          return undefined;
        },
        place,
      );
      for (const agent of agents.values()) if (hasRoom()) hear(agent, tell, hasRoom);
      return told;
    },
  };
}

/** A position in the journal before every agent that can still be open at a record. */
function placeBefore({ facts }: Look, seq: number): JournalPlace | undefined {
  const { rows } = facts;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.place?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  // The first record of a run belongs to no iteration, so start at the beginning.
  return low > WORKERS ? rows[low - WORKERS]?.place : undefined;
}

function messagesOf({ n, review, since, steps }: Agent, line: string): readonly StreamMessage[] {
  const told = parseSignal(line);
  // A signal older than its agent is from an earlier one that was cut off and had the same number.
  if (!told || (told.at !== undefined && told.at < since)) return [];
  const { signal, at } = told;
  const made = steps.take(signal, at).map((step): StreamMessage => ({ type: 'step', n, review, step: stepView(step) }));
  if (signal.type !== 'usage') return made;
  const { inputTokens, outputTokens } = signal.usage;
  return [...made, { type: 'spent', n, review, tokens: inputTokens + outputTokens, costUsd: signal.costUsd ?? 0 }];
}

const recordMessage = (record: Recorded): StreamMessage => ({
  type: 'record',
  seq: record.seq,
  at: record.at,
  event: record.type,
  n: 'iteration' in record ? (record.iteration ?? null) : null,
  item: 'item' in record ? record.item : null,
  text: recordWords(record),
});

const sizeOf = (message: StreamMessage): number => 200 + (message.type === 'step' ? message.step.text.length : 0);
