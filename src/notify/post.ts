/** One POST of JSON, with a limit on time and on the size of the response. */
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { networkError } from '../util/network-error.ts';
import { oneLine } from '../util/show.ts';
import type { Trouble } from './target.ts';

const SHOWN = 200;
const READ = 4_000;

export interface Post {
  readonly url: URL;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Redirects are not followed: the message is meant for the given address only. */
export function post({ url, body, headers = {}, signal }: Post): Promise<Trouble | undefined> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise(resolve => {
    const failed = (error: Error) => resolve(signal.aborted ? tooSlow : { why: networkError(error), again: true });
    const call = request(
      url,
      {
        method: 'POST',
        // No connection pool: a kept connection would keep the process alive.
        agent: false,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'ralph',
          ...headers,
        },
        signal,
      },
      answer => {
        const { statusCode: status = 0 } = answer;
        let text = '';
        answer.on('error', failed);
        if (status >= 200 && status < 300) {
          // Accepted: the rest of the response does not matter.
          resolve(undefined);
          answer.destroy();
          return;
        }
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk.slice(0, READ - text.length);
        });
        answer.once('end', () => resolve(troubleOf(status, text, answer.headers['retry-after'])));
      },
    );
    call.on('error', failed);
    call.end(body);
  });
}

const tooSlow: Trouble = { why: 'it did not answer in time', again: true };

function troubleOf(status: number, text: string, retryAfter: string | undefined): Trouble {
  const said = oneLine(text, SHOWN);
  const why = `it answered ${status}${said ? `: ${said}` : ''}`;
  if (status < 500 && ![408, 425, 429].includes(status)) return { why };
  const seconds = Number(retryAfter);
  return { why, again: true, ...(seconds > 0 ? { afterMs: seconds * 1000 } : {}) };
}
