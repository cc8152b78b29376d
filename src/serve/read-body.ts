/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 16 * 1024;

/** Undefined if the body is too long or was cut off. */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and discarded, so that the client receives the response.
      if (size <= MOST_BYTES) chunks.push(chunk);
      if (size > 64 * MOST_BYTES) request.destroy();
    });
    request.on('end', () => resolve(size > MOST_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
