/**
 * The program between the sandbox and an agent whose network is a list of hosts:
 * `proxy-inside.cjs <socket> <ports> <program> [arguments]`. Inside there is no network but the loopback. This listens there,
 * hands every connection to the runner's proxy by its socket, and tells the agent by the usual variables.
 */
import { spawn } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import { constants } from 'node:os';

const [socket = '', ports = '', program = '', ...args] = process.argv.slice(2);

/** Gives the port. */
function listen(port: number, onConnection: (client: Socket) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function join(client: Socket, upstream: Socket): void {
  client.on('error', () => upstream.destroy()).once('close', () => upstream.destroy());
  upstream.on('error', () => client.destroy()).once('close', () => client.destroy());
}

function toProxy(client: Socket): void {
  const upstream = connect(socket);
  join(client, upstream);
  client.pipe(upstream);
  upstream.pipe(client);
}

/** For a service of the machine: as if it were inside. */
const toService = (port: number) => (client: Socket) => {
  const upstream = connect(socket);
  join(client, upstream);
  client.pause();
  upstream.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  let head = Buffer.alloc(0);
  const answer = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0 && head.length < 4096) return;
    upstream.off('data', answer);
    if (!/^HTTP\/1\.1 200 /.test(head.toString('latin1', 0, 16))) {
      client.destroy();
      return;
    }
    client.write(head.subarray(end + 4));
    client.pipe(upstream);
    upstream.pipe(client);
    client.resume();
  };
  upstream.on('data', answer);
};

async function main(): Promise<void> {
  const port = await listen(0, toProxy);
  for (const service of ports.split(',').filter(Boolean)) await listen(Number(service), toService(Number(service)));
  const url = `http://127.0.0.1:${port}`;
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => [name, name.toLowerCase()]);
  const direct = 'localhost,127.0.0.1,::1';
  const env = {
    ...process.env,
    ...Object.fromEntries(proxies.map(name => [name, url])),
    ...{ NO_PROXY: direct, no_proxy: direct, NODE_USE_ENV_PROXY: '1' },
  };
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', error => {
    process.stderr.write(`error: ${program} cannot be started: ${error.message}\n`);
    process.exit(127);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}

// Not a top-level await: the program is built as CommonJS, which has none.
void main().catch((error: Error) => {
  process.stderr.write(`error: the way to the proxy of the sandbox cannot be opened: ${error.message}\n`);
  process.exit(126);
});
