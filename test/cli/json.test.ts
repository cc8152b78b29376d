/** `--json` and `--dry-run`, wherever they are taken: JSON and nothing else on standard output, and nothing started. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf, play, story, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const shop = (config: Readonly<Record<string, unknown>> = {}, plan: unknown = planOf('US-1', 'US-2')) =>
  makeRepo({ plan, config: { gates: ['true'], ...config }, scenario: play({ '*': works }) });

async function json(repo: Repo, args: readonly string[]): Promise<{ code: number | null; value: unknown }> {
  const { code, stdout, stderr } = await repo.ralph(args);
  // What is not JSON makes this throw, with the text.
  const lines = stdout.trim().split('\n');
  const isMany = lines.length > 1 && lines.every(line => line.startsWith('{') && line.endsWith('}'));
  const value: unknown = isMany ? lines.map(line => JSON.parse(line) as unknown) : JSON.parse(stdout);
  expect(stderr, args.join(' ')).not.toMatch(/\n\s+at /);
  return { code, value };
}

type Row = readonly [args: string, code: number, shape: unknown];

async function expectAll(repo: Repo, rows: readonly Row[]): Promise<void> {
  const found = await Promise.all(rows.map(async ([args]) => await json(repo, [...args.split(' '), '--json'])));
  for (const [index, [args, code, shape]] of rows.entries()) {
    expect(found[index]?.value, args).toMatchObject(shape as object);
    expect(found[index]?.code, args).toBe(code);
  }
}

const twoOpen = [
  { id: 'US-1', status: 'pending' },
  { id: 'US-2', status: 'pending' },
];

describe('--json', () => {
  test('before the first run, while its gates run, and after it', async () => {
    const repo = shop({ gates: ['until [ -e ../outside/go ]; do sleep 0.05; done'] });
    await expectAll(repo, [
      ['status', 1, { run: null, state: 'none', live: false, plan: { path: 'prd.json' }, items: twoOpen }],
      ['items', 0, { run: null, items: twoOpen }],
      ['check', 0, { format: 'prd', next: 'US-1', total: 2 }],
      ['run --dry-run', 0, { run: expect.stringMatching(/-shop$/), branch: 'ralph/shop', refused: null }],
      ['lessons', 0, []],
      ['archive', 0, []],
    ]);
    expect(repo.runs()).toEqual([]);

    const run = repo.start(['run', '--once', '--json']);
    const starts = { run: null, state: 'starting', live: true, owner: { pid: run.pid }, items: twoOpen };
    const isStarting = async () => {
      const { code, stdout } = await repo.ralph(['status', '--json']);
      return code === 0 ? (JSON.parse(stdout) as unknown) : undefined;
    };
    await expect.poll(isStarting, { timeout: 120_000 }).toMatchObject(starts);
    await expectAll(repo, [
      ['items', 0, { run: null, items: twoOpen }],
      ['doctor', 4, { ready: false }],
      ['run --dry-run', 4, { refused: { exit: 4, reason: 'locked' } }],
    ]);
    writeFileSync(join(repo.outside, 'go'), '');
    const ended = await run.ended;
    const events = ended.stdout.trim().split('\n');
    expect(events.map(line => (JSON.parse(line) as { type: string }).type)).toContain('run.finished');

    const [id = ''] = repo.runs();
    await expectAll(repo, [
      ['status', 0, { run: id, state: 'stopped', live: false, done: 1, items: [{ status: 'done' }, {}] }],
      ['items', 0, { run: id, items: [{ id: 'US-1', status: 'done', attempts: 1 }, { id: 'US-2' }] }],
      [
        'logs',
        0,
        [
          { iteration: 1, kind: 'tool' },
          { iteration: 1, kind: 'says' },
        ],
      ],
      ['check', 0, { next: 'US-2', done: 1 }],
      ['doctor', 0, { ready: true }],
      ['run --dry-run', 0, { run: id, continues: true, order: [{ id: 'US-2' }] }],
      ['run --dry-run --only US-2', 0, { order: [{ id: 'US-2' }] }],
      ['run --dry-run --reset US-1', 0, { order: [{ id: 'US-1' }] }],
    ]);
    expect(repo.runs()).toEqual([id]);
    expect(repo.plan().userStories[0]?.passes).toBe(true);
  });

  test('of a dry run has words for people otherwise: which model is asked for, and that none is', async () => {
    const repo = shop({ agent: 'claude' });
    repo.write('bin/claude', '#!/bin/sh\n');
    chmodSync(join(repo.root, 'bin/claude'), 0o755);
    const env = { PATH: `${join(repo.root, 'bin')}:${process.env['PATH']}` };
    const { stdout } = await repo.ralph(['run', '--dry-run', '--worktree'], { env });
    expect(stdout).toContain("model     the agent's own default; to choose one, set `model:` in ralph.json");
    const named = await repo.ralph(['run', '--dry-run', '--worktree', '--model', 'opus'], { env });
    expect(named.stdout).toContain('model     opus\n');
  });

  test('of a run with nothing left to do says that it is complete', async () => {
    const repo = shop();
    await repo.run();
    const { code, stdout } = await repo.ralph(['run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'run.finished', reason: 'complete' });
  });

  test('of what is refused says so in JSON too', async () => {
    const dirty = shop();
    dirty.write('mine.txt', 'mine\n');
    const broken = shop({ gate: ['true'] });
    const empty = shop({}, '');
    await expectAll(dirty, [['run', 4, { type: 'refused', exit: 4, reason: 'dirty-tree' }]]);
    await expectAll(dirty, [
      ['run --dry-run', 4, { order: [{ id: 'US-1' }, { id: 'US-2' }], refused: { exit: 4, reason: 'dirty-tree' } }],
      ['run --dry-run --worktree', 0, { worktree: expect.stringContaining('.ralph/worktrees/'), refused: null }],
      ['run --dry-run --agent gone', 2, { agent: null, refused: { reason: 'agent-unknown' } }],
      ['run --dry-run --only US-9', 2, { refused: { exit: 2, message: expect.stringContaining('US-9') } }],
    ]);
    const config = { exit: 2, hint: expect.stringContaining('Did you mean') };
    await expectAll(broken, [
      ['run', 2, { type: 'refused', ...config }],
      ['run --dry-run', 2, { refused: config }],
      ['doctor', 4, { ready: false, findings: [{ level: 'bad', name: 'config' }] }],
      ['check', 2, { format: null, problems: [{ level: 'error' }] }],
    ]);
    await expectAll(empty, [
      ['check', 2, { total: 0, problems: [{ level: 'error', line: 1, column: 1 }] }],
      ['run --dry-run', 2, { refused: { exit: 2, file: 'prd.json' } }],
      ['doctor', 4, { ready: false }],
    ]);
  });
});

describe('--dry-run', () => {
  test('of a plan that is done says so, and what --reset would take up', async () => {
    const repo = shop({}, planOf(story('US-1', { passes: true }), story('US-2', { passes: true })));
    const done = await repo.ralph(['run', '--dry-run']);
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/\nNothing is left to do\.\n$/)]);
    const again = await repo.ralph(['run', '--dry-run', '--reset', 'US-2']);
    expect(again.stdout).toMatch(/\nrun {7}a new one on branch ralph\/shop\n[\s\S]*\n {3}1 {2}US-2 {2}Story US-2\n$/);
    expect(again.code).toBe(0);
    expect(repo.git('status', '--porcelain', '--ignored')).toBe('');
  });

  test('takes words for a plan, as a run does, and writes nothing', async () => {
    const repo = makeRepo({ scenario: play({ '*': works }) });
    const { code, stdout } = await repo.ralph(['run', 'Write a line', '--dry-run']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/prompt, 1 item\nrun {7}a new one/)]);
    expect(repo.git('status', '--porcelain', '--ignored')).toBe('');
  });
});
