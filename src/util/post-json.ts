/** One POST of JSON. Redirects are not followed: body and headers are meant for the given address only. */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface JsonPost {
  readonly url: URL;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Once there is an answer; its body is read with `beginningOf`, or the answer is destroyed. */
export function postJson({ url, body, headers, signal }: JsonPost): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const own = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    // No connection pool: a kept connection would keep the process alive.
    const options = { method: 'POST', agent: false, headers: { ...own, 'user-agent': 'ralph', ...headers }, signal };
    const call = request(url, options, resolve);
    call.on('error', reject);
    call.end(body);
  });
}

export async function beginningOf(answer: IncomingMessage, bytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let read = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece);
    read += piece.length;
    if (read >= bytes) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, bytes);
}
