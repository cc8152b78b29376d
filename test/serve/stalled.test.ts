/** Many readers that have stopped reading: nothing waits for them, nobody notices them, and they are served when they read again. */
import { appendFileSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { startServe } from './serving.ts';
import { listen } from './visitor.ts';

interface LongRun {
  readonly file: string;
  readonly run: string;
  readonly record: (event: object) => string;
}

const { longRun } = (await import(new URL('../../bench/page.mjs', import.meta.url).href)) as {
  readonly longRun: (folder: string, size: { readonly iterations: number; readonly items: number }) => LongRun;
};

const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

test('200 of them cost less than 50 MB, and an event still reaches who reads', async () => {
  const repo = makeRepo({ plan: { userStories: [] } });
  const { file, run, record } = longRun(repo.root, { iterations: 1_000, items: 500 });
  const { browser, running } = await startServe(repo);
  const { cursor } = await browser.get<{ cursor: string }>(`runs/${run}`);
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1024;
  const before = memory();
  const after = Number(cursor) - 4_500;
  const heard: string[] = [];
  for (let n = 0; n < 200; n++) {
    const socket = connect(browser.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(
      `GET /api/v1/runs/${run}/stream?after=${after} HTTP/1.1\r\nHost: 127.0.0.1:${browser.port}\r\nCookie: ${browser.cookie}\r\n\r\n`,
    );
    socket.pause();
  }
  const reader = listen(browser, run);
  await until(() => reader.heard.length > 0);
  for (let n = 0; n < 20; n++) {
    appendFileSync(file, record({ type: 'steered', text: `mark-${n}` }));
    await until(() => reader.heard.some(({ data }) => data.text === `Steered: mark-${n}`));
  }
  expect(memory() - before).toBeLessThan(50);
  // One of them reads again, and gets all of it.
  const [first] = sockets;
  first?.on('data', chunk => heard.push(chunk.toString('utf8')));
  first?.resume();
  await until(() => heard.join('').includes('mark-19'));
  const seqs = [...heard.join('').matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq));
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => after + 1 + at));
  expect(seqs).toHaveLength(4_520);
  reader.close();
});
