/**
 * The one way out of a sandbox whose network is a list of hosts: a proxy of the runner's, reached by a socket that is a
 * file. It looks at the name that is asked for and connects, or refuses; what is sent over a connection it cannot see.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { allowsHost, type Target } from './hosts.ts';

export interface HostProxy {
  /** The folder that is shown inside, and the socket in it. */
  readonly folder: string;
  readonly socket: string;
  close(): void;
}

export interface HostProxyOptions {
  readonly hosts: readonly string[];
  /** Told once for each host. */
  readonly onRefused: (host: string) => void;
}

/** Nobody waits longer for a host that does not answer. */
const CONNECT_MS = 30_000;
/** Longer paths are none for a socket. */
const LONGEST_FOLDER = 80;
const REFUSALS_TOLD = 20;

export async function openHostProxy({ hosts, onRefused }: HostProxyOptions): Promise<HostProxy> {
  const base = tmpdir().length > LONGEST_FOLDER ? '/tmp' : tmpdir();
  const folder = mkdtempSync(join(base, 'ralph-net-'));
  const socket = join(folder, 'proxy');
  const open = new Set<Duplex>();
  const told = new Set<string>();
  const allowed = (target: Target | undefined): target is Target => {
    if (target && allowsHost(hosts, target)) return true;
    const name = target ? shown(target) : 'an address that is none';
    if (!told.has(name) && told.size < REFUSALS_TOLD) {
      told.add(name);
      onRefused(name);
    }
    return false;
  };
  const server = createServer((request, response) => forward(request, response, allowed));
  server.on('connection', (client: Socket) => keep(open, client));
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) =>
    tunnel({ request, client, head, allowed, open }),
  );
  server.on('clientError', (_, client: Duplex) => client.destroy());
  await listening(server, socket);
  chmodSync(socket, 0o600);
  return {
    folder,
    socket,
    close: () => {
      server.close();
      for (const each of open) each.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const shown = ({ host, port }: Target): string => (port === 443 || port === 80 ? host : `${host}:${port}`);

const listening = (server: Server, socket: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => resolve());
  });

function keep(open: Set<Duplex>, each: Duplex): void {
  open.add(each);
  each.once('close', () => open.delete(each));
  // An end that is gone ends the other; there is nothing more to say about it.
  each.on('error', () => each.destroy());
}

type Allowed = (target: Target | undefined) => target is Target;

interface Tunnel {
  readonly request: IncomingMessage;
  readonly client: Duplex;
  readonly head: Buffer;
  readonly allowed: Allowed;
  readonly open: Set<Duplex>;
}

function tunnel({ request, client, head, allowed, open }: Tunnel): void {
  const target = targetIn(request.url ?? '');
  if (!allowed(target)) {
    client.end(`HTTP/1.1 403 ${REASON}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${REFUSED}\n`);
    return;
  }
  const upstream = connect(target.port, target.host);
  keep(open, upstream);
  upstream.setTimeout(CONNECT_MS, () => upstream.destroy());
  upstream.once('connect', () => {
    upstream.setTimeout(0);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  upstream.once('close', () => client.destroy());
  client.once('close', () => upstream.destroy());
}

/** A request in the clear, with the whole address in its first line. */
function forward(request: IncomingMessage, response: ServerResponse, allowed: Allowed): void {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
  const target = url?.protocol === 'http:' ? { host: url.hostname, port: Number(url.port || 80) } : undefined;
  if (!url || !allowed(target)) {
    response.writeHead(403, REASON, { 'content-type': 'text/plain' }).end(`${REFUSED}\n`);
    return;
  }
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers;
  const onward = httpRequest(
    { host: target.host, port: target.port, method: request.method, path: url.pathname + url.search, headers },
    answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.setTimeout(CONNECT_MS * 20, () => onward.destroy());
  onward.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}

/** Of a refused tunnel most programs show no more than this, if that. */
const REASON = 'Not a host in sandbox.network of the config';
const REFUSED = 'The sandbox lets this session reach only the hosts in sandbox.network of the config.';

function targetIn(authority: string): Target | undefined {
  const [, host, port] = /^\[?([^\]/\s]+?)\]?:(\d{1,5})$/.exec(authority) ?? [];
  return host !== undefined && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : undefined;
}
