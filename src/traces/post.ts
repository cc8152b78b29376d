/** One request to a collector, and its result. Never throws, never follows redirects, never exceeds its time. */
import { fail, ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { type Clean, otlpRequest } from './otlp.ts';
import type { Span } from './span.ts';

export interface Collector {
  /** Where the spans go, with its path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clean: Clean;
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
  { url, headers, clean }: Collector,
  spans: readonly Span[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Result<{ readonly rejected: number; readonly why: string }, Refused>> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.round(timeoutMs)));
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(otlpRequest(spans, clean)),
      // Somewhere else, the headers would be told to somebody else.
      redirect: 'error',
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    const answer = await beginningOf(response);
    if (response.ok) return ok(partial(answer));
    const why = `it answered ${response.status}${answer ? `: ${oneLine(answer, 200)}` : ''}`;
    return fail({ why, again: WORTH_ANOTHER_TRY.includes(response.status) });
  } catch (error) {
    return fail({ why: describe(error, timeoutMs), again: true });
  }
}

async function beginningOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece as Uint8Array);
    bytes += (piece as Uint8Array).length;
    if (bytes >= ANSWER_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, ANSWER_BYTES);
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

function describe(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `it did not answer within ${Math.round(timeoutMs / 100) / 10} s`;
  return oneLine(cause?.code ?? cause?.message ?? message, 200);
}
