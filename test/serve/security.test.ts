/** Who is heard: every route, asked in every wrong way. The server runs in this process, over real HTTP. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageFiles, type Serving, serve } from '../../src/serve/index.ts';
import { openProject } from '../../src/start/index.ts';
import { planOf, play, works } from '../loop/scene.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { type Asked, ask, type Browser, signIn } from './visitor.ts';

const CANARY = 'the-canary-that-must-stay-outside';
const SECRET = 'ghp_x7Kq2mZ9LpR4vT8wB1nD6sF3hJ5cY0gQeUaI';

let repo: Repo;
let serving: Serving;
let browser: Browser;
let run: string;
let csrf: string;

async function start(options: { readonly password?: string } = {}): Promise<Serving> {
  const project = await openProject({ cwd: repo.root, env: cleanEnv(repo.home) });
  if (!project.ok) throw new Error(project.error.failure.message);
  const nobody = {
    isReadonly: false,
    version: '0',
    page: pageFiles([join(repo.outside, 'page')]),
    onSignIn: () => undefined,
  };
  const started = await serve({ project: project.value, host: '127.0.0.1', port: 0, ...nobody, ...options });
  if (!started.ok) throw new Error(started.error.message);
  return started.value;
}

beforeAll(async () => {
  repo = makeRepo({
    plan: planOf('US-1', { id: '../../outside', title: '<script>alert(1)</script>', passes: false }),
    config: { gates: ['true'] },
    scenario: play({
      '*': { ...works, steps: [{ say: `My key is ${SECRET}` }, { write: { path: 'a-{{iteration}}', text: 'x\n' } }] },
    }),
  });
  await repo.ralph(['run', 'prd.json']);
  writeFileSync(join(repo.outside, 'canary'), CANARY);
  [run = ''] = repo.runs();
  // What an agent could plant: links in the place of a run, an iteration, its files and an archive.
  const runs = join(repo.root, '.ralph/runs');
  symlinkSync(repo.outside, join(runs, 'linked'));
  mkdirSync(join(runs, run, 'iterations'), { recursive: true });
  symlinkSync(repo.outside, join(runs, run, 'iterations/099'));
  symlinkSync(repo.outside, join(repo.root, 'archives/linked'));
  serving = await start();
  browser = await signIn(serving.address());
  ({ csrf } = await browser.get<{ csrf: string }>('meta'));
});
afterAll(async () => await serving.close());

const paths = (): readonly string[] => [
  '/',
  '/api/v1/meta',
  '/api/v1/runs',
  `/api/v1/runs/${run}`,
  `/api/v1/runs/${run}/items`,
  `/api/v1/runs/${run}/items/US-1`,
  `/api/v1/runs/${run}/timeline`,
  `/api/v1/runs/${run}/iterations/1`,
  `/api/v1/runs/${run}/iterations/1/brief`,
  `/api/v1/runs/${run}/iterations/1/output`,
  `/api/v1/runs/${run}/iterations/1/diff`,
  `/api/v1/runs/${run}/costs`,
  `/api/v1/runs/${run}/stream`,
  '/api/v1/morning',
  '/api/v1/lessons',
  '/api/v1/archives',
  '/api/v1/search?q=a',
];
const commands = () => `/api/v1/runs/${run}/commands`;
const own = () => `http://127.0.0.1:${serving.port}`;
const signed = () => ({ Cookie: browser.cookie });
const good = (): Asked => ({
  method: 'POST',
  headers: { ...signed(), Origin: own(), 'Content-Type': 'application/json', 'X-Ralph-Csrf': csrf },
  body: '{"type":"unblock","item":"US-1"}',
});

describe('without a sign-in', () => {
  test('no route answers, with any cookie or code that is not the right one', async () => {
    const cookies = [
      '',
      'x=y',
      `ralph-${serving.port}=`,
      `ralph-${serving.port}=${'A'.repeat(43)}`,
      `ralph-1=${browser.cookie.split('=')[1]}`,
    ];
    for (const path of paths()) {
      for (const cookie of cookies) {
        const { status, text } = await ask(serving.port, path, { headers: { Cookie: cookie } });
        expect([path, cookie, status]).toEqual([path, cookie, 401]);
        expect(text).not.toContain('US-1');
      }
    }
    expect(
      (await ask(serving.port, commands(), { ...good(), headers: { ...good().headers, Cookie: 'x=y' } })).status,
    ).toBe(401);
    for (const code of ['', 'x', 'A'.repeat(43), serving.address().slice(-42)]) {
      expect((await ask(serving.port, `/login?code=${code}`)).status).toBe(401);
    }
    // Looking ahead does not use a code up.
    const path = serving.address().slice(own().length);
    expect((await ask(serving.port, path, { method: 'HEAD' })).status).toBe(401);
    expect((await ask(serving.port, path)).status).toBe(200);
  });

  test.runIf(process.getuid?.() === 0)('another user of the machine gets nothing from any route', async () => {
    const statuses = paths().map(path => `fetch(${JSON.stringify(own() + path)}).then(({ status }) => status)`);
    const script = `Promise.all([${statuses.join(',')}]).then(all => console.log(all.join(' ')))`;
    const theirs = promisify(execFile)(process.execPath, ['-e', script], { uid: 65_534, gid: 65_534, cwd: '/' });
    expect((await theirs).stdout.trim().split(' ')).toEqual(paths().map(() => '401'));
  });

  test('the cookie is for this server and for no script', async () => {
    const { headers, text } = await ask(serving.port, serving.address().slice(own().length));
    expect(String(headers['set-cookie'])).toMatch(
      new RegExp(`^ralph-${serving.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    );
    expect(text).not.toContain(String(headers['set-cookie']).slice(0, 30));
  });
});

describe('from elsewhere', () => {
  test('another name, another page, another site: nothing is answered', async () => {
    const hosts = [
      'evil.example',
      `evil.example:${serving.port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${serving.port}`,
      `0.0.0.0:${serving.port}`,
      '',
    ];
    const hostile: readonly Readonly<Record<string, string>>[] = [
      ...hosts.map(Host => ({ Host })),
      ...[
        'http://evil.example',
        'null',
        `http://127.0.0.1:${serving.port + 1}`,
        `https://127.0.0.1:${serving.port}`,
        `http://localhost:${serving.port}`,
      ].map(Origin => ({ Origin })),
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
    ];
    for (const path of paths()) {
      for (const headers of hostile) {
        const { status, text, headers: got } = await ask(serving.port, path, { headers: { ...signed(), ...headers } });
        expect([path, headers, [400, 403, 421].includes(status)]).toEqual([path, headers, true]);
        expect(text).not.toContain('US-1');
        expect(Object.keys(got).filter(name => name.startsWith('access-control'))).toEqual([]);
      }
    }
  });

  test('a command needs the page, its token and its type; nothing else is taken', async () => {
    const { headers = {}, body = '' } = good();
    const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
    const wrong: readonly Asked[] = [
      { headers: without('Origin'), body },
      { headers: { ...headers, Origin: 'http://evil.example' }, body },
      { headers: { ...headers, Origin: 'null' }, body },
      { headers: { ...headers, Host: 'evil.example' }, body },
      { headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' }, body },
      { headers: { ...headers, 'Sec-Fetch-Site': 'none' }, body },
      { headers: without('X-Ralph-Csrf'), body },
      { headers: { ...headers, 'X-Ralph-Csrf': 'A'.repeat(43) }, body },
      { headers: { ...headers, 'Content-Type': 'text/plain' }, body },
      { headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'type=unblock&item=US-1' },
      { headers: { ...headers, 'Content-Type': 'multipart/form-data; boundary=x' }, body },
      { headers: without('Content-Type'), body },
    ];
    const before = repo.journal().length;
    for (const asked of wrong)
      expect((await ask(serving.port, commands(), { method: 'POST', ...asked })).status).toBeGreaterThanOrEqual(400);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      expect((await ask(serving.port, commands(), { method, headers: { ...headers } })).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    const bodies = [
      '',
      '[]',
      'null',
      '{',
      '"pause"',
      '{"type":"run"}',
      '{"type":"exec","command":"id"}',
      '{"type":"steer"}',
      '{"type":"stop","now":"yes"}',
      '{"type":"steer","text":"x","cwd":"/"}',
      '{"type":"skip","item":["US-1"]}',
      '{"type":"steer","text":"a\\u0000b"}',
    ];
    for (const text of bodies)
      expect((await ask(serving.port, commands(), { ...good(), body: text })).status).toBe(400);
    expect(
      (
        await ask(serving.port, commands(), {
          ...good(),
          body: JSON.stringify({ type: 'steer', text: 'x'.repeat(20_000) }),
        })
      ).status,
    ).toBe(413);
    for (const path of paths()) expect([path, (await ask(serving.port, path, good())).status]).toEqual([path, 404]);
    expect(repo.journal()).toHaveLength(before);
  });
});

describe('what is answered', () => {
  test('carries its headers everywhere, and never data as HTML', async () => {
    for (const path of [
      ...paths().filter(path => !path.endsWith('/stream')),
      '/login',
      '/nothing.js',
      '/api/v1/nothing',
    ]) {
      const { headers } = await ask(serving.port, path, { headers: signed() });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|data:/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
      expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([]);
      if (path.startsWith('/api'))
        expect(headers['content-type']).toMatch(/^(application\/json|text\/plain); charset=utf-8$/);
    }
  });

  test('holds no secret that an agent printed', async () => {
    for (const path of [`runs/${run}/iterations/1`, `runs/${run}`]) {
      expect(JSON.stringify(await browser.get(path))).not.toContain(SECRET);
    }
    const { text } = await ask(serving.port, `/api/v1/runs/${run}/iterations/1/output`, { headers: signed() });
    expect(text).toContain('My key is [a GitHub token');
    expect(text).not.toContain(SECRET);
  });

  test('5,000 ids of any kind: nothing from outside', async () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '..',
        '../..',
        '../../outside',
        '/etc/passwd',
        'linked',
        '.',
        '.git',
        '%2e%2e',
        '..%2f..%2foutside',
        'a\0b',
        '....//',
        'canary',
        '099',
        '../../../outside/canary',
        '%c0%ae%c0%ae',
        '-1',
        '1e3',
        '9'.repeat(400),
        'constructor',
        '__proto__',
      ),
      fc
        .array(fc.constantFrom('..', '.', '%2e', '%2f', '/', '\\', 'outside', 'canary', 'etc', 'passwd', '%00', '\0'), {
          maxLength: 8,
        })
        .map(parts => parts.join('')),
    );
    const shapes = [
      (a: string) => `/api/v1/runs/${a}`,
      (a: string, b: string) => `/api/v1/runs/${a}/items/${b}`,
      (a: string) => `/api/v1/runs/${run}/items/${a}`,
      (a: string) => `/api/v1/runs/${run}/iterations/${a}`,
      (a: string, b: string) => `/api/v1/runs/${run}/iterations/${a}/${b}`,
      (a: string) => `/api/v1/runs/${run}/iterations/1/${a}`,
      (a: string) => `/api/v1/archives/${a}`,
      (a: string) => `/${a}`,
      (a: string, b: string) => `/${a}/${b}`,
      (a: string) => `/api/v1/runs/${a}/stream`,
    ];
    const rounds = Number(process.env.RALPH_PROPERTY_RUNS ?? 100) >= 10_000 ? 50_000 : 5_000;
    const asked = fc.sample(fc.tuple(nasty, nasty, fc.nat(shapes.length - 1), fc.boolean()), rounds);
    const texts = await inOneGo(
      asked.map(([a, b, shape, encoded]) => {
        const id = (text: string) => (encoded ? encodeURIComponent(text) : clean(text));
        return shapes[shape]?.(id(a), id(b)) ?? '/';
      }),
    );
    expect(texts.answers).toBe(rounds);
    expect(texts.all.includes(CANARY)).toBe(false);
    expect(texts.all.includes('root:')).toBe(false);
    expect(texts.all.match(/HTTP\/1\.1 5\d\d/g)).toBeNull();
  });
});

/** What can stand in a request line at all. */
const clean = (text: string): string => text.replace(/[^!-~]/gu, char => encodeURIComponent(char));

/** Many requests over a few connections that stay open. */
async function inOneGo(targets: readonly string[]): Promise<{ readonly answers: number; readonly all: string }> {
  const lanes = 4;
  const parts = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const own = targets.filter((__, at) => at % lanes === lane);
      const seen: string[] = [];
      let answers = 0;
      for (let at = 0; at < own.length; at += 50) {
        const text = await burst(own.slice(at, at + 50));
        answers += text.match(/^HTTP\/1\.1 \d/gm)?.length ?? 0;
        seen.push(text);
      }
      return { answers, all: seen.join('') };
    }),
  );
  return { answers: parts.reduce((sum, part) => sum + part.answers, 0), all: parts.map(part => part.all).join('') };
}

function burst(targets: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(serving.port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    const head = `Host: 127.0.0.1:${serving.port}\r\nCookie: ${browser.cookie}\r\n`;
    targets.forEach((target, at) => {
      const last = at === targets.length - 1 ? 'Connection: close\r\n' : '';
      socket.write(`GET ${target} HTTP/1.1\r\n${head}${last}\r\n`);
    });
  });
}

test('looking takes no lock of git: commits go on beside it', async () => {
  let over = false;
  const looking = (async () => {
    let looks = 0;
    for (; !over; looks++) await browser.get('morning?since=0');
    return looks;
  })();
  for (let n = 0; n < (process.env.RALPH_SOAK ? 500 : 25); n++) {
    repo.write('busy.txt', String(n));
    // Throws where the index is locked.
    repo.git('add', 'busy.txt');
    repo.git('commit', '-q', '-m', `Commit ${n}`);
    await new Promise(resolve => setImmediate(resolve));
  }
  over = true;
  expect(await looking).toBeGreaterThan(0);
});

test('a password lets in over a form of this page alone, and guessing is slow', async () => {
  const guarded = await start({ password: 'correct horse battery' });
  const origin = `http://127.0.0.1:${guarded.port}`;
  const form = { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' };
  const enter = (password: string, headers: Readonly<Record<string, string>> = form) =>
    ask(guarded.port, '/login', { method: 'POST', headers, body: new URLSearchParams({ password }).toString() });
  expect((await enter('correct horse battery', { ...form, Origin: 'http://evil.example' })).status).toBe(403);
  expect((await enter('correct horse battery')).headers['set-cookie']).toBeDefined();
  for (let guess = 0; guess < 5; guess++) expect((await enter(`guess ${guess}`)).status).toBe(401);
  expect((await enter('correct horse battery')).status).toBe(401);
  await guarded.close();
});
