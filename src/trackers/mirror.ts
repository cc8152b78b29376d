/**
 * Tells a tracker what a run does, beside the run: what is to be told goes into a file first, and one call after the other
 * is made while agents work. Where one fails, the rest waits in the file for the end of the run, the next start or `ralph sync`.
 */
import type { Recorded } from '../events.ts';
import type { PlanSource, SourceChange, SourcePlace } from '../protocol.ts';
import type { Failure } from '../util/result.ts';
import { type Outbox, queued, readOutbox, sendFirst, without, writeOutbox } from './outbox.ts';
import { changesItems, changeTo, closedWords, type Followed, follow, nothingFollowed, wantedFor } from './wanted.ts';

export interface MirrorOptions {
  /** Of the outbox. */
  readonly file: string;
  readonly project: string;
  readonly source: PlanSource;
  readonly place: SourcePlace;
  /** Records of the run so far. */
  readonly records: readonly Recorded[];
}

export interface Sent {
  readonly sent: number;
  readonly waiting: number;
  /** Why the rest waits. */
  readonly failure?: Failure;
}

export interface Mirror {
  /** Never throws, and never waits. */
  take(record: Recorded): void;
  /** Queues a `closed` for every one of these items. */
  close(items: readonly string[], merged: { readonly into: string; readonly commit: string }): void;
  /** Sends what waits, for at most this long. */
  flush(withinMs: number): Promise<Sent>;
}

export function openMirror({ file, project, source, place, records }: MirrorOptions): Mirror {
  let outbox: Outbox = readOutbox(file);
  let followed: Followed = nothingFollowed();
  let sending: Promise<void> | undefined;
  let failure: Failure | undefined;
  let sent = 0;
  /** Nobody waits any more: what is left stays in the file. */
  let isOver = false;

  const keep = (next: Outbox) => {
    outbox = next;
    writeOutbox(file, outbox);
  };
  const look = (issue: string) => {
    const wanted = wantedFor(followed, issue);
    const change = changeTo(wanted, { told: outbox.told[issue], project, issue });
    if (change) keep(queued(outbox, { change, key: wanted.key }));
  };
  const send = async () => {
    while (failure === undefined && !isOver && outbox.waiting.length > 0) {
      const done = await sendFirst(outbox, { source, place });
      if (!done.ok) failure = done.error;
      else if (done.value) {
        sent += 1;
        keep(without(outbox, done.value));
      }
    }
  };
  const start = () => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };

  for (const record of records) followed = follow(followed, record);
  for (const issue of followed.state.items.keys()) look(issue);

  return {
    take: record => {
      followed = follow(followed, record);
      if (!changesItems(record)) return;
      if (record.type === 'run.finished') for (const issue of followed.state.items.keys()) look(issue);
      else if ('item' in record) look(record.item);
      if (outbox.waiting.length > 0) void start();
    },
    close: (items, merged) => {
      const { run } = followed.state;
      for (const issue of items) {
        if (outbox.told[issue]?.startsWith('closed')) continue;
        const change: SourceChange = { project, issue, to: 'closed', comment: closedWords({ ...merged, run }) };
        keep(queued(outbox, { change, key: `closed ${merged.commit}` }));
      }
    },
    flush: async withinMs => {
      isOver = false;
      let late: NodeJS.Timeout | undefined;
      const waited = new Promise<void>(resolve => {
        late = setTimeout(() => {
          isOver = true;
          resolve();
        }, withinMs);
      });
      const rest = async () => {
        await sending;
        // The network may be back.
        failure = undefined;
        await start();
      };
      await Promise.race([rest(), waited]);
      clearTimeout(late);
      return { sent, waiting: outbox.waiting.length, ...(failure ? { failure } : {}) };
    },
  };
}
