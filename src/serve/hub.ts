/**
 * All clients that listen to runs. One look at the disk every tenth of a second serves all clients that are up to date; a
 * client that is behind reads on its own, as fast as it can receive. Nothing is buffered for a client that does not read, and
 * one that does not read for long is disconnected: it reconnects with the id of its last message.
 */
import type { ServerResponse } from 'node:http';
import { liveTail } from '../journal/index.ts';
import { keepNewest } from '../util/bounded.ts';
import {
  type FeedReader,
  headCursor,
  type Library,
  type Located,
  type Look,
  openFeed,
  type StreamMessage,
  safeJson,
  statusOf,
  type Told,
} from '../view/index.ts';

const TICK_MS = 100;
const SLOW_TICKS = 10;
const PING_MS = 15_000;
const STALLED_MS = 60_000;
/** Time per tick for clients that are behind, in turn, so that they never delay those that are up to date. */
const CATCH_UP_MS = 15;
/** Sent to one client at a time. */
const BATCH_BYTES = 64 * 1024;

interface Client {
  readonly response: ServerResponse;
  cursor: string;
  /** Its own reader, while it is behind. */
  reader: FeedReader | undefined;
  stalledSince: number | undefined;
  pingedAt: number;
}

interface Channel {
  readonly located: Located;
  readonly clients: Set<Client>;
  /** What follows a cursor, cached: clients that are behind are often at the same cursor, and it is read once for all. */
  readonly batches: Map<string, Batch>;
  head: FeedReader | undefined;
  status: string;
  live: { readonly pid: number; readonly tail: ReturnType<typeof liveTail> } | undefined;
  bytes: number;
}

interface Batch {
  readonly text: string;
  readonly after: string;
}

export interface Hub {
  /** Streams the run to a client until it disconnects. */
  listen(located: Located, response: ServerResponse, after: string | undefined): void;
  count(): number;
  close(): void;
}

export function openHub(library: Library): Hub {
  const channels = new Map<string, Channel>();
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  let runs = '';

  const tick = (): void => {
    ticks += 1;
    const isSlow = ticks % SLOW_TICKS === 0;
    const listed = isSlow
      ? library
          .runs()
          .map(({ id }) => id)
          .join(' ')
      : runs;
    const changed = runs !== '' && listed !== runs;
    runs = listed;
    for (const [id, channel] of channels) {
      if (channel.clients.size === 0) channels.delete(id);
      else look(library, channel, { isSlow, changed });
    }
    if (channels.size === 0) stop();
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    listen: (located, response, after) => {
      const channel = channels.get(located.id) ?? newChannel(located);
      channels.set(located.id, channel);
      const look = library.look(located);
      // The next tick decides whether the cursor is valid, as for all clients that are behind.
      const cursor = after ?? headCursor(look);
      const client: Client = { response, cursor, reader: undefined, stalledSince: undefined, pingedAt: Date.now() };
      response.write('retry: 1000\n\n');
      // Sent at once, because nothing else may come for a while.
      response.write(framed({ ...(after === undefined ? { id: cursor } : {}), message: statusMessage(look) }));
      channel.clients.add(client);
      const leave = (): void => void channel.clients.delete(client);
      response.on('close', leave).on('error', leave);
      timer ??= setInterval(tick, TICK_MS);
    },
    count: () => [...channels.values()].reduce((sum, { clients }) => sum + clients.size, 0),
    close: () => {
      stop();
      for (const { clients } of channels.values()) for (const { response } of clients) response.destroy();
    },
  };
}

const newChannel = (located: Located): Channel => ({
  located,
  clients: new Set(),
  batches: new Map(),
  head: undefined,
  status: '',
  live: undefined,
  bytes: -1,
});

const statusMessage = (look: Look): StreamMessage => ({
  type: 'status',
  status: statusOf(look),
  isLive: look.owner !== undefined,
});

interface Tick {
  readonly isSlow: boolean;
  /** The list of runs has changed. */
  readonly changed: boolean;
}

function look(library: Library, channel: Channel, { isSlow, changed }: Tick): void {
  const now = Date.now();
  const { located } = channel;
  const before = channel.head?.cursor();
  let seen: Look | undefined;
  const lookNow = (): Look => (seen ??= library.look(located));
  if (!channel.head) {
    const look = lookNow();
    channel.head = openFeed(look, headCursor(look));
  }
  const news = channel.head?.read(BATCH_BYTES) ?? [];
  const text = news.map(framed).join('');
  const aside = [...(isSlow || news.length > 0 ? statusNews(channel, lookNow()) : []), ...liveNews(channel)];
  const extra = [...aside, ...(changed ? [{ type: 'runs' } as const] : [])]
    .map(message => framed({ message }))
    .join('');
  const patience = now + CATCH_UP_MS;
  // A copy, because a served client is moved to the end.
  for (const client of [...channel.clients]) {
    const { response } = client;
    if (response.writableNeedDrain) {
      client.stalledSince ??= now;
      if (now - client.stalledSince > STALLED_MS) response.destroy();
      continue;
    }
    client.stalledSince = undefined;
    if (!client.reader && client.cursor === before) {
      client.cursor = channel.head?.cursor() ?? client.cursor;
      if (text) response.write(text);
    } else if (client.cursor !== channel.head?.cursor() && Date.now() < patience) {
      channel.clients.delete(client);
      channel.clients.add(client);
      catchUp(channel, client, lookNow);
    }
    // Up to date: from now on served together with all others.
    if (client.cursor === channel.head?.cursor()) client.reader = undefined;
    if (extra) response.write(extra);
    if (now - client.pingedAt > PING_MS) {
      client.pingedAt = now;
      response.write(': still here\n\n');
    }
  }
}

function catchUp(channel: Channel, client: Client, lookNow: () => Look): void {
  const { response } = client;
  const known = channel.batches.get(client.cursor);
  if (known) {
    client.reader = undefined;
    client.cursor = known.after;
    response.write(known.text);
    return;
  }
  client.reader ??= openFeed(lookNow(), client.cursor);
  if (!client.reader) {
    client.cursor = channel.head?.cursor() ?? client.cursor;
    send(response, { type: 'reset' }, client.cursor);
    return;
  }
  const text = client.reader.read(BATCH_BYTES).map(framed).join('');
  const after = client.reader.cursor();
  if (text) {
    channel.batches.set(client.cursor, { text, after });
    keepNewest(channel.batches, BATCHES);
    response.write(text);
  }
  client.cursor = after;
}

/** Batches of about 64 KiB each. */
const BATCHES = 40;

function statusNews(channel: Channel, look: Look): readonly StreamMessage[] {
  const message = statusMessage(look);
  const text = JSON.stringify(message);
  const pid = look.owner?.process.pid;
  if (pid !== channel.live?.pid) {
    const tail = pid === undefined ? undefined : liveTail(look.seat.live, pid);
    // Earlier messages are already in the view.
    tail?.read();
    channel.live = pid === undefined || !tail ? undefined : { pid, tail };
  }
  if (text === channel.status) return [];
  const isFirst = channel.status === '';
  channel.status = text;
  return isFirst ? [] : [message];
}

/** Messages of the runner that its journal does not keep. */
function liveNews({ live }: Channel): readonly StreamMessage[] {
  if (!live) return [];
  return live.tail.read().flatMap(({ event, at }): readonly StreamMessage[] => {
    switch (event.type) {
      case 'gate.started':
        return [{ type: 'gate', name: event.name, phase: event.phase, state: 'started', at }];
      case 'gate.finished':
        return [{ type: 'gate', name: event.result.name, phase: event.phase, state: 'finished', at }];
      case 'notice':
        return [{ type: 'notice', level: event.level, message: event.message, at }];
      case 'plan.read':
        return [];
    }
  });
}

const framed = ({ id, message }: { readonly id?: string; readonly message: Told['message'] }): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${safeJson(message)}\n\n`;

const send = (response: ServerResponse, message: StreamMessage, id: string): void =>
  void response.write(framed({ id, message }));
