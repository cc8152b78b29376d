/** Runs as other programs get them: spans that the official definitions read, live and after the fact, and rows. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { iterationColumns } from '../../src/traces/rows.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { attributesOf, type ReadSpan, spansIn, throughProtobuf } from './official.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

interface Got {
  readonly bodies: string[];
  readonly headers: Record<string, unknown>[];
}

/** A collector that notes what it gets. */
async function collector(status = 200): Promise<Got & { readonly url: string }> {
  const got: Got = { bodies: [], headers: [] };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      got.bodies.push(Buffer.concat(pieces).toString('utf8'));
      got.headers.push({ url: request.url, ...request.headers });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  servers.push(server);
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { ...got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const plan = {
  userStories: [
    { id: 'US-1', title: '=HYPERLINK("x")', passes: false },
    { id: 'US-2', title: 'Second, with "quotes"', passes: false },
  ],
};
const usage = { usage: { input: 100, output: 20, cached: 40, cost: 0.25 } };
const scenario = {
  items: {
    'US-1': [
      { steps: [usage, { write: { path: 'bad.txt', text: 'x\n' } }] },
      { steps: [usage, { run: 'rm -f bad.txt' }, { write: { path: 'a.txt', text: 'x\n' } }] },
    ],
    'US-2': [{ steps: [usage, { write: { path: 'b.txt', text: 'x\n' } }] }],
  },
  reviews: { 'US-2': [{ verdict: 'pass' }] },
};

const spansOf = (bodies: readonly string[]): readonly ReadSpan[] =>
  bodies.flatMap(body => {
    const { read, given } = throughProtobuf(body);
    // Nothing that was sent is unknown to the definitions, and nothing changed on the way.
    expect(read).toEqual(given);
    return spansIn(read);
  });

const byId = (spans: readonly ReadSpan[]) => spans.toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1));

async function exported(repo: Repo): Promise<readonly ReadSpan[]> {
  const { code, stderr } = await repo.ralph(['export', '--otlp', '../outside/spans.json']);
  expect([code, stderr]).toEqual([0, '']);
  return spansOf([repo.read('../outside/spans.json')]);
}

describe('a run with otel', () => {
  it('sends the spans that an export gives, with tokens, model and cost; rows tell the same', async () => {
    const { url, bodies, headers } = await collector();
    const repo = makeRepo({
      plan,
      scenario,
      config: {
        otel: { endpoint: url, headers: { Authorization: 'Bearer ${TOKEN}' } },
        gates: [{ name: 'no-bad', run: 'test ! -e bad.txt' }],
        review: { items: ['US-2'] },
      },
    });
    const ran = await repo.run([], { env: { TOKEN: 'tell-nobody' } });
    expect(ran.code, ran.stderr).toBe(0);
    expect(headers[0]).toMatchObject({ url: '/v1/traces', authorization: 'Bearer tell-nobody' });

    const live = spansOf(bodies);
    const later = await exported(repo);
    expect(byId(live)).toEqual(byId(later));
    expect(await exported(repo)).toEqual(later);

    const named = (name: string) => later.filter(span => span.name === name);
    expect(later.map(({ name }) => name).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'invoke_agent script'),
      // Before the first item, and after each of the three attempts.
      ...Array.from({ length: 4 }, () => 'ralph.gate'),
      ...Array.from({ length: 3 }, () => 'ralph.iteration'),
      'ralph.review',
      'ralph.run',
    ]);
    const [run] = named('ralph.run');
    const ids = new Map(later.map(span => [span.spanId, span]));
    for (const span of later) {
      expect(span.traceId).toBe(run?.traceId);
      const parent = ids.get(span.parentSpanId ?? '');
      expect(parent?.name ?? 'none').toBe(
        span === run
          ? 'none'
          : span.name === 'invoke_agent script' || attributesOf(span)['ralph.gate.phase'] === 'item'
            ? 'ralph.iteration'
            : 'ralph.run',
      );
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
      if (parent) {
        expect(BigInt(span.startTimeUnixNano) >= BigInt(parent.startTimeUnixNano)).toBe(true);
        expect(BigInt(span.endTimeUnixNano) <= BigInt(parent.endTimeUnixNano)).toBe(true);
      }
    }
    expect(attributesOf(named('invoke_agent script')[0] ?? { attributes: [] })).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'script',
      'gen_ai.agent.name': 'script',
      'gen_ai.usage.input_tokens': '140',
      'gen_ai.usage.cache_read.input_tokens': '40',
      'gen_ai.usage.output_tokens': '20',
      'ralph.cost_usd': 0.25,
      'ralph.item.id': 'US-1',
    });
    const verdicts = named('ralph.iteration').map(span => [
      attributesOf(span)['ralph.verdict'],
      span.status?.code ?? 0,
      attributesOf(span)['error.type'],
    ]);
    expect(verdicts).toEqual([
      ['rejected', 2, 'gate-red'],
      ['accepted', 0, undefined],
      ['accepted', 0, undefined],
    ]);
    expect(attributesOf(run ?? { attributes: [] })).toMatchObject({
      'gen_ai.usage.output_tokens': '60',
      'ralph.cost_usd': 0.75,
      'ralph.run.reason': 'complete',
      'vcs.ref.head.name': expect.stringContaining('ralph/') as string,
    });

    const csv = (await repo.ralph(['export', '--csv'])).stdout.split('\r\n');
    expect(csv[0]).toBe(iterationColumns.join(','));
    expect(csv).toHaveLength(5);
    expect(csv[1]).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv[3]).toContain('"Second, with ""quotes"""');
    const rows = JSON.parse((await repo.ralph(['export', '--json', '--all'])).stdout) as Record<string, unknown>[];
    expect(
      rows.map(({ item, verdict, cost_usd, tests_run, gates_red }) => [item, verdict, cost_usd, tests_run, gates_red]),
    ).toEqual([
      ['US-1', 'rejected', 0.25, 0, 1],
      ['US-1', 'accepted', 0.25, 0, 0],
      ['US-2', 'accepted', 0.25, 0, 0],
    ]);
    const items = JSON.parse(
      (await repo.ralph(['export', repo.runs()[0] ?? '', '--json', '--items'])).stdout,
    ) as object[];
    expect(items).toMatchObject([
      { item: 'US-1', status: 'done', cost_usd: 0.5 },
      { item: 'US-2', status: 'done' },
    ]);
  });

  it('is not held up or failed by a collector that refuses, and says how to send the spans later', async () => {
    const refusing = await collector(500);
    const repo = makeRepo({ plan, scenario, config: { otel: { endpoint: refusing.url } } });
    const ran = await repo.run();
    expect(ran.code).toBe(0);
    const run = repo.runs()[0] ?? '';
    expect(ran.stdout).toContain(`traces were not accepted by ${refusing.url}/v1/traces: it answered 500`);
    expect(ran.stdout).toContain(`To send them: ralph export --run ${run} --otlp ${refusing.url}/v1/traces`);
    const again = await repo.ralph(['export', '--otlp', refusing.url]);
    expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('it answered 500')]);
    const good = await collector();
    const sent = await repo.ralph(['export', '--otlp', good.url]);
    expect([sent.code, sent.stdout]).toEqual([0, `5 spans sent to ${good.url}/v1/traces\n`]);
    expect(spansOf(good.bodies)).toHaveLength(5);
  });

  it('ends as ever where every connection is dropped, and says so', async () => {
    const dropping = createTcpServer(socket => void socket.on('error', () => undefined).destroy());
    await new Promise<void>(resolve => void dropping.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(dropping.address() as AddressInfo).port}`;
    const repo = makeRepo({ plan, scenario, config: { otel: { endpoint } } });
    const ran = await repo.ralph(['run']);
    dropping.close();
    expect([ran.code, ran.stdout]).toEqual([
      0,
      expect.stringContaining(`${endpoint}/v1/traces: the connection was dropped`),
    ]);
    expect(ran.stdout).toContain('To send them: ralph export');
  });

  it('bad targets and flags get one sentence', async () => {
    const repo = makeRepo({
      plan,
      scenario,
      config: { otel: { endpoint: 'http://127.0.0.1:9', headers: { x: '${NO_SUCH}' } } },
    });
    const ran = await repo.run(['--once']);
    expect(ran.stdout).toContain('no traces are sent: a header of otel needs the variable NO_SUCH, which is not set');
    expect((await repo.ralph(['export'])).stderr).toContain('ralph export needs one of --otlp, --csv and --json');
    expect((await repo.ralph(['export', '--otlp', 'ftp://x'])).stderr).toContain(
      '"ftp://x" is not an http or https address',
    );
    const nowhere = await repo.ralph(['export', '--otlp', 'prd.json/x.json']);
    expect([nowhere.code, nowhere.stderr]).toEqual([4, expect.stringContaining('prd.json')]);
  });
});
