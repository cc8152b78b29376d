/** What a request carries, up to a bound. */
import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 16 * 1024;

/** Undefined where it is longer, or was cut off. */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and thrown away, so that the answer reaches whoever sends it.
      if (size <= MOST_BYTES) chunks.push(chunk);
      if (size > 64 * MOST_BYTES) request.destroy();
    });
    request.on('end', () => resolve(size > MOST_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
