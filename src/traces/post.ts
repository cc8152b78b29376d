/** One request to a collector, and its result. Never throws, never follows redirects, never exceeds its time. */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { networkError } from '../util/network-error.ts';
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
    const { status, answer } = await post({ url, headers, body, signal: aborted });
    const said = hide(answer);
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

interface Post extends Pick<Collector, 'url' | 'headers'> {
  readonly body: string;
  readonly signal: AbortSignal;
}

function post({ url, headers, body, signal }: Post): Promise<{ readonly status: number; readonly answer: string }> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest;
  const own = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    // No connection pool: a kept connection would keep the process alive.
    const call = request(url, { method: 'POST', agent: false, headers: { ...headers, ...own }, signal }, response => {
      beginningOf(response).then(answer => resolve({ status: response.statusCode ?? 0, answer }), reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
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
