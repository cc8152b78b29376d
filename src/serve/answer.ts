/** Sends responses: JSON, text, pages, failures. Nothing that was read from a run is ever sent as HTML. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import type { Failure } from '../util/result.ts';
import { errorView, safeJson } from '../view/index.ts';
import { SAFE_HEADERS } from './headers.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Smaller responses are not compressed. */
const SMALL = 2_048;

export function sendJson({ request, response }: Exchange, value: unknown, status = 200): void {
  const text = safeJson(value);
  const head = { ...SAFE_HEADERS, 'Content-Type': 'application/json; charset=utf-8' };
  if (text.length < SMALL || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    response.writeHead(status, head).end(request.method === 'HEAD' ? undefined : text);
    return;
  }
  gzip(text, { level: 5 }, (error, bytes) => {
    if (response.destroyed) return;
    if (error) response.writeHead(status, head).end(text);
    else response.writeHead(status, { ...head, 'Content-Encoding': 'gzip' }).end(bytes);
  });
}

export const sendFailure = (exchange: Exchange, failure: Failure, status: number): void =>
  sendJson(exchange, { error: errorView(failure) }, status);

export function sendText({ request, response }: Exchange, text: string | Buffer, status = 200): void {
  response.writeHead(status, { ...SAFE_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Sends HTML; only for our own texts. */
export function sendPage(
  { request, response }: Exchange,
  html: string,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...SAFE_HEADERS, 'Content-Type': 'text/html; charset=utf-8', ...more });
  response.end(request.method === 'HEAD' ? undefined : html);
}
