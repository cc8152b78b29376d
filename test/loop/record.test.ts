/** What the record of a run tells besides what the loop itself needs: limits, slots, who acted, lessons, times. */
import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { BriefFigures } from '../../src/brief/figures.ts';
import type { Durable, Recorded } from '../../src/events.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const stories = [1, 2].map(n => ({ id: `US-${n}`, title: `Story ${n}`, passes: false }));
const scenario = {
  items: {
    '*': [
      {
        steps: [
          { say: 'Looking' },
          { run: 'until test -e ../outside/go; do sleep 0.05; done' },
          { write: { path: '{{item}}.txt', text: 'x\n' } },
        ],
        message:
          '<lesson kind="gotcha">the port 4711 of the test server is taken by the proxy on this machine</lesson>',
      },
    ],
  },
};

const found = <T extends Durable['type']>(repo: Repo, type: T): Recorded<Extract<Durable, { type: T }>> | undefined =>
  repo.journal().find((record): record is Recorded<Extract<Durable, { type: T }>> => record.type === type);

describe('the record of a run', () => {
  it('tells the limits, the slots of each brief, the time of each step, who acted from where, and what was learned', async () => {
    const repo = makeRepo({ plan: { userStories: stories }, scenario, config: { 'max-cost': 7 } });
    const run = repo.start(['run', '--max-iterations', '9', '--deadline', '2099-01-01T00:00']);
    await until(() => repo.runs().length > 0 && found(repo, 'agent.started') !== undefined);
    expect((await repo.ralph(['pause'])).code).toBe(0);
    repo.write('../outside/go', '');
    await until(() => found(repo, 'paused') !== undefined);
    expect((await repo.ralph(['resume'])).code).toBe(0);
    expect((await run.ended).code).toBe(0);

    expect(found(repo, 'run.started')?.limits).toMatchObject({
      iterations: 9,
      costUsd: 7,
      attempts: 3,
      deadline: new Date(2099, 0, 1).getTime(),
    });
    const actor = { via: 'command', user: userInfo().username, pid: expect.any(Number) as number };
    expect(found(repo, 'paused')?.actor).toEqual(actor);
    expect(found(repo, 'unpaused')?.actor).toEqual(actor);
    expect(found(repo, 'lessons.changed')).toMatchObject({ from: 'run', gained: [expect.any(String)], retired: [] });

    const folder = `.ralph/runs/${repo.runs()[0]}/iterations/001`;
    const brief = repo.read(`${folder}/brief.md`);
    const figures = JSON.parse(repo.read(`${folder}/brief.json`)) as BriefFigures;
    expect(figures.bytes).toBe(Buffer.byteLength(brief));
    expect(figures.slots.map(({ name }) => name)).toEqual(expect.arrayContaining(['role', 'item', 'claim']));
    // One line end closes the brief where the last slot counts the two between slots.
    expect(figures.slots.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(Buffer.byteLength(brief) + 1);
    const times = repo
      .read(`${folder}/events.jsonl`)
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { at?: number }).at ?? 0);
    expect(times.every(at => at >= (found(repo, 'iteration.started')?.at ?? 0))).toBe(true);
  });

  it('tells who marked an item between two runs, and who stopped one', async () => {
    const repo = makeRepo({ plan: { userStories: stories }, scenario });
    const run = repo.start(['run']);
    await until(() => repo.runs().length > 0 && found(repo, 'agent.started') !== undefined);
    expect((await repo.ralph(['stop'])).code).toBe(0);
    repo.write('../outside/go', '');
    await run.ended;
    expect(found(repo, 'run.finished')).toMatchObject({ reason: 'stop-requested', actor: { via: 'command' } });
    expect((await repo.ralph(['skip', 'US-2'])).code).toBe(0);
    expect(found(repo, 'item.marked')).toMatchObject({ item: 'US-2', actor: { via: 'command' } });
    expect((await repo.ralph(['retry', 'US-2', '--with', 'do it after all'])).code).toBe(0);
    expect(found(repo, 'item.retried')).toMatchObject({ actor: { user: userInfo().username } });
  });
});
