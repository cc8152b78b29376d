/**
 * `ralph serve`: a page for this machine only, over the files of runs. It only reads; commands for a run go through the
 * commands of the terminal. Every request passes the same checks in order: host and origin, session, then its route.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Project } from '../start/index.ts';
import { errorText, type Failure, fail, ok, type Result } from '../util/result.ts';
import { type MetaView, noSuchRun, openArchives, openLibrary } from '../view/index.ts';
import { type Exchange, sendFailure, sendJson, sendPage, sendText } from './answer.ts';
import { parseCommand } from './command-body.ts';
import { obey } from './commands.ts';
import { gatekeeper, hostsOf } from './guard.ts';
import { SAFE_HEADERS } from './headers.ts';
import { openHub } from './hub.ts';
import { login } from './login.ts';
import { type PageFiles, plainBytes } from './page-files.ts';
import { lockedPage, placeholderPage } from './pages.ts';
import { readBody } from './read-body.ts';
import { partsOf, read } from './router.ts';
import { isSame, openSessions, type Session, type Sessions } from './sessions.ts';

export interface ServeOptions {
  readonly project: Project;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly isReadonly: boolean;
  readonly password?: string | undefined;
  readonly version: string;
  readonly page: PageFiles;
  /** Called with the next address when a code was used. */
  readonly onSignIn: (address: string) => void;
}

export interface Serving {
  readonly port: number;
  /** The address with a code that works once. */
  address(): string;
  listeners(): number;
  close(): Promise<void>;
}

const API = '/api/v1/';
const SURVEY_MS = 5_000;

export async function serve(options: ServeOptions): Promise<Result<Serving>> {
  const { project, host, isReadonly, version, page } = options;
  const library = openLibrary(project);
  await library.survey();
  const views = { library, archives: openArchives(project), rows: new Map(), isReadonly };
  const hub = openHub(library);
  const server = createServer({ maxHeaderSize: 16 * 1024 });
  // Slow requests are dropped; a stream ends when its client disconnects.
  server.headersTimeout = 10_000;
  server.requestTimeout = 20_000;
  server.maxConnections = 1_000;
  const listening = await listen(server, host, options.port);
  if (!listening.ok) return listening;
  const port = listening.value;
  const sessions = openSessions({ port, password: options.password });
  const gate = gatekeeper(hostsOf(host, port));
  const address = (): string => `http://${shownHost(host)}:${port}/login?code=${sessions.code()}`;

  const metaOf = (session: Session): MetaView => ({
    api: 1,
    version,
    repository: project.repository.root.split('/').at(-1) ?? '',
    readonly: isReadonly,
    csrf: isReadonly ? null : session.csrf,
    kind: 'serve',
    now: Date.now(),
  });
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const refused = gate.refuse(request);
    if (refused) {
      const allow = refused.status === 405 ? { Allow: 'GET, HEAD, POST' } : {};
      response.writeHead(refused.status, { ...SAFE_HEADERS, ...allow, 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(`${refused.message}\n`);
      return;
    }
    const url = addressOf(request.url ?? '/');
    if (url.pathname === '/login')
      return await login(exchange, { query: url.query, sessions, onSignIn: () => options.onSignIn(address()) });
    const session = sessions.of(request.headers.cookie);
    if (!session) return refuseStranger(exchange, url, sessions);
    if (!url.pathname.startsWith(API)) {
      // Another version of the interface, which a program must not take for a page.
      if (/^\/api(?:\/|$)/.test(url.pathname)) return sendFailure(exchange, notServed, 404);
      return sendFile(exchange, page, url.pathname);
    }
    const parts = partsOf(url.pathname.slice(API.length));
    if (!parts) return sendFailure(exchange, badAddress, 400);
    if (request.method === 'POST') return await command(exchange, parts, session);
    if (parts.length === 3 && parts[0] === 'runs' && parts[2] === 'stream')
      return stream(exchange, parts[1] ?? '', url);
    const found = await read(views, parts, url.query, () => metaOf(session));
    if (!found.ok) return sendFailure(exchange, found.error, 404);
    if ('text' in found.value) return sendText(exchange, found.value.text);
    return sendJson(exchange, found.value.json);
  };
  const stream = ({ request, response }: Exchange, run: string, url: Address): void => {
    const located = library.find(run);
    if (!located) return sendFailure({ request, response }, noSuchRun(run), 404);
    if (request.method === 'HEAD') return sendText({ request, response }, '');
    const last = request.headers['last-event-id'];
    const after = (typeof last === 'string' && last !== '' ? last : url.query.get('after')) ?? undefined;
    response.writeHead(200, {
      ...SAFE_HEADERS,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
    });
    request.socket.setNoDelay(true);
    hub.listen(located, response, after);
  };
  const command = async (exchange: Exchange, parts: readonly string[], session: Session): Promise<void> => {
    const { headers } = exchange.request;
    const [first, run = '', last, ...rest] = parts;
    if (first !== 'runs' || last !== 'commands' || rest.length > 0) return sendFailure(exchange, noCommand, 404);
    if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(headers['content-type'] ?? ''))
      return sendFailure(exchange, notJson, 415);
    if (isReadonly) return sendFailure(exchange, onlyReading, 403);
    const token = headers['x-ralph-csrf'];
    if (typeof token !== 'string' || !isSame(token, session.csrf)) return sendFailure(exchange, noToken, 403);
    const located = library.find(run);
    if (!located) return sendFailure(exchange, noSuchRun(run), 404);
    const text = await readBody(exchange.request);
    if (text === undefined) return sendFailure(exchange, tooLong, 413);
    const body = parseCommand(text);
    if (!body.ok) return sendFailure(exchange, body.error, 400);
    const done = await obey(library.look(located), body.value);
    if (done.ok) return sendJson(exchange, done.value);
    return sendFailure(exchange, done.error.failure, done.error.status);
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer({ request, response }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendFailure({ request, response }, bug(error), 500);
    });
  });
  const survey = setInterval(() => void library.survey(), SURVEY_MS);
  survey.unref();
  // Reading a long journal takes a second, so it is done before the first request.
  setImmediate(() => {
    const [newest] = library.runs();
    if (newest) library.look(newest);
  });
  return ok({
    port,
    address,
    listeners: () => hub.count(),
    close: async () => {
      clearInterval(survey);
      hub.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  });
}

interface Address {
  readonly pathname: string;
  readonly query: URLSearchParams;
}

/** Splits the raw request target: no dot segments are removed, and nothing in it can throw. */
function addressOf(target: string): Address {
  const [pathname = '', ...query] = target.split('?');
  return { pathname, query: new URLSearchParams(query.join('?')) };
}

const shownHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;

function refuseStranger(exchange: Exchange, { pathname }: Address, sessions: Sessions): void {
  if (pathname.startsWith('/api/')) return sendFailure(exchange, notSignedIn, 401);
  sendPage(exchange, lockedPage(sessions.hasPassword), 401);
}

/** Sends a file of the built page, or the page itself, which chooses the view by the URL. */
function sendFile(exchange: Exchange, page: PageFiles, pathname: string): void {
  const { request, response } = exchange;
  if (request.method === 'POST') return sendFailure(exchange, noCommand, 404);
  const file = page.get(pathname.slice(1)) ?? (/\.\w+$/.test(pathname) ? undefined : page.index);
  if (!file) {
    if (pathname === '/') return sendPage(exchange, placeholderPage);
    return sendText(exchange, 'There is nothing at this address.\n', 404);
  }
  const isTaken = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  // Built files have a content hash in their name; the page itself does not.
  const cache = file === page.index ? {} : { 'Cache-Control': 'private, max-age=31536000, immutable' };
  response.writeHead(200, {
    ...SAFE_HEADERS,
    ...cache,
    'Content-Type': file.type,
    ...(isTaken ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : isTaken ? file.bytes : plainBytes(file));
}

function listen(server: Server, host: string, port: number): Promise<Result<number>> {
  return new Promise(resolve => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(fail(notListening(error, host, port))));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

function notListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): Failure {
  const why =
    code === 'EADDRINUSE'
      ? `port ${port} of ${host} is taken by another program`
      : code === 'EACCES'
        ? `port ${port} may not be used by you`
        : `${host}:${port} cannot be listened on: ${message}`;
  return {
    reason: 'port-taken',
    message: why,
    hint: `Take another: ralph serve --port ${port >= 65_000 ? 4010 : port + 1}`,
  };
}

const notSignedIn: Failure = {
  reason: 'not-signed-in',
  message: 'this needs a sign-in',
  hint: 'Open the address that ralph serve shows in its terminal; each works once.',
};
const onlyReading: Failure = {
  reason: 'read-only',
  message: 'this page was opened with --readonly and takes no commands',
  hint: 'Type the command in a terminal, or start ralph serve without --readonly.',
};
const noToken: Failure = {
  reason: 'not-signed-in',
  message: 'the command has no valid X-Ralph-Csrf',
  hint: 'It is in GET /api/v1/meta',
};
const noCommand: Failure = {
  reason: 'not-found',
  message: 'nothing can be sent to this address',
  hint: 'See: docs/http.md',
};
const notServed: Failure = {
  reason: 'not-found',
  message: `everything for programs is below ${API}`,
  hint: 'Every address is in docs/http.md',
};
const notJson: Failure = { reason: 'usage', message: 'the body has to be application/json', hint: 'See: docs/http.md' };
const tooLong: Failure = { reason: 'usage', message: 'the body is too long', hint: 'At most 16 KiB' };
const badAddress: Failure = {
  reason: 'not-found',
  message: 'this address is not valid',
  hint: 'See: docs/http.md',
};
const bug = (error: unknown): Failure => ({
  reason: 'bug',
  message: `this could not be shown: ${errorText(error)}`,
  hint: 'The same is in the terminal: ralph status, ralph logs, ralph report',
});
