/** A network that is a list of hosts: what is on it is reached, what is not is refused and said. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowsHost, entryOfUrl, loopbackPorts } from '../../src/sandbox/hosts.ts';
import { planOf, recordsOf } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { whyNoBwrap } from './bwrap-here.ts';

describe('a list of hosts', () => {
  const list = ['api.example.org', '*.Example.net', 'localhost:8080'];
  it.each([
    ['api.example.org', 443, true],
    ['API.example.org.', 80, true],
    ['api.example.org', 22, false],
    ['evil-api.example.org', 443, false],
    ['api.example.org.evil.com', 443, false],
    ['a.b.example.net', 443, true],
    ['example.net', 443, false],
    ['evilexample.net', 443, false],
    ['localhost', 8080, true],
    ['localhost', 443, false],
  ])('%s:%s is on it: %s', (host, port, is) => expect(allowsHost(list, { host, port })).toBe(is));

  it('knows which services of the machine are meant, and where a variable says that a model is', () => {
    expect(loopbackPorts([...list, '127.0.0.1:9', 'localhost'])).toEqual([8080, 9]);
    expect(entryOfUrl('http://127.0.0.1:4000/v1')).toEqual(['127.0.0.1:4000']);
    expect(entryOfUrl('https://gateway.example.org/x')).toEqual(['gateway.example.org']);
    expect([entryOfUrl('sk-ant-1'), entryOfUrl('file:///etc/passwd')]).toEqual([[], []]);
  });
});

describe.skipIf(whyNoBwrap() !== '')('inside bubblewrap', () => {
  const server = createServer((request, response) => response.end(`served ${request.headers.host}`));
  const other = createServer((_, response) => response.end('not for you'));
  const ports = { open: 0, closed: 0 };
  beforeAll(async () => {
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    await new Promise<void>(done => other.listen(0, '127.0.0.1', done));
    ports.open = (server.address() as AddressInfo).port;
    ports.closed = (other.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
    other.close();
  });

  it('an agent reaches what is on the list, and nothing else', async () => {
    const fetches = resolve('test/support/fetch-through.mjs');
    const script = [
      'cat > /dev/null',
      `node ${fetches} 127.0.0.1:${ports.open} 127.0.0.1:${ports.closed} nowhere.invalid:443 > seen.txt 2>&1`,
      `curl -s --noproxy "*" http://127.0.0.1:${ports.open}/ >> seen.txt; echo >> seen.txt`,
      `curl -s --noproxy "*" -m 5 http://127.0.0.1:${ports.closed}/ >> seen.txt || echo "direct: refused" >> seen.txt`,
      'echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"; kill -0 $$; exit 0',
    ].join('\n');
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: {
        gates: ['true'],
        agent: { command: ['sh', '-c', script] },
        sandbox: { tier: 'bwrap', network: [`127.0.0.1:${ports.open}`], allow: { read: [resolve('test/support')] } },
      },
    });
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(repo.read('seen.txt').trim().split('\n')).toEqual([
      `127.0.0.1:${ports.open} 200 served 127.0.0.1:${ports.open}`,
      `127.0.0.1:${ports.closed} 403`,
      'nowhere.invalid:443 403',
      `served 127.0.0.1:${ports.open}`,
      'direct: refused',
    ]);
    expect(stdout).toContain(`the sandbox refused a connection to 127.0.0.1:${ports.closed}`);
    expect(stdout).toContain('the sandbox refused a connection to nowhere.invalid');
    expect(recordsOf(repo, 'agent.finished')[0]?.end).toMatchObject({ reason: 'exited', code: 0 });
  });

  it('is refused where nothing can enforce it', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], agent: { command: ['true'] }, sandbox: { tier: 'none', network: ['example.org'] } },
    });
    const { code, stderr } = await repo.ralph(['run']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('only bwrap can enforce')]);
  });
});
