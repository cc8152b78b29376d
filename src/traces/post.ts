/** One request to a collector, and its result. Never throws, never follows redirects, never exceeds its time. */
import { networkError } from '../util/network-error.ts';
import { beginningOf, postJson } from '../util/post-json.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { type Clean, otlpRequest } from './otlp.ts';
import type { Span } from './span.ts';

export interface Collector {
  /** Where the spans go, with its path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clean: Clean;
  /** Removes the values of headers from an answer, which may repeat them. */
  readonly hide: Clean;
}

/** `again`: the same request may succeed later. */
export interface Refused {
  readonly why: string;
  readonly again: boolean;
}

/** What of an answer is looked at. */
const ANSWER_BYTES = 16 * 1024;
const WORTH_ANOTHER_TRY: readonly number[] = [408, 429, 502, 503, 504];

/** How many of the spans were not taken, and why. */
export async function postSpans(
  { url, headers, clean, hide }: Collector,
  spans: readonly Span[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Result<{ readonly rejected: number; readonly why: string }, Refused>> {
  const body = JSON.stringify(otlpRequest(spans, clean));
  const late = new AbortController();
  // A timer that keeps the process alive: a request whose connection is gone does not.
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const aborted = signal ? AbortSignal.any([late.signal, signal]) : late.signal;
    const answer = await postJson({ url: new URL(url), headers, body, signal: aborted });
    const { statusCode: status = 0 } = answer;
    const said = hide(await beginningOf(answer, ANSWER_BYTES));
    if (status >= 200 && status < 300) return ok(partial(said));
    const where = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
    const why = `it answered ${status}${where}${said ? `: ${oneLine(said, 200)}` : ''}`;
    return fail({ why, again: WORTH_ANOTHER_TRY.includes(status) });
  } catch (error) {
    const why = late.signal.aborted
      ? `it did not answer within ${Math.round(timeoutMs / 100) / 10} s`
      : networkError(error as Error);
    return fail({ why, again: true });
  } finally {
    clearTimeout(timer);
  }
}

/** A collector may take some spans and say which it did not. */
function partial(answer: string): { readonly rejected: number; readonly why: string } {
  try {
    const { partialSuccess: said } = JSON.parse(answer) as {
      partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown };
    };
    const rejected = Number(said?.rejectedSpans ?? 0) || 0;
    return { rejected, why: typeof said?.errorMessage === 'string' ? oneLine(said.errorMessage, 200) : '' };
  } catch {
    return { rejected: 0, why: '' };
  }
}
