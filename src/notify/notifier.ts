/** Watches a run: takes every event, and sends messages to the targets that want them. */
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { redact } from '../audit/index.ts';
import type { NotifyTarget } from '../config/index.ts';
import { type Event, type EventSink, isDurable } from '../events.ts';
import { say, shellWord } from '../report/index.ts';
import { advance, fold, itemOf, type RunState } from '../state.ts';
import { globMatcher } from '../util/globs.ts';
import type { Failure } from '../util/result.ts';
import { type Delivery, delivery } from './delivery.ts';
import type { Message, News } from './message.ts';
import { messagesOf, refusalNews } from './messages-of.ts';
import { senderOf, type World } from './target-line.ts';

export interface NotifierOptions extends World {
  readonly targets: readonly NotifyTarget[];
  readonly limits: { readonly costUsd: number; readonly stuck: number };
  /** The run before the first event. */
  readonly from: RunState | undefined;
  /** Reports what went wrong with a message; the text contains no secrets. */
  readonly report: (text: string) => void;
}

export interface Notifier {
  readonly sink: EventSink;
  /** Sends that the run was refused before it began. */
  refused(failure: Failure): void;
  /** Waits a short time for pending messages; what was not delivered is reported. */
  close(): Promise<void>;
}

/** The longest time that the end of a run waits for messages. */
const END_MS = 5_000;

export function openNotifier(options: NotifierOptions): Notifier {
  const { targets, limits, from, root } = options;
  const lines = targets.map(target => lineOf(target, options));
  let state = fold([], from);
  let counts = { done: 0, total: 0, blocked: 0 };
  let sent = 0;
  const repository = { repository: basename(root), folder: shellWord(root), host: hostname() };
  const messageOf = (news: News, at: number): Message => ({
    ...news,
    what: redact(news.what),
    why: redact(news.why),
    id: `${state.run}-${at}-${(sent += 1)}`,
    at,
    run: state.run,
    plan: say(state.plan.name),
    branch: state.branch,
    ...repository,
    ...counts,
    costUsd: state.costUsd,
    limitUsd: limits.costUsd,
  });
  const put = (news: readonly News[], at: number) => {
    for (const message of news.map(each => messageOf(each, at)))
      for (const line of lines) if (line.wants(message)) line.put(message);
  };
  const hear = (event: Event, at: number) => {
    if (event.type === 'plan.read') counts = { done: event.done, total: event.total, blocked: event.blocked };
    if (!isDurable(event)) return;
    const item = 'item' in event ? { item: itemOf(state, event.item) } : {};
    const before = { ...item, costUsd: state.costUsd };
    state = advance(state, { ...event, seq: 0, at });
    put(messagesOf(event, { before, state, limits, at }), at);
  };
  return {
    sink: (event, at) => {
      try {
        hear(event, at);
      } catch (error) {
        options.report(`no message could be made from ${event.type}: ${(error as Error).message}`);
      }
    },
    refused: failure => put([refusalNews(failure)], Date.now()),
    close: async () => {
      let late: NodeJS.Timeout | undefined;
      const patience = new Promise<void>(resolve => {
        late = setTimeout(resolve, END_MS);
      });
      await Promise.race([patience, Promise.all(lines.map(line => line.finish()))]);
      clearTimeout(late);
      for (const line of lines) line.giveUp();
    },
  };
}

interface Line extends Delivery {
  readonly wants: (news: News) => boolean;
}

function lineOf(target: NotifyTarget, { report, ...world }: NotifierOptions): Line {
  const { name, on, items } = target;
  const made = senderOf(target, world);
  if (!made.ok)
    report(`no messages can be sent to ${name}: ${made.error}; try it with: ralph notify test ${shellWord(name)}`);
  const send = made.ok ? made.value : () => Promise.resolve({ why: made.error });
  const matches = globMatcher(items);
  return {
    ...delivery({
      send,
      undelivered: (what, why) => report(`${name} did not get ${what}: ${why}`),
    }),
    wants: ({ kind, item }) => on.includes(kind) && (items.length === 0 || item === undefined || matches(item)),
  };
}
