/** Collectors that are slow, absent, busy or choosy, and spans of what a short run does not have. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import type { Durable, Recorded } from '../../src/events.ts';
import { noUsage } from '../../src/state.ts';
import { collectorAt } from '../../src/traces/collector.ts';
import { openSender } from '../../src/traces/sender.ts';
import { otlpText, spansOf } from '../../src/traces/whole-run.ts';
import { until } from '../support/until.ts';
import { spansIn, throughProtobuf } from './official.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const started: Durable = {
  type: 'run.started',
  run: 'r',
  plan: { path: 'prd.json', format: 'prd', name: 'p' },
  branch: 'ralph/p',
  base: 'b'.repeat(40),
  workspace: '.',
  agent: 'claude',
  gates: [],
};
const wait = (n: number): readonly Durable[] => [
  { type: 'wait.started', until: n, why: 'limit' },
  { type: 'wait.ended' },
];
const recorded = (events: readonly Durable[]): readonly Recorded[] =>
  events.map((event, at) => ({ ...event, seq: at + 1, at: 1_794_782_000_000 + at * 1000 }));

function sender(endpoint: string) {
  const troubles: string[] = [];
  const collector = collectorAt({ endpoint }, { env: {}, clean: text => text });
  if (!collector.ok) throw new Error(collector.error.message);
  const times = { everyMs: 1, requestMs: 60_000, patienceMs: 1000 };
  const opened = openSender({ collector: collector.value, onTrouble: what => troubles.push(what), ...times });
  for (const record of recorded([started, ...wait(1), ...wait(2)])) opened.sink(record, record.at);
  return { ...opened, troubles };
}

describe('a collector that', () => {
  it('never answers is left after a moment, and what it did not take is said', async () => {
    const asked: number[] = [];
    const { close, troubles } = sender(await serve(() => asked.push(1)));
    await until(() => asked.length > 0);
    const began = performance.now();
    expect(await close()).toMatch(/^2 spans of this run could not be sent to .*: it did not answer in time$/);
    // A request may take a minute; the end of a run does not wait for that.
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(troubles).toEqual([]);
  });

  it('is not there is said once, and nothing is thrown', async () => {
    const { close, troubles } = sender('http://127.0.0.1:1');
    await until(() => troubles.length > 0);
    expect(await close()).toMatch(/^2 spans .*127\.0\.0\.1:1\/v1\/traces: /);
    expect(troubles).toHaveLength(1);
  });

  it('is busy for a while gets the same spans again, each once', async () => {
    const bodies: string[] = [];
    let asked = 0;
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        asked += 1;
        if (asked > 2) bodies.push(body);
        response.writeHead(asked > 2 ? 200 : 503).end();
      });
    });
    const { close } = sender(url);
    await until(() => bodies.length > 0);
    expect(await close()).toBeUndefined();
    const spans = bodies.flatMap(body => spansIn(throughProtobuf(body).read));
    expect(spans.map(({ name }) => name)).toEqual(['ralph.wait', 'ralph.wait']);
  });

  it('drops every connection, or does not speak HTTP, is said in words', async () => {
    const said: (string | undefined)[] = [];
    for (const words of ['', 'hello\r\n\r\n']) {
      const server = createTcpServer(socket => void socket.on('error', () => undefined).end(words));
      await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
      said.push(await sender(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).close());
      server.close();
    }
    expect(said[0]).toMatch(/the connection was dropped$/);
    expect(said[1]).toMatch(/what answered there is not HTTP$/);
  });

  it('repeats the value of a header is said without it, and one with a password in its address is refused', async () => {
    const endpoint = await serve((request, response) => {
      request.resume().on('end', () => response.writeHead(401).end(`no ${String(request.headers.authorization)}`));
    });
    const headers = { authorization: 'Bearer ${KEY}' };
    const collector = collectorAt({ endpoint, headers }, { env: { KEY: 'k3y-of-mine' }, clean: text => text });
    if (!collector.ok) throw new Error(collector.error.message);
    const opened = openSender({ collector: collector.value, onTrouble: () => undefined });
    for (const record of recorded([started, ...wait(1)])) opened.sink(record, record.at);
    expect(await opened.close()).toMatch(/it answered 401: no Bearer \[hidden\]$/);
    const signed = collectorAt({ endpoint: 'http://me:hunter2@localhost:4318' }, { env: {}, clean: text => text });
    expect([signed.ok, JSON.stringify(signed).includes('hunter2')]).toEqual([false, false]);
  });

  it.each([
    [
      'takes some and says so',
      200,
      '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}',
      /^1 span .*too old$/,
    ],
    ['refuses for good', 401, 'who are you?', /^2 spans .*it answered 401: who are you\?$/],
    ['sends elsewhere', 302, '', /^2 spans .*it answered 302, and redirects are not followed$/],
    ['answers nonsense', 200, '<html>', undefined],
  ])('%s', async (_, status, body, left) => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body));
    });
    const said = await sender(url).close();
    if (left) expect(said).toMatch(left);
    else expect(said).toBeUndefined();
  });
});

describe('spans', () => {
  const end = { reason: 'exited', code: 0, signal: null, durationMs: 900, leftovers: [], droppedBytes: 0 } as const;
  const key = { iteration: 1, item: 'A' };
  const begin = { title: 'T', attempt: 1, try: 1, base: 'b', tree: 't', lease: 'l' };
  const gate = { name: 'test', run: 'npm test', status: 'green', exit: 0, durationMs: 400, tail: '' } as const;
  const evidence = { tree: 't', changed: true, files: 1, added: 1, deleted: 0, verify: [gate], verifyWasRed: false };
  const trials = { runs: 2, durationMs: 100, wallMs: 150, why: ['old tests'] };
  const records = recorded([
    started,
    { type: 'iteration.started', ...key, ...begin },
    { type: 'agent.started', ...key, process: { pid: 1, started: '1', boot: 'x' } },
    { type: 'iteration.aborted', ...key, why: 'stopped on request' },
    { type: 'iteration.started', ...key, ...begin, agent: 'codex:gpt-5' },
    { type: 'agent.started', ...key, process: { pid: 1, started: '1', boot: 'x' } },
    { type: 'agent.finished', ...key, end, claim: { type: 'none' }, usage: noUsage, costUsd: 0, model: 'gpt-5' },
    { type: 'evidence', ...key, evidence: { ...evidence, findings: [], gates: [gate, gate], trials } },
    { type: 'paused', actor: { via: 'page' } },
    { type: 'unpaused' },
  ]);

  it('gates and proofs are laid end to end before their evidence, and each cut-off iteration is one of its own', () => {
    const spans = spansOf(records);
    const at = (name: string) => spans.filter(span => span.name === name).map(({ start, end: over }) => [start, over]);
    const looked = 1_794_782_007_000;
    expect(at('ralph.proof')).toEqual([[looked - 150, looked]]);
    // Three of 400 ms do not fit into the second there was: they end in time all the same.
    expect(at('ralph.gate')).toEqual([
      [looked - 1000, looked - 600],
      [looked - 600, looked - 200],
      [looked - 200, looked - 150],
    ]);
    expect(at('invoke_agent codex')).toEqual([[looked - 2000, looked - 1000]]);
    expect(at('ralph.pause')).toHaveLength(1);
    expect(at('ralph.run')).toEqual([[1_794_782_000_000, 1_794_782_009_000]]);
    expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
    const [cut] = spans.filter(span => span.name === 'ralph.iteration');
    expect(cut?.attributes).toMatchObject({ 'ralph.verdict': 'cut off' });
  });

  it('secrets in texts do not leave the machine, and long texts are cut', () => {
    const steered = recorded([started, { type: 'steered', text: `use key-123 ${'x'.repeat(5000)}` }]);
    const text = otlpText(steered, said => said.replace('key-123', '***'));
    expect(text).toContain('use *** xxx');
    expect(text).not.toContain('key-123');
    expect(text.length).toBeLessThan(4500);
  });
});
