/**
 * Sends the spans of a live run as they end, beside it: a few at a time, kept for later while nobody takes them, and
 * given up after a moment at the end. A run never waits for a collector before that, and never fails by one.
 */
import type { EventSink, Recorded } from '../events.ts';
import { plural } from '../util/show.ts';
import { type Collector, postSpans } from './post.ts';
import type { Span } from './span.ts';
import { spanMaker } from './span-maker.ts';

export interface TraceSender {
  readonly sink: EventSink;
  /** What the journal says of the run before this process; of that nothing is sent. */
  remember(records: Iterable<Recorded>): void;
  /** Sends what is left, for as long as `patienceMs`; says what could not be sent. */
  close(): Promise<string | undefined>;
}

export interface SenderOptions {
  readonly collector: Collector;
  /** Said once, when the first request fails. */
  readonly onTrouble: (message: string) => void;
  readonly everyMs?: number;
  readonly requestMs?: number;
  readonly patienceMs?: number;
}

/** Spans in one request, and those that are kept while nobody takes them. */
const TOGETHER = 200;
const KEPT = 5000;
const LONGEST_REST = 60_000;
/** A request with less time than this would only fail, and say so instead of what was wrong. */
const SHORTEST_TRY = 50;

export function openSender(options: SenderOptions): TraceSender {
  const { collector, onTrouble, everyMs = 5000, requestMs = 10_000, patienceMs = 5000 } = options;
  const maker = spanMaker();
  let queue: readonly Span[] = [];
  let lost = 0;
  let why = '';
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let inFlight = 0;
  let isClosing = false;
  const closing = new AbortController();
  let sending: Promise<unknown> | undefined;

  const trouble = (what: string) => {
    if (why === '') onTrouble(`traces were not accepted by ${collector.url}: ${what}; the run continues`);
    why = what;
  };

  async function sendSome(timeoutMs: number): Promise<void> {
    const some = queue.slice(0, TOGETHER);
    queue = queue.slice(TOGETHER);
    inFlight = some.length;
    const sent = await postSpans(collector, some, { timeoutMs, signal: closing.signal });
    inFlight = 0;
    if (sent.ok) {
      failures = 0;
      lost += sent.value.rejected;
      if (sent.value.rejected > 0) trouble(sent.value.why || `${plural(sent.value.rejected, 'span')} rejected`);
      return;
    }
    failures += 1;
    trouble(sent.error.why);
    if (sent.error.again) keep([...some, ...queue]);
    else lost += some.length;
  }

  function keep(spans: readonly Span[]): void {
    lost += Math.max(0, spans.length - KEPT);
    queue = spans.slice(-KEPT);
  }

  function later(): void {
    if (timer || sending || isClosing || queue.length === 0) return;
    const rest = Math.min(LONGEST_REST, everyMs * 2 ** failures);
    timer = setTimeout(() => {
      timer = undefined;
      sending = sendSome(requestMs).finally(() => {
        sending = undefined;
        later();
      });
    }, rest);
    timer.unref();
  }

  return {
    sink: (event, at) => {
      const spans = maker.take(event, at);
      if (spans.length === 0) return;
      keep([...queue, ...spans]);
      later();
    },
    remember: records => {
      for (const record of records) maker.take(record, record.at);
    },
    close: async () => {
      isClosing = true;
      clearTimeout(timer);
      const deadline = performance.now() + patienceMs;
      const left = () => deadline - performance.now();
      // The request keeps the process alive; the timer must not, once the request has ended.
      const late = new Promise<void>(resolve => void setTimeout(resolve, left()).unref());
      if (sending) await Promise.race([sending, late]);
      for (let tries = 0; queue.length > 0 && tries < 3 && left() > SHORTEST_TRY; ) {
        const before = failures;
        await sendSome(left());
        tries += failures > before ? 1 : 0;
        if (failures > before && queue.length > 0) await until(Math.min(200 * 2 ** tries, left()));
      }
      lost += queue.length + inFlight;
      if (inFlight > 0) why ||= 'it did not answer in time';
      closing.abort();
      return lost === 0
        ? undefined
        : `${plural(lost, 'span')} of this run could not be sent to ${collector.url}: ${why}`;
    },
  };
}

const until = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, Math.max(0, ms));
  });
