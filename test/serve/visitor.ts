/** Somebody who asks a server, with any headers at all, and a signed-in browser. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The path goes out as it is: nothing is made tidy on the way. */
export function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers,
      agent: false,
      setHost: !('Host' in headers),
    });
    asked.on('error', reject);
    asked.on('response', response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    asked.end(body);
  });
}

export interface Browser {
  readonly port: number;
  readonly cookie: string;
  get<T = Readonly<Record<string, unknown>>>(path: string): Promise<T>;
  send(run: string, body: unknown): Promise<Reply>;
}

/** Opens the address that the terminal shows. */
export async function signIn(address: string): Promise<Browser> {
  const url = new URL(address);
  const port = Number(url.port);
  const entered = await ask(port, `${url.pathname}${url.search}`);
  const [cookie = ''] = String(entered.headers['set-cookie']).split(';');
  const get = async <T>(path: string): Promise<T> => {
    const { status, text } = await ask(port, `/api/v1/${path}`, { headers: { Cookie: cookie } });
    if (status !== 200) throw new Error(`${status} for ${path}: ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    port,
    cookie,
    get,
    send: async (run, body) => {
      const { csrf } = await get<{ csrf: string | null }>('meta');
      return await ask(port, `/api/v1/runs/${run}/commands`, {
        method: 'POST',
        headers: {
          Cookie: cookie,
          Origin: `http://127.0.0.1:${port}`,
          'Content-Type': 'application/json',
          'X-Ralph-Csrf': csrf ?? '',
        },
        body: JSON.stringify(body),
      });
    },
  };
}

export interface Heard {
  readonly id: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** A stream that is being read; `close` leaves it. */
export function listen(browser: Browser, run: string, after?: string): { readonly heard: Heard[]; close(): void } {
  const heard: Heard[] = [];
  let [rest, id] = ['', ''];
  const asked = request({
    host: '127.0.0.1',
    port: browser.port,
    path: `/api/v1/runs/${run}/stream`,
    headers: { Cookie: browser.cookie, ...(after === undefined ? {} : { 'Last-Event-ID': after }) },
    agent: false,
  });
  asked.on('error', () => undefined);
  asked.on('response', response => {
    response.on('error', () => undefined);
    response.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString('utf8')).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        id = /^id: (.*)$/m.exec(part)?.[1] ?? id;
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) heard.push({ id, at: Date.now(), data: JSON.parse(data) as Heard['data'] });
      }
    });
  });
  asked.end();
  return { heard, close: () => asked.destroy() };
}

export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
