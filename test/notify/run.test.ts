/** Messages of real runs: they arrive, they hold nothing up, and what they need to arrive stays with the runner. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { absent, listen } from './servers.ts';

const SECRETS = { HOOK_URL: '', HOOK_KEY: 'k3y-of-the-hook', BOT: '4711:bot-t0ken-of-mine', TELL_KEY: 'tell-k3y-tell' };

/** The agent writes its environment down; so does the gate, which was even given the names. */
const scene = (notify: readonly object[]): Repo =>
  makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: {
      gates: ['env > ../outside/gate-env'],
      'gate-env': Object.keys(SECRETS),
      limits: { attempts: 1 },
      ...(notify.length === 0 ? {} : { notify }),
    },
    scenario: play({
      'US-1': { steps: [{ run: 'env > ../outside/agent-env' }, ...(works.steps as object[])] },
      'US-2': { steps: [{ run: 'true' }], claim: { blocked: 'which currency?' } },
    }),
  });

/** Everything the run left behind, as one text. */
function leftBy({ root }: Repo): string {
  const files = readdirSync(join(root, '.ralph'), { recursive: true, withFileTypes: true });
  return files
    .filter(file => file.isFile() && !file.parentPath.includes('/.git/'))
    .map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
}

const slowNames = fileURLToPath(new URL('slow-names.mjs', import.meta.url));

const types = (repo: Repo) => repo.journal().map(record => record.type);

test('a run tells its targets what they want to know, and neither agent nor gate sees what that takes', async () => {
  const server = await listen(200);
  const env = { ...SECRETS, HOOK_URL: `${server.url}/hooks/s3cret-path` };
  const tell = ['sh', '-c', 'cat >> ~/told; printf %s "$TELL_KEY" > ~/key'];
  const repo = scene([
    { webhook: '${HOOK_URL}', secret: '${HOOK_KEY}' },
    { name: 'phone', telegram: '1', token: '${BOT}', api: server.url, on: ['needs-person'] },
    { command: tell, env: ['TELL_KEY'], on: ['blocked'] },
  ]);
  const ended = await repo.run([], { env });
  expect([ended.code, ended.stderr]).toEqual([3, '']);
  const bodies = server.got.map(({ path, body }) => [path.split('/')[1], JSON.parse(body) as Record<string, unknown>]);
  const hook = bodies.filter(([path]) => path === 'hooks').map(([, body]) => body as Record<string, unknown>);
  expect(hook.map(({ type }) => type)).toEqual(['ralph.blocked', 'ralph.needs-person']);
  expect(hook[1]?.data).toMatchObject({
    what: 'A person is needed: nothing is left but blocked items.',
    next: ['ralph retry US-2 --with "..."', 'ralph run'],
    done: 1,
    total: 2,
    blocked: 1,
    repository: 'repo',
    folder: repo.root,
  });
  expect(bodies.filter(([path]) => path !== 'hooks')).toHaveLength(1);
  expect(JSON.parse(readFileSync(join(repo.home, 'told'), 'utf8'))).toMatchObject({ kind: 'blocked', item: 'US-2' });
  expect(readFileSync(join(repo.home, 'key'), 'utf8')).toBe(SECRETS.TELL_KEY);
  for (const who of ['agent-env', 'gate-env']) {
    const seen = readFileSync(join(repo.outside, who), 'utf8');
    expect(seen).toMatch(/^PATH=/m);
    for (const [name, value] of Object.entries(env))
      expect([seen.includes(name), seen.includes(value)]).toEqual([false, false]);
  }
});

test('targets that are all broken change neither the run nor its record, and are named at its end', async () => {
  const [refuses, drops, silent, gone] = [
    await listen(500),
    await listen('drop'),
    await listen('never'),
    await absent(),
  ];
  const broken = scene([
    { name: 'refuses', webhook: `${refuses.url}/hook`, secret: '${HOOK_KEY}' },
    { name: 'drops', slack: '${HOOK_URL}' },
    { name: 'silent', telegram: '1', token: '${BOT}', api: silent.url },
    { name: 'gone', ntfy: `${gone}/topic` },
    { name: 'mail', email: 'a@example.com', from: 'b@example.com', smtp: gone.replace('http', 'smtp') },
    { name: 'unset', discord: '${NOT_SET}' },
    { name: 'program', command: ['no-such-program'] },
    { name: 'lost', webhook: 'https://name-that-takes-long.example/hook' },
  ]);
  const env = { ...SECRETS, HOOK_URL: `${drops.url}/s3cret-path` };
  const plain = scene([]);
  const [without, ended] = [
    await plain.ralph(['run'], { env }),
    await broken.ralph(['run', '--quiet'], { env, preload: [slowNames] }),
  ];
  expect([without.code, ended.code]).toEqual([3, 3]);
  // A name that takes ten minutes to look up keeps the program for none of them: else this test would time out.
  expect(types(broken)).toEqual(types(plain));
  expect(broken.plan()).toEqual(plain.plan());
  for (const said of [
    'ralph: refuses did not get "US-2 Story US-2 is blocked": it answered 500: no: /hook',
    'ralph: drops did not get "US-2 Story US-2 is blocked": the connection was dropped',
    'ralph: silent did not get 2 messages: the run has ended and no longer waits',
    'ralph: lost did not get 2 messages: the run has ended and no longer waits',
    'ralph: gone did not get "US-2 Story US-2 is blocked": nothing listens there (connection refused)',
    'ralph: mail did not get "US-2 Story US-2 is blocked": nothing listens there (connection refused)',
    'ralph: no messages can be sent to unset: NOT_SET is not set; try it with: ralph notify test unset',
    'ralph: unset did not get "US-2 Story US-2 is blocked": NOT_SET is not set',
    'ralph: program did not get "US-2 Story US-2 is blocked": there is no program no-such-program on the PATH',
  ])
    expect(ended.stderr).toContain(said);
  const all = leftBy(broken) + ended.stdout + ended.stderr;
  for (const value of Object.values(env)) expect(all).not.toContain(value);
  expect(all).not.toContain('s3cret-path');
});

test('ralph notify lists the targets, and test tries each and says what happened', async () => {
  const [server, refuses] = [await listen(200), await listen(403)];
  const repo = scene([
    { webhook: server.url, on: ['done', 'failed'] },
    { name: 'team', slack: '${HOOK_URL}' },
    { discord: '${NOT_SET}' },
  ]);
  const env = { HOOK_URL: `${refuses.url}/s3cret-path` };
  const listed = await repo.ralph(['notify'], { env });
  expect([
    listed.code,
    listed.stdout
      .trimEnd()
      .split('\n')
      .map(line => line.replace(/ +/g, ' ')),
  ]).toEqual([
    0,
    ['webhook webhook done, failed', 'team slack everything', 'discord discord everything (not set: NOT_SET)'],
  ]);
  const tried = await repo.ralph(['notify', 'test'], { env });
  expect(tried.code).toBe(1);
  expect(tried.stdout).toMatch(
    /^✓ webhook +arrived after .*\n✗ team +it answered 403: no: \/\[hidden\]\n✗ discord +NOT_SET is not set\n$/,
  );
  expect(server.got).toHaveLength(1);
  expect((await repo.ralph(['notify', 'test', 'webhook'], { env })).code).toBe(0);
  const unknown = await repo.ralph(['notify', 'test', 'taem'], { env });
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'ralph: there is no target named "taem"\n  Did you mean: ralph notify test team\n',
  ]);
  const doctor = await repo.ralph(['doctor'], { env });
  expect(doctor.stdout).toContain('discord: NOT_SET is not set');
  const none = await makeRepo({}).ralph(['notify', 'test']);
  expect([none.code, none.stderr.split('\n')[0]]).toEqual([
    2,
    'ralph: no messages are configured: there is no notify in ralph.yaml',
  ]);
});

test('a run that cannot start says so, with the reason and what to do', async () => {
  const server = await listen(200);
  const told = () => server.got.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
  const withAgent = (agent: string, more: object = {}) =>
    makeRepo({
      plan: planOf('US-1'),
      config: { agent: { command: [agent] }, gates: ['true'], notify: [{ webhook: server.url }], ...more },
    });
  const noAgent = await withAgent('no-such-agent-here').ralph(['run']);
  expect(noAgent.code).toBe(4);
  expect(told()).toMatchObject([
    {
      type: 'ralph.needs-person',
      data: {
        what: 'The run did not start',
        why: expect.stringContaining('no-such-agent-here'),
        next: ['ralph doctor', 'ralph run'],
        repository: 'repo',
      },
    },
  ]);
  const red = await withAgent('true', { gates: ['exit 7'] }).ralph(['run']);
  expect(red.code).toBe(4);
  expect(told().slice(1)).toMatchObject([
    { type: 'ralph.failed', data: { what: 'The run did not start', why: expect.stringMatching(/red|exit/) } },
  ]);
  // Whoever misspells the name of a plan is there to read it.
  expect((await withAgent('true').ralph(['run', 'no-such-plan.json'])).code).not.toBe(0);
  expect(told()).toHaveLength(2);
});
