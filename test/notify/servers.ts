/** Servers on this machine that answer, answer slowly, refuse, drop the connection, or are not there. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { atEndOfFile } from '../support/at-end.ts';

export interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Local {
  readonly url: string;
  readonly port: number;
  readonly got: Got[];
}

/** `answers` in turn, the last one from then on; `never` keeps the caller waiting. */
export async function listen(...answers: readonly (number | 'never' | 'drop')[]): Promise<Local> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body });
      const answer = answers[Math.min(got.length, answers.length) - 1] ?? 200;
      if (answer === 'never') return;
      if (answer === 'drop') return request.socket.destroy();
      response.writeHead(answer, { 'content-type': 'text/plain' }).end(answer === 200 ? 'ok' : `no: ${request.url}`);
    });
  });
  const port = await started(server);
  return { url: `http://127.0.0.1:${port}`, port, got };
}

/** An address where nothing listens any more. */
export async function absent(): Promise<string> {
  const server = createSocketServer();
  const port = await started(server);
  await new Promise(resolve => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

function started(server: Server): Promise<number> {
  atEndOfFile(() => {
    server.close();
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
  });
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
