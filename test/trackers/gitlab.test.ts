/** Issues of GitLab through a stand-in for `glab`, trackers of a caller's own, and what labels and words say about the order. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { copyFile, isAddress, readAddress, showAddress } from '../../src/plan/tracker/address.ts';
import { writeCopy } from '../../src/plan/tracker/copy.ts';
import { tracker as format } from '../../src/plan/tracker/format.ts';
import { blockedLabel, blockersIn, priorityIn } from '../../src/plan/tracker/links.ts';
import type { PlanSource, SourceChange } from '../../src/protocol.ts';
import { openMirror } from '../../src/trackers/mirror.ts';
import { sourceFor } from '../../src/trackers/sources.ts';
import { ok } from '../../src/util/result.ts';
import { play, verdictsIn, works } from '../loop/scene.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';
import { bareBin, standIn } from './stand-ins.ts';

describe('gitlab:', () => {
  test('from the first fetch to the closed issue, over more than one page', async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({
      number: 100 + index,
      title: `Later ${index}`,
      labels: ['agents'],
    }));
    const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const project = 'acme/web/shop';
    const first = { number: 4, title: 'First', body: 'Do it.', labels: ['agents', 'priority::1'] };
    const tracker = standIn(repo, 'glab', [first, ...many], project);
    const flags = { env: tracker.env };
    const ran = await repo.ralph(['run', `gitlab:${project}#agents`, '--once'], flags);
    expect(ran.code, ran.stderr).toBe(1);
    expect(verdictsIn(repo)).toEqual(['4 accepted']);
    expect((await repo.ralph(['check'], flags)).stdout).toContain('121 items');
    const issue = () => tracker.read().issues.find(({ number }) => number === 4);
    expect(issue()?.labels).toEqual(['agents', 'priority::1', 'ralph:done']);
    expect(issue()?.comments).toEqual([expect.stringContaining('- `true`: green')]);
    expect((await repo.ralph(['merge'], flags)).code).toBe(0);
    expect(issue()?.state).toBe('closed');

    tracker.change(store => (store.mode = 'logged-out'));
    const out = await repo.ralph(['run', 'gitlab:acme/other#agents'], flags);
    expect(out).toMatchObject({ code: 4, stderr: expect.stringContaining('Log in: glab auth login') });
    const missing = await repo.ralph(['run', 'github:acme/other#agents'], { env: { PATH: bareBin(repo) } });
    expect(missing.stderr).toContain('Install it (https://cli.github.com), then: gh auth login');
  });
});

test('a tracker of the caller, through the library', async () => {
  const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
  const told: SourceChange[] = [];
  const jira: PlanSource = {
    scheme: 'jira',
    list: async () => ({
      ok: true,
      value: [
        { id: 'SHOP-2', title: 'Second', body: '', labels: [], state: 'open', blockedBy: ['SHOP-1'] },
        { id: 'SHOP-1', title: 'First', body: '', labels: [], state: 'open', priority: 2 },
      ],
    }),
    look: async () => ({ ok: true, value: [] }),
    tell: async change => {
      told.push(change);
      return { ok: true, value: undefined };
    },
  };
  const { run } = (await import(
    fileURLToPath(new URL('../../dist/index.js', import.meta.url))
  )) as typeof import('../../src/index.ts');
  const result = await run({
    cwd: repo.root,
    env: cleanEnv(repo.home),
    plan: 'jira:SHOP/board#agents',
    sources: [jira],
  });
  expect(result).toMatchObject({ type: 'finished', reason: 'complete' });
  expect(verdictsIn(repo)).toEqual(['SHOP-1 accepted', 'SHOP-2 accepted']);
  expect(told.filter(({ to }) => to === 'done').map(({ issue }) => issue)).toEqual(['SHOP-1', 'SHOP-2']);
});

test('a tracker of the caller that throws or never answers is a failure, and the run does not wait for it', async () => {
  const repo = makeRepo({ config: { gates: ['true'] } });
  const never = () => new Promise<never>(() => undefined);
  const broken: PlanSource = {
    scheme: 'broken',
    list: never,
    look: never,
    tell: () => Promise.reject(new Error('ECONN')),
  };
  const source = sourceFor('broken', [broken]);
  if (!source.ok) throw new Error(source.error.message);
  const place = { cwd: repo.root, env: {}, timeoutMs: 20 };
  const said = await Promise.all([
    source.value.list({ project: 'p' }, place),
    source.value.look('p', ['1'], place),
    source.value.tell({ project: 'p', issue: '1', to: 'done' }, place),
  ]);
  expect(said.map(each => (each.ok ? '' : each.error.message))).toEqual([
    'broken: no answer within 20ms',
    'broken: no answer within 20ms',
    'broken: ECONN',
  ]);
});

test('the end of a run waits as long as it is told, however many changes are on their way', async () => {
  const repo = makeRepo({ config: { gates: ['true'] } });
  let told = 0;
  const slow: PlanSource = {
    ...{ scheme: 'slow', list: async () => ok([]), look: async () => ok([]) },
    tell: async () => {
      told += 1;
      await sleep(300);
      return ok(undefined);
    },
  };
  const place = { cwd: repo.root, env: {}, timeoutMs: 60_000 };
  const file = join(repo.outside, 'outbox.json');
  const mirror = openMirror({ file, project: 'p', source: slow, place, records: [] });
  mirror.close(
    Array.from({ length: 200 }, (_, at) => String(at)),
    { into: 'main', commit: 'c' },
  );
  // The first flush leaves one on its way.
  expect((await mirror.flush(50)).waiting).toBe(200);
  expect((await mirror.flush(1000)).waiting).toBeGreaterThan(100);
  const before = told;
  await sleep(700);
  expect(told).toBe(before);
});

test('addresses', () => {
  const shown = (text: string) => {
    const read = readAddress(text);
    return read.ok ? read.value : read.error.reason;
  };
  expect(shown('github:a/b#good first issue')).toEqual({ scheme: 'github', project: 'a/b', label: 'good first issue' });
  expect(shown('gitlab:a/b/c%v1.0')).toEqual({ scheme: 'gitlab', project: 'a/b/c', milestone: 'v1.0' });
  expect(shown('github:a/b#x%v1')).toEqual({ scheme: 'github', project: 'a/b', label: 'x', milestone: 'v1' });
  for (const odd of ['github:', 'github:a', 'github:a/b', 'github:../b#x y/', 'github:a/b c#x', 'github:a/-b;rm#x'])
    expect(shown(odd)).toBe('tracker-address');
  expect(['github: fix the login', 'fix github:x', 'docs/a.md', 'gitlabs:x'].map(text => isAddress(text))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  const both = ['github:a/b#c', 'github:a/b-c#']
    .map(text => readAddress(text))
    .flatMap(read => (read.ok ? [read.value] : []));
  expect(both.map(showAddress)).toEqual(['github:a/b#c']);
  expect(both.map(address => copyFile('/r/.ralph', address))).toEqual([
    expect.stringMatching(/trackers\/github-a-b-c-[0-9a-f]{6}\.json$/),
  ]);
});

test('labels and words', () => {
  expect(
    [
      ['P1'],
      ['priority: high'],
      ['priority::2'],
      ['prio/low', 'urgent'],
      ['priority/critical-urgent'],
      ['2'],
      ['bug'],
    ].map(priorityIn),
  ).toEqual([1, 1, 2, 0, 0, undefined, undefined]);
  expect(
    [['blocked'], ['status: blocked'], ['workflow::blocked'], ['ralph:blocked'], ['unblocked']].map(blockedLabel),
  ).toEqual(['blocked', 'status: blocked', 'workflow::blocked', undefined, undefined]);
  const home = 'https://github.com/a/b';
  const waits = (body: string, labels: readonly string[] = []) => blockersIn({ body, labels, url: `${home}/issues/1` });
  expect(waits('**Blocked by:** #3, #4 and #5. See #9.')).toEqual(['3', '4', '5']);
  expect(waits(`- depends on ${home}/issues/8\n- blocked by https://github.com/x/y/issues/7`)).toEqual(['8']);
  expect(waits('```\nblocked by #3\n```\n> blocked by #4', ['blocked-by-6', 'depends on #7'])).toEqual(['6', '7']);
});

test('a circle, a lost label and a damaged copy are said', () => {
  const issue = (id: string, body: string, labels: readonly string[] = []) => ({
    id,
    title: id,
    body,
    labels,
    state: 'open' as const,
  });
  const copy = {
    tracker: 'github:a/b#x',
    fetched: '',
    issues: [issue('1', 'blocked by #2'), issue('2', 'blocked by #1'), issue('3', ''), issue('4', 'depends on #99')],
    elsewhere: { 99: 'unknown' as const },
    left: ['3'],
  };
  const files = { read: () => undefined, isFolder: () => false, list: () => [] };
  const { plan: read } = format.parse(writeCopy(copy), '/r/.ralph/trackers/x.json', files);
  expect(read.problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/wait for each other.*1 -> 2 -> 1|2 -> 1 -> 2/),
  ]);
  expect(read.items.map(({ id, status, note, line }) => [id, status, note, line > 1])).toEqual([
    ['1', 'pending', undefined, true],
    ['2', 'pending', undefined, true],
    ['3', 'skipped', 'it is no longer part of github:a/b#x', true],
    ['4', 'blocked', 'it waits for #99, which could not be read', true],
  ]);
  expect(format.parse('{"tracker": 1', '/r/.ralph/trackers/x.json', files).plan.error?.message).toContain('ralph sync');
});
