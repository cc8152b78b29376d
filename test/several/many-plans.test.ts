/** `ralph run a.json b.json c.json`: one line starts them all. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planText, play, runs, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const files = { 'a.json': planText('Alpha', 'A-1', 'A-2'), 'b.json': planText('Beta', 'B-1'), 'broken.json': '{' };
const waits = runs(
  'touch $OUTSIDE/{{item}}',
  'while ! test -e $OUTSIDE/go; do sleep 0.05; done',
  'echo > {{item}}.txt',
);
const id = (repo: Repo, name: string) => repo.runs().find(run => run.endsWith(name)) ?? '';

describe('several plans in one line', () => {
  test('each is run in a worktree; lines say whose they are; the exit code is the worst', async () => {
    const repo = makeRepo({ files, config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const ended = await repo.ralph(['run', 'a.json', 'b.json', 'broken.json']);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(/^a\.json {6}\| .*\[2\/2\] A-2/m);
    expect(ended.stdout).toMatch(/^broken\.json \| ralph: .*broken\.json/m);
    expect(ended.stdout.slice(ended.stdout.indexOf('\n\n2 of 3'))).toBe(
      '\n\n2 of 3 runs complete\n  a.json       complete\n  b.json       complete\n  broken.json  could not be read\n\nNext: ralph review\n',
    );
    expect(repo.git('show', 'ralph/beta:B-1.txt')).toBe('B-1');
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    const again = await repo.ralph(['run', 'a.json', './a.json']);
    expect([again.code, again.stderr]).toEqual([
      2,
      'ralph: ./a.json is named twice\n  Each plan is run once at a time.\n',
    ]);
    const words = await repo.ralph(['run', 'do', 'the', 'thing', '--dry-run']);
    expect([words.code, words.stderr]).toEqual([
      2,
      "ralph: do and the are no plans: there are no such files\n  A task in words is one argument: ralph run 'do the thing'\n",
    ]);
    const only = await repo.ralph(['run', 'a.json', 'b.json', '--only', 'A-1']);
    expect([only.code, only.stderr]).toEqual([
      2,
      'ralph: --only is for one plan, and 2 are named\n  One at a time: ralph run a.json --only ...\n',
    ]);
  });

  test('Ctrl-C stops them all, and the same line takes them up again; with --detach it returns at once', async () => {
    const repo = makeRepo({ files, config: { gates: ['true'] }, scenario: play({ '*': waits }) });
    const env = { OUTSIDE: repo.outside };
    const there = (name: string) => existsSync(join(repo.outside, name));
    const first = repo.start(['run', 'a.json', 'b.json', '--json'], { env });
    await until(() => there('A-1') && there('B-1'));
    process.kill(first.pid, 'SIGINT');
    const ended = await first.ended;
    expect(ended.code).toBe(130);
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { plan: string; type: string; reason?: string });
    expect(
      lines
        .filter(({ type }) => type === 'run.finished')
        .map(({ plan: of, reason }) => `${of} ${reason}`)
        .toSorted(),
    ).toEqual(['a.json interrupted', 'b.json interrupted']);

    const detached = await repo.ralph(['run', 'a.json', 'b.json', '--detach'], { env });
    expect(detached.code).toBe(0);
    expect(detached.stdout).toMatch(/^a\.json: pid \d+, output in .*detached-a-json\.log\nb\.json: pid/);
    await until(() =>
      ['alpha', 'beta'].every(
        name => repo.journal(id(repo, name)).filter(({ type }) => type === 'agent.started').length === 2,
      ),
    );
    const stopped = await repo.ralph(['stop', '--now', '--plan', 'a.json'], { env });
    expect([stopped.code, stopped.stdout]).toEqual([
      0,
      expect.stringMatching(/^It ends at once \(\S+-alpha, pid \d+\)\n$/),
    ]);
    repo.write('../outside/go', '');
    const over = (name: string) => repo.journal(id(repo, name)).findLast(({ type }) => type === 'run.finished');
    const lockOf = (name: string) => existsSync(join(repo.root, '.ralph/locks', id(repo, name)));
    await until(() => !lockOf('alpha') && !lockOf('beta'));
    expect([over('alpha'), over('beta')]).toMatchObject([{ reason: 'stop-requested' }, { reason: 'complete' }]);
    expect(readFileSync(join(repo.root, '.ralph/detached-b-json.log'), 'utf8')).toContain(
      'Complete: every item is done',
    );
  });
});
