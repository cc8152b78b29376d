import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Recorded } from '../../src/events.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const stories = (count: number) => ({
  userStories: Array.from({ length: count }, (_, index) => ({
    id: `US-${index + 1}`,
    title: `Story ${index + 1}`,
    passes: false,
  })),
});
const write = { write: { path: '{{item}}.txt', text: 'x\n' } };
/** Works once the test lets it. */
const slow = { items: { '*': [{ steps: [{ run: 'until test -e ../outside/go; do sleep 0.05; done' }, write] }] } };
const letWork = (repo: Repo) => repo.write('../outside/go', '');
const stuck = { items: { '*': [{ steps: [write, { run: 'sleep 300 & sleep 300' }] }] } };

const records = (repo: Repo): readonly Recorded[] => (repo.runs().length > 0 ? repo.journal() : []);
const types = (repo: Repo) => records(repo).map(record => record.type);

const agentStarted = (repo: Repo) => () => types(repo).includes('agent.started');

/** No process carries this run's environment any more. */
async function nobodyLeft(repo: Repo): Promise<void> {
  const { execFileSync } = await import('node:child_process');
  const found = execFileSync('sh', [
    '-c',
    `grep -lz "RALPH_RUN=${repo.runs()[0]}" /proc/[0-9]*/environ 2>/dev/null || true`,
  ]);
  expect(found.toString()).toBe('');
}

describe('an interrupted run', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: the agent is gone, the tree is clean, the state is safe, exit %i', async (signal, code) => {
    const repo = makeRepo({ plan: stories(2), scenario: stuck });
    const run = repo.start(['run']);
    await until(() => existsSync(join(repo.root, 'US-1.txt')));
    run.child.kill(signal);
    expect((await run.ended).code).toBe(code);
    await nobodyLeft(repo);
    expect(repo.git('status', '--porcelain')).toBe('');
    const finished = repo.journal().find(record => record.type === 'run.finished');
    expect(finished).toHaveProperty('reason', signal === 'SIGINT' ? 'interrupted' : 'terminated');
    const aborted = repo.journal().find(record => record.type === 'iteration.aborted');
    const ref = aborted?.type === 'iteration.aborted' ? (aborted.ref ?? '') : '';
    expect(repo.git('show', `${ref}:US-1.txt`)).toContain('x');
  });

  it('a second Ctrl-C leaves at once', async () => {
    const repo = makeRepo({
      plan: stories(1),
      scenario: { items: { '*': [{ steps: [{ 'ignore-term': true }, write, { hang: true }] }] } },
    });
    const run = repo.start(['run']);
    await until(() => existsSync(join(repo.root, 'US-1.txt')));
    // Two that come at once may be taken for one.
    while (run.child.exitCode === null && run.child.signalCode === null) {
      run.child.kill('SIGINT');
      await sleep(100);
    }
    const { code, stderr } = await run.ended;
    // Who waits for an agent that was asked to leave kills nobody by name.
    expect([code, stderr]).toEqual([130, expect.stringMatching(/^ralph: killed \d+ /m)]);
    // Whatever it left behind is ended by the next run.
    const again = repo.start(['run', '--idle-timeout', '1s', '--max-iterations', '1']);
    await again.ended;
    await nobodyLeft(repo);
  });
});

describe('from another terminal', () => {
  it('stop ends after the iteration, and run continues', async () => {
    const repo = makeRepo({ plan: stories(3), scenario: slow });
    const run = repo.start(['run']);
    await until(agentStarted(repo));
    expect((await repo.ralph(['stop'])).code).toBe(0);
    letWork(repo);
    expect((await run.ended).code).toBe(1);
    expect(repo.plan().userStories.filter(story => story.passes)).toHaveLength(1);
    expect((await repo.run()).code).toBe(0);
    expect(repo.runs()).toHaveLength(1);
  });

  it('stop --now ends the agent at once', async () => {
    const repo = makeRepo({ plan: stories(1), scenario: stuck });
    const run = repo.start(['run']);
    await until(agentStarted(repo));
    await repo.ralph(['stop', '--now']);
    expect((await run.ended).code).toBe(1);
    await nobodyLeft(repo);
  });

  it('pause holds, resume goes on', async () => {
    const repo = makeRepo({ plan: stories(3), scenario: slow });
    const run = repo.start(['run']);
    await until(agentStarted(repo));
    await repo.ralph(['pause']);
    letWork(repo);
    await until(() => types(repo).includes('paused'));
    expect(JSON.parse((await repo.ralph(['status', '--json'])).stdout)).toMatchObject({ live: true, paused: true });
    expect(types(repo).at(-1)).toBe('paused');
    await repo.ralph(['resume']);
    expect((await run.ended).code).toBe(0);
  });

  it('a run that was stopped while it was paused goes on when it is started again', async () => {
    const repo = makeRepo({ plan: stories(3), scenario: slow });
    const run = repo.start(['run']);
    await until(agentStarted(repo));
    await repo.ralph(['pause']);
    letWork(repo);
    await until(() => types(repo).includes('paused'));
    await repo.ralph(['stop']);
    expect((await run.ended).code).toBe(1);
    expect(types(repo)).not.toContain('unpaused');
    expect((await repo.ralph(['run', '--deadline', soon()])).code).toBe(0);
  });

  it('steer reaches every later brief, also when said before the run', async () => {
    const repo = makeRepo({ plan: stories(3), scenario: slow });
    expect((await repo.ralph(['steer', 'Prefer short names.'])).code).toBe(0);
    const run = repo.start(['run']);
    await until(agentStarted(repo));
    await repo.ralph(['steer', 'No new dependencies.']);
    letWork(repo);
    expect((await run.ended).code).toBe(0);
    const brief = (n: number) => repo.read(`.ralph/runs/${repo.runs()[0]}/iterations/00${n}/brief.md`);
    expect(brief(1)).toContain('Prefer short names.');
    expect(brief(1)).not.toContain('No new dependencies.');
    for (const n of [2, 3]) {
      expect(brief(n)).toContain('Prefer short names.');
      expect(brief(n)).toContain('No new dependencies.');
    }
  });

  it('a mark made while it runs is taken at the boundary', async () => {
    const repo = makeRepo({ plan: stories(3), scenario: slow });
    const run = repo.start(['run']);
    await until(agentStarted(repo));
    expect((await repo.ralph(['skip', 'US-2', '--why', 'not now'])).stdout).toContain('will be skipped');
    letWork(repo);
    expect((await run.ended).code).toBe(0);
    const started = repo.journal().flatMap(record => (record.type === 'iteration.started' ? [record.item] : []));
    expect(started).toEqual(['US-1', 'US-3']);
  });

  it('there is nothing to stop where nothing runs', async () => {
    const repo = makeRepo({ plan: stories(1), scenario: slow });
    const { code, stderr } = await repo.ralph(['stop']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('no run is live here')]);
  });
});

/** A moment that ends a run which waits for ever. */
const soon = (): string => new Date(Date.now() + 60_000).toISOString();
