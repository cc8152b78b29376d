/** All spans of a run, after the fact. */
import type { Recorded } from '../events.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { type Clean, otlpRequest } from './otlp.ts';
import { type Collector, postSpans } from './post.ts';
import type { Span } from './span.ts';
import { spanMaker } from './span-maker.ts';

/** Spans in one request. */
const TOGETHER = 500;
const REQUEST_MS = 30_000;
const TRIES = 3;

/** Of one that was stopped and continued, the run's own span is told once, with its newest end. */
export function spansOf(records: readonly Recorded[]): readonly Span[] {
  const maker = spanMaker();
  const spans = new Map<string, Span>();
  for (const record of records) for (const span of maker.take(record, record.at)) spans.set(span.id, span);
  const run = maker.run(records.at(-1)?.at ?? 0);
  if (run && !spans.has(run.id)) spans.set(run.id, run);
  return [...spans.values()];
}

/** For a file: one request, as collectors write and read them. */
export const otlpText = (records: readonly Recorded[], clean: Clean): string =>
  `${JSON.stringify(otlpRequest(spansOf(records), clean))}\n`;

/** How many spans were sent. */
export async function exportSpans(
  collector: Collector,
  records: readonly Recorded[],
  { rest }: { readonly rest: (ms: number) => Promise<void> },
): Promise<Result<number>> {
  const spans = spansOf(records);
  for (let at = 0; at < spans.length; at += TOGETHER) {
    const sent = await sendPatiently(collector, spans.slice(at, at + TOGETHER), rest);
    const why = sent.ok
      ? sent.value.rejected > 0
        ? `it rejected ${sent.value.rejected}: ${sent.value.why}`
        : ''
      : sent.error.why;
    if (why) {
      return fail({
        reason: 'not-sent',
        message: `${spans.length - at} of ${spans.length} spans were not taken by ${collector.url}: ${why}`,
        hint: 'Sending them again is safe: the same span has the same id.',
      });
    }
  }
  return ok(spans.length);
}

async function sendPatiently(
  collector: Collector,
  spans: readonly Span[],
  rest: (ms: number) => Promise<void>,
): ReturnType<typeof postSpans> {
  for (let tried = 1; ; tried += 1) {
    const sent = await postSpans(collector, spans, { timeoutMs: REQUEST_MS });
    if (sent.ok || !sent.error.again || tried >= TRIES) return sent;
    await rest(500 * 2 ** tried);
  }
}
