/** The built program, asked over real HTTP: what is over, what is live, what is asked of it, and what goes wrong. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openApi } from '../../scripts/openapi.mjs';
import type {
  CostsView,
  ItemsView,
  IterationView,
  MorningView,
  RunsView,
  RunView,
  TimelineView,
} from '../../src/view/index.ts';
import { planOf, play, works, writes } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { type Served, startServe } from './serving.ts';
import { ask, listen } from './visitor.ts';

let repo: Repo;
const described = openApi();

/** A view as the published description of the interface has it. */
function fits(view: unknown, name: string): void {
  const text = JSON.stringify(described.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
  const schema = z.fromJSONSchema({
    $ref: `#/$defs/${name}`,
    $defs: JSON.parse(text) as Record<string, z.core.JSONSchema.JSONSchema>,
  });
  expect(schema.safeParse(view).error?.issues, name).toBeUndefined();
}

/** Two items that work, the second at its second attempt, one that never does, and one that waits for that. */
beforeAll(async () => {
  repo = makeRepo({
    plan: {
      project: 'Shop',
      userStories: [
        { id: 'US-1', title: 'Works', passes: false },
        { id: 'US-2', title: 'Works <img src=x onerror=alert(1)> later', passes: false },
        { id: 'US-3', title: 'Never works', passes: false },
        { id: 'US-4', title: 'Waits', passes: false, dependsOn: ['US-3'] },
      ],
    },
    config: { gates: ['test ! -e broken'], 'max-attempts': 2 },
    scenario: play({
      'US-2': [
        {
          steps: [
            { write: { path: 'broken', text: 'x\n' } },
            { usage: { input: 900, output: 100, cached: 300, cost: 0.2 } },
          ],
        },
        { steps: [{ delete: 'broken' }, { write: { path: 'two.txt', text: '<script>alert(1)</script>\n' } }] },
      ],
      'US-3': writes('broken'),
      '*': works,
    }),
  });
  expect((await repo.ralph(['run', 'prd.json'])).code).toBe(3);
});

describe('a run that is over', () => {
  let served: Served;
  beforeAll(async () => {
    served = await startServe(repo, ['--readonly']);
  });

  test('is in the list, and every view of it says what happened', async () => {
    const { get } = served.browser;
    const { runs } = await get<RunsView>('runs');
    const [run] = runs;
    expect(runs).toHaveLength(1);
    expect(run).toMatchObject({
      status: 'stopped',
      isLive: false,
      needsPerson: true,
      tape: 'ararr',
    });
    const id = run?.id ?? '';

    const now = await get<RunView>(`runs/${id}`);
    expect(now.sentence).toMatch(/2 of 4 items proven for \$0\.20, 1 blocked/);
    expect(now.limits).toMatchObject({ attempts: 2, iterations: 50 });
    expect(now.needs).toMatchObject([
      { kind: 'blocked', item: { id: 'US-3' }, command: 'ralph retry US-3 --plan prd.json --with "what was missing"' },
    ]);
    expect(now.controls.every(({ enabled, why }) => !enabled && why?.includes('--readonly'))).toBe(true);

    const items = await get<ItemsView>(`runs/${id}/items`);
    expect(items.sentence).toBe('2 of 4 proven, 1 to go, 1 blocked, 1 stuck behind US-3.');
    expect(items.rows.map(row => [row.id, row.status, row.tape])).toEqual([
      ['US-1', 'done', 'a'],
      ['US-2', 'done', 'ra'],
      ['US-3', 'blocked', 'rr'],
      ['US-4', 'held', ''],
    ]);
    expect(await get<ItemsView>(`runs/${id}/items?from=1&count=1&q=works&status=done`)).toMatchObject({
      matching: 2,
      rows: [{ id: 'US-2' }],
    });
    expect(await get(`runs/${id}/items/US-2`)).toMatchObject({
      iterations: [{ verdict: 'rejected' }, { verdict: 'accepted' }],
      lastIteration: 3,
    });

    const timeline = await get<TimelineView>(`runs/${id}/timeline`);
    expect(timeline.verdicts).toBe('ararr');
    expect(timeline.columns.n).toEqual([1, 2, 3, 4, 5]);
    for (const [at, agent] of timeline.columns.agent.entries()) expect(agent, `iteration ${at + 1}`).toBeGreaterThan(0);

    const refused = await get<IterationView>(`runs/${id}/iterations/2`);
    expect(refused).toMatchObject({
      verdict: { type: 'rejected', reason: 'gate-red' },
      changes: { files: 1 },
      ref: `refs/ralph/${id}/US-2/1`,
      attempts: [{ n: 2 }, { n: 3 }],
      previous: 1,
      next: 3,
    });
    expect(refused.diff.files.map(({ path, kind, added }) => [path, kind, added])).toEqual([['broken', 'added', 1]]);
    expect(refused.chain.map(({ name, state }) => `${name} ${state}`)).toContain('gates bad');
    expect(refused.brief.text).toContain('US-2');
    expect(refused.brief.slots?.length).toBeGreaterThan(3);
    expect(refused.steps.some(({ verb, text }) => verb === 'Write' && text.includes('broken'))).toBe(true);

    const costs = await get<CostsView>(`runs/${id}/costs`);
    expect(costs.spending.costUsd.at(-1)).toBeCloseTo(0.2);
    expect(costs.growing.formula).toContain('lower bound');
    expect(costs.gates.names).toEqual(['test ! -e broken']);

    const morning = await get<MorningView>('morning');
    expect(morning.branches).toMatchObject([{ needsPerson: true, refused: [{ n: 5 }, { n: 4 }, { n: 2 }] }]);
    expect((await get<{ archives: unknown[] }>('archives')).archives).toHaveLength(1);
    expect(await get('search?q=never')).toMatchObject({
      hits: expect.arrayContaining([expect.objectContaining({ kind: 'item', id: 'US-3' })]) as unknown,
    });
    expect(await get('lessons')).toHaveProperty('sentence');
  });

  test('is as the published description says, and the description is made from the types', async () => {
    const published = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as unknown;
    expect(published).toEqual(described);
    const id = repo.runs()[0] ?? '';
    const views = {
      meta: 'MetaView',
      runs: 'RunsView',
      [`runs/${id}`]: 'RunView',
      [`runs/${id}/items`]: 'ItemsView',
      [`runs/${id}/items/US-3`]: 'ItemDetailView',
      [`runs/${id}/timeline`]: 'TimelineView',
      [`runs/${id}/iterations/2`]: 'IterationView',
      [`runs/${id}/costs`]: 'CostsView',
      morning: 'MorningView',
      lessons: 'LessonsView',
      archives: 'ArchivesView',
      'search?q=us': 'SearchView',
    };
    for (const [path, name] of Object.entries(views)) fits(await served.browser.get(path), name);
    expect(Object.keys(described.paths).filter(path => 'post' in (described.paths[path] ?? {}))).toEqual([
      '/runs/{run}/commands',
    ]);
  });

  test('its stream begins anew where the place is of another time', async () => {
    const stream = listen(served.browser, repo.runs()[0] ?? '', '999999-i1.5');
    await until(() => stream.heard.some(({ data }) => data.type === 'reset'));
    expect(stream.heard.at(-1)?.id).toBe(String(repo.journal().length));
    stream.close();
  });

  test('takes no command with --readonly, and says what to do', async () => {
    const reply = await served.browser.send(repo.runs()[0] ?? '', { type: 'retry', item: 'US-3', hint: 'x' });
    expect(reply.status).toBe(403);
    expect(reply.text).toContain('--readonly');
  });

  test('without scripts the page says one sentence with the next step', async () => {
    const { text, status } = await ask(served.browser.port, '/', { headers: { Cookie: served.browser.cookie } });
    expect(status).toBe(200);
    expect(text).toMatch(/ralph (status|report)/);
  });

  test('another version of the interface is not there, and is no page', async () => {
    const { text, status } = await ask(served.browser.port, '/api/v2/runs', {
      headers: { Cookie: served.browser.cookie },
    });
    expect([status, JSON.parse(text)]).toMatchObject([404, { error: { reason: 'not-found' } }]);
  });

  test('an address works once; the next one is shown', async () => {
    await until(() => /For another browser: http/.test(served.output()));
    const [first = '', second = ''] = served.output().match(/\/login\?code=\S+/g) ?? [];
    expect((await ask(served.browser.port, first)).status).toBe(401);
    expect((await ask(served.browser.port, second)).status).toBe(200);
    expect((await ask(served.browser.port, second)).status).toBe(401);
  });

  test('Ctrl-C ends it with 130', async () => {
    served.running.child.kill('SIGINT');
    expect((await served.running.ended).code).toBe(130);
  });
});

describe('a run that is live', () => {
  test('of several at once, each in a worktree, every one is live, and only the one that is meant obeys', async () => {
    const repo = makeRepo({
      files: { 'a.json': JSON.stringify(planOf('A-1', 'A-2')), 'b.json': JSON.stringify(planOf('B-1', 'B-2')) },
      config: { gates: ['true'] },
      scenario: {},
    });
    const waits = {
      steps: [
        { say: 'Here' },
        { run: `while ! test -e ${repo.outside}/go; do sleep 0.05; done` },
        { write: { path: '{{item}}.txt', text: 'x\n' } },
      ],
    };
    const items = { 'A-1': waits, 'B-1': waits };
    writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify(play({ ...items, '*': works })));
    const { browser } = await startServe(repo);
    const isAtWork = (letter: string) =>
      repo
        .runs()
        .some(run => repo.journal(run).some(event => event.type === 'agent.started' && event.item === `${letter}-1`));
    const first = repo.start(['run', '--worktree', 'a.json']);
    await until(() => isAtWork('A'));
    const second = repo.start(['run', '--worktree', 'b.json']);
    await until(() => isAtWork('B'));
    const { runs } = await browser.get<RunsView>('runs');
    expect(runs.map(({ isLive, status }) => [isLive, status])).toEqual([
      [true, 'running'],
      [true, 'running'],
    ]);
    const older = runs.toSorted((x, y) => x.startedAt - y.startedAt)[0]?.id ?? '';
    const view = await browser.get<RunView>(`runs/${older}`);
    expect(view.work).toMatchObject([{ item: 'A-1', steps: [{ text: 'Here' }, {}] }]);
    // The terminal's own command, without a name, would mean the run that began last.
    expect((await browser.send(older, { type: 'stop', now: false })).status).toBe(200);
    writeFileSync(join(repo.outside, 'go'), '');
    expect((await first.ended).code).toBe(1);
    expect((await second.ended).code).toBe(0);
  });

  test('is followed as it happens, misses nothing, and obeys the page as it obeys the terminal', async () => {
    const live = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': {
          steps: [
            { say: 'One' },
            { run: 'while ! test -e ../outside/go; do sleep 0.05; done' },
            { say: 'Two' },
            { write: { path: 'a', text: 'a\n' } },
          ],
        },
        '*': works,
      }),
    });
    // Before the run: its runner then knows this session for a person's.
    const { browser } = await startServe(live);
    expect((await browser.get<RunsView>('runs')).runs).toEqual([]);
    const running = live.start(['run', 'prd.json']);
    await until(() => live.runs().length > 0 && live.journal().some(({ type }) => type === 'agent.started'));
    const [id = ''] = live.runs();
    const first = listen(browser, id);
    await until(() => first.heard.length > 0);
    const now = await browser.get<RunView>(`runs/${id}`);
    expect(now).toMatchObject({ status: 'running', isLive: true, work: [{ item: 'US-1', attempt: 1 }] });

    const paused = await browser.send(id, { type: 'pause' });
    expect([paused.status, paused.text]).toEqual([200, expect.stringContaining('pause after the current iteration')]);
    const steered = await browser.send(id, { type: 'steer', text: '--now mind "quotes"; $(touch owned)' });
    expect([steered.status, steered.text]).toEqual([200, expect.stringContaining('Noted')]);
    expect((await browser.send(id, { type: 'skip', item: 'US-3', why: 'not wanted' })).status).toBe(200);
    expect((await browser.send(id, { type: 'skip', item: 'US-99' })).status).toBe(404);
    writeFileSync(join(live.outside, 'go'), '');
    await until(() => first.heard.some(({ data }) => data.event === 'paused'));
    first.close();
    expect(await browser.get<RunView>(`runs/${id}`)).toMatchObject({
      status: 'paused',
      paused: { by: { from: 'page' } },
    });
    expect((await browser.send(id, { type: 'resume' })).status).toBe(200);
    expect((await running.ended).code).toBe(0);
    expect(existsSync(join(live.root, 'owned'))).toBe(false);

    const told = live.journal();
    expect(told.find(({ type }) => type === 'steered')).toMatchObject({
      text: '--now mind "quotes"; $(touch owned)',
      actor: { via: 'page' },
    });
    expect(told.find(({ type }) => type === 'item.marked')).toMatchObject({
      item: 'US-3',
      to: 'skipped',
      actor: { via: 'page' },
    });

    // From the last thing it heard: each later record and step, once.
    const last = first.heard.findLast(({ data }) => data.type === 'record' || data.type === 'step');
    const second = listen(browser, id, last?.id);
    await until(() => second.heard.some(({ data }) => data.event === 'run.finished'));
    second.close();
    const seqs = [...first.heard, ...second.heard].flatMap(({ data }) =>
      data.type === 'record' ? [data.seq as number] : [],
    );
    expect(seqs).toEqual(told.slice(-seqs.length).map(({ seq }) => seq));
    expect(seqs.at(-1)).toBe(told.length);
    const texts = [...first.heard, ...second.heard].flatMap(({ data }) =>
      data.type === 'step' ? [(data.step as { text: string }).text] : [],
    );
    expect(texts.filter(text => text === 'Two')).toHaveLength(1);
  });

  test('a question is answered from the page, live or not', async () => {
    const asking = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': [{ steps: [], claim: { question: 'EUR or CHF?' } }, works] }),
    });
    await asking.run();
    const { browser } = await startServe(asking);
    const [id = ''] = asking.runs();
    const { needs, controls } = await browser.get<RunView>(`runs/${id}`);
    expect(needs).toMatchObject([
      { kind: 'question', text: 'EUR or CHF?', command: 'ralph answer US-1 --plan prd.json "..."' },
    ]);
    expect(controls.find(({ type }) => type === 'answer')).toMatchObject({ enabled: true });
    expect((await browser.send(id, { type: 'answer', item: 'US-1', text: ' ' })).status).toBe(400);
    const reply = await browser.send(id, { type: 'answer', item: 'US-1', text: '-CHF' });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('US-1 continues with your answer')]);
    expect(asking.journal().at(-1)).toMatchObject({ type: 'question.answered', answer: '-CHF', by: 'person' });
    expect((await browser.send(id, { type: 'answer', item: 'US-1', text: 'x' })).status).toBe(409);
  });

  test('a retry with a hint goes to a run that is over, too', async () => {
    const over = repo.copy();
    const { browser } = await startServe(over);
    const [id = ''] = over.runs();
    expect((await browser.send(id, { type: 'pause' })).status).toBe(409);
    const reply = await browser.send(id, { type: 'retry', item: 'US-3', hint: 'leave broken alone' });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('will be tried again')]);
    expect(over.journal().at(-1)).toMatchObject({
      type: 'item.retried',
      hint: 'leave broken alone',
      actor: { via: 'page' },
    });
  });
});

test('--open hands the browser a file that nobody else can read, and no address', async () => {
  const bin = join(repo.outside, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, 'xdg-open'),
    `#!/bin/sh\nstat -c %a "$1" > ${repo.outside}/opened; echo "$@" >> ${repo.outside}/opened\n`,
    { mode: 0o755 },
  );
  const { running } = await startServe(repo, ['--open'], repo.root, { PATH: `${bin}:${process.env.PATH}` });
  await until(
    () =>
      existsSync(join(repo.outside, 'opened')) &&
      readFileSync(join(repo.outside, 'opened'), 'utf8').split('\n').length > 2,
  );
  expect(readFileSync(join(repo.outside, 'opened'), 'utf8')).toBe(`600\n${repo.root}/.ralph/serve-open.html\n`);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(143);
  expect(existsSync(join(repo.root, '.ralph/serve-open.html'))).toBe(false);
});

describe('bad surroundings', () => {
  test('a taken port, an unknown host, a network address, a folder that is none', async () => {
    const taken = createServer();
    const port = await new Promise<number>(resolve => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
    });
    const refused = await repo.ralph(['serve', '--port', String(port)]);
    taken.close();
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(/is taken.*\n.*ralph serve --port \d+/);
    const open = await repo.ralph(['serve', '--host', '0.0.0.0']);
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('no password is set')]);
    const password = { RALPH_SERVE_PASSWORD: 'long enough to be one' };
    const unsure = await repo.ralph(['serve', '--host', '0.0.0.0'], { env: password });
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const outside = await repo.ralph(['serve'], { cwd: repo.home });
    expect(outside.code).toBe(4);
  });

  test('a damaged journal: what could be read is shown, with where it is damaged', async () => {
    const broken = repo.copy();
    const file = broken.journalFile();
    const lines = broken.read(file.slice(broken.root.length + 1)).split('\n');
    lines[20] = (lines[20] ?? '').replace('"at":1', '"at":2');
    writeFileSync(file, lines.join('\n'));
    appendFileSync(file, 'torn');
    const { browser } = await startServe(broken);
    const [id = ''] = broken.runs();
    const { runs } = await browser.get<RunsView>('runs');
    expect(runs).toMatchObject([{ id, status: 'unreadable', problem: { reason: 'journal-damaged' } }]);
    const now = await browser.get<RunView>(`runs/${id}`);
    expect(now.sentence).toMatch(/damaged in line \d+; what precedes it is shown/);
    expect(now.last.length).toBeGreaterThan(0);
  });

  test('runs of other worktrees are there, under their name', async () => {
    const other = repo.copy();
    const tree = join(other.root, '..', 'second');
    other.git('worktree', 'add', '-q', '-b', 'feature', tree, 'main');
    expect((await other.ralph(['run', 'prd.json', '--max-iterations', '1'], { cwd: tree })).code).toBe(1);
    const { browser } = await startServe(other);
    const { runs } = await browser.get<RunsView>('runs');
    expect(new Set(runs.map(({ worktree }) => worktree))).toEqual(new Set([null, 'second']));
    const id = runs.find(({ worktree }) => worktree === 'second')?.id ?? '';
    expect(id).toMatch(/@second$/);
    expect((await browser.get<RunView>(`runs/${id}`)).iterations).toBe(1);
  });
});

test('the morning counts commits as `ralph review` does, those of the runner about the plan too', async () => {
  const fixing = makeRepo({
    plan: planOf('US-1'),
    config: { gates: ['true'], final: ['test -e fixed'] },
    scenario: play({ 'FIX-1': writes('fixed'), '*': works }),
  });
  expect((await fixing.run()).code).toBe(0);
  const { browser } = await startServe(fixing, ['--readonly']);
  const { branches } = await browser.get<MorningView>('morning');
  expect(branches[0]?.commits).toBe(3);
  expect((await fixing.ralph(['review'])).stdout).toContain('3 commits');
});
