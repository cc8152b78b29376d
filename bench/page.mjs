/** The page over a long run: memory, response times, event latency, and what 200 readers that do not read cost a run. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './measure.mjs';
import { itemId, makeProject, story } from './project.mjs';

const MB = 1024 * 1024;
const STALLED = 200;

export async function page(bench, { pages = { iterations: 10_000, items: 5_000, events: 60, runs: 3, runItems: 24 } }) {
  const folder = join(bench.folder, 'page');
  makeProject(folder, { items: 2, agent: ['true'], env: bench.env });
  const journal = longRun(folder, pages);
  const served = await serve(bench, folder);
  const views = await measureViews(served, pages);
  const delays = await measureDelays(served, journal, pages.events);
  const { rss, peak } = memoryOf(served.child.pid);
  served.child.kill();
  const ratio = await stalledReaders(bench, pages);
  return [
    {
      what: `page: memory of serve, ${pages.iterations} iterations, ${pages.items} items, every view`,
      ours: `${(rss / MB).toFixed(0)} MB, ${(peak / MB).toFixed(0)} MB at most`,
      megabytes: rss / MB,
      most: 150,
    },
    {
      what: 'page: the view Now of that run, first time and again',
      ours: `${views.first.toFixed(0)} ms, ${views.again.toFixed(0)} ms`,
      against: views.words,
    },
    {
      what: 'page: from a record in the journal to a reader of the stream (median)',
      ours: `${median(delays).toFixed(0)} ms`,
      milliseconds: median(delays),
      mostMs: 200,
    },
    {
      what: `page: an iteration beside ${STALLED} readers that do not read, against one beside none (median)`,
      ours: `${ratio.toFixed(2)}×`,
      ratio,
      target: 1.1,
    },
  ];
}

/** A journal as a run writes it: each record has a checksum over itself and the previous checksum. */
export function chain() {
  let [sum, seq] = ['0'.repeat(12), 0];
  return (at, event) => {
    seq += 1;
    const body = JSON.stringify({ ...(seq === 1 ? { v: 1 } : {}), seq, at, ...event, prev: sum });
    sum = createHash('sha256').update(body).digest('hex').slice(0, 12);
    return `${body.slice(0, -1)},"sum":"${sum}"}\n`;
  };
}

export function longRun(folder, { iterations, items, from = Date.UTC(2026, 0, 8) }) {
  const run = '2026-01-08-long';
  const home = join(folder, '.ralph/runs', run);
  mkdirSync(join(home, 'iterations'), { recursive: true });
  const stories = Array.from({ length: items }, (_, at) => ({ ...story(at + 1), passes: at < items / 2 }));
  writeFileSync(join(folder, 'prd.json'), JSON.stringify({ project: 'bench', userStories: stories }, undefined, 2));
  const file = join(home, 'journal.jsonl');
  const next = chain();
  let at = from;
  const record = event => next((at += 1_000), event);
  const gate = (name, status) => ({
    name,
    run: `npm run ${name}`,
    status,
    exit: status === 'green' ? 0 : 1,
    durationMs: 900,
    tail: status === 'green' ? '' : 'x'.repeat(1_500),
  });
  const [base, tree] = ['1'.repeat(40), '2'.repeat(40)];
  const lines = [
    record({
      type: 'run.started',
      run,
      plan: { path: 'prd.json', format: 'prd', name: 'long' },
      branch: 'ralph/long',
      base,
      workspace: '.',
      agent: 'claude',
      gates: ['npm run lint', 'npm test'],
    }),
  ];
  for (let n = 1; n <= iterations; n++) {
    const item = itemId(1 + Math.floor(((n - 1) * items) / iterations));
    const key = { iteration: n, item };
    const good = n % 3 !== 0;
    const verdict = good
      ? { type: 'accepted', why: 'claimed, 2 of 2 gates green' }
      : {
          type: 'rejected',
          reason: 'gate-red',
          why: 'gate test exited 1',
          feedback: 'y'.repeat(1_500),
          signature: String(n),
          next: 'continue',
        };
    lines.push(
      record({ type: 'iteration.started', ...key, title: `Story ${n}`, attempt: 1, try: 1, base, tree, lease: 'l' }),
      record({ type: 'agent.started', ...key, process: { pid: 1, started: '1', boot: 'b' } }),
      record({
        type: 'agent.finished',
        ...key,
        end: { reason: 'exited', code: 0, signal: null, durationMs: 60_000, leftovers: [], droppedBytes: 0 },
        claim: { type: 'done', how: 'signal' },
        usage: { inputTokens: 50_000, outputTokens: 4_000, cachedTokens: 90_000 },
        costUsd: 0.2,
      }),
      record({
        type: 'evidence',
        ...key,
        evidence: {
          tree,
          changed: true,
          files: 3,
          added: 40,
          deleted: 4,
          findings: [],
          gates: [gate('lint', 'green'), gate('test', good ? 'green' : 'red')],
          verify: [],
          verifyWasRed: false,
        },
      }),
      record({ type: 'verdict', ...key, verdict }),
      record({
        type: 'iteration.finished',
        ...key,
        verdict: verdict.type,
        tree,
        durationMs: 62_000,
        ...(good ? { commit: base } : { ref: `refs/ralph/${run}/${item}/1` }),
      }),
    );
  }
  writeFileSync(file, lines.join(''));
  return { file, run, record, bytes: readFileSync(file).length };
}

async function serve(bench, folder) {
  const port = await freePort();
  const child = spawn(process.execPath, [bench.cli, 'serve', '--port', String(port)], {
    cwd: folder,
    env: bench.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.on('exit', () => reject(new Error(`serve ended: ${text}`)));
    child.stdout.on('data', chunk => {
      text += chunk;
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  const entered = await fetch(address);
  const cookie = entered.headers.get('set-cookie').split(';')[0];
  return { child, port, cookie };
}

const get = ({ port, cookie }, path) =>
  fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { headers: { cookie } }).then(answer => answer.text());

async function measureViews(served, { iterations }) {
  const run = 'runs/2026-01-08-long';
  const timed = async path => {
    const began = performance.now();
    const { length } = await get(served, path);
    return { ms: performance.now() - began, length };
  };
  const first = await timed(run);
  const again = await timed(run);
  const words = [];
  for (const path of [
    'runs',
    `${run}/items?count=1000`,
    `${run}/timeline`,
    `${run}/costs`,
    `${run}/iterations/${iterations / 2}`,
    'lessons',
    'archives',
    'search?q=story',
    'morning?since=0',
  ]) {
    const { ms, length } = await timed(path);
    words.push(`${path.split('/').at(-1).split('?')[0]} ${ms.toFixed(0)} ms ${(length / 1024).toFixed(0)} KiB`);
  }
  return { first: first.ms, again: again.ms, words: words.join(', ') };
}

async function measureDelays(served, { file, run, record }, events) {
  const seen = new Map();
  const socket = connect(served.port, '127.0.0.1');
  socket.write(
    `GET /api/v1/runs/${run}/stream HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nCookie: ${served.cookie}\r\n\r\n`,
  );
  socket.on('data', chunk => {
    for (const [, text] of String(chunk).matchAll(/Steered: mark-(\d+)/g)) seen.set(Number(text), performance.now());
  });
  await sleep(500);
  const sent = [];
  for (let n = 0; n < events; n++) {
    appendFileSync(file, record({ type: 'steered', text: `mark-${n}` }));
    sent.push(performance.now());
    await sleep(37 + (n % 7) * 11);
  }
  await sleep(500);
  socket.destroy();
  if (seen.size !== events) throw new Error(`${seen.size} of ${events} events were heard`);
  return sent.map((at, n) => seen.get(n) - at);
}

function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = name => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  return { rss: kib('VmRSS'), peak: kib('VmHWM') };
}

/** The same run with the page open and no readers, and with stalled readers; alternately. */
async function stalledReaders(bench, { runs, runItems }) {
  const taken = { quiet: [], stalled: [] };
  for (let round = 0; round < runs; round++) {
    for (const kind of ['quiet', 'stalled']) {
      const folder = join(bench.folder, `page-${kind}-${round}`);
      const agent = [bench.agent.program, `${folder}.log`, 'each', '100'];
      makeProject(folder, { items: runItems, agent, env: bench.env });
      const served = await serve(bench, folder);
      const child = spawn(process.execPath, [bench.cli, 'run', '--quiet'], {
        cwd: folder,
        env: bench.env,
        stdio: 'ignore',
      });
      const over = new Promise(resolve => child.on('exit', resolve));
      const sockets = kind === 'stalled' ? await stall(served) : [];
      await over;
      taken[kind].push(...gapsIn(folder));
      for (const socket of sockets) socket.destroy();
      served.child.kill();
    }
  }
  return median(taken.stalled) / median(taken.quiet);
}

/** From one iteration's end to the next, after all readers have connected. */
function gapsIn(folder) {
  const runs = join(folder, '.ralph/runs');
  const [run] = readdirSync(runs).filter(name => !name.startsWith('.'));
  const ends = readFileSync(join(runs, run, 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter(line => line.includes('"type":"iteration.finished"'))
    .map(line => JSON.parse(line).at);
  return ends.slice(FIRST + 1).map((at, n) => at - ends[FIRST + n]);
}

const FIRST = 8;

async function stall(served) {
  let run;
  while (!run) {
    run = JSON.parse(await get(served, 'runs')).runs[0]?.id;
    if (!run) await sleep(20);
  }
  return Array.from({ length: STALLED }, () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET /api/v1/runs/${run}/stream?after=0 HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nCookie: ${served.cookie}\r\n\r\n`,
    );
    socket.pause();
    return socket;
  });
}

function freePort() {
  return new Promise(resolve => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
