/** The document's own words for one group: run it, reset it, look at it. */
import { describe, expect, test } from 'vitest';
import { verdictsIn } from '../loop/scene.ts';
import { doesGroup, makeGroups, stateOf, statusesIn } from './scene.ts';

const three = () =>
  makeGroups({
    groups: ['One', 'Two', 'Three'],
    config: { gates: ['true'] },
    scenario: { items: { 1: doesGroup(1), 2: doesGroup(2), 3: doesGroup(3) } },
  });

describe.concurrent('one group', () => {
  test('is run alone by its number', async () => {
    const repo = three();
    const { code } = await repo.ralph(['run', '2']);
    expect(code).toBe(1);
    expect(verdictsIn(repo)).toEqual(['2 accepted']);
    expect(statusesIn(repo)).toEqual(['pending 0', 'complete 1', 'pending 0']);
  });

  test('is a file where there is one of that name, and refused where the plan has no such group', async () => {
    const repo = three();
    repo.write('3', '- [ ] a box\n');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'Three');
    expect((await repo.ralph(['run', '3'])).stderr).toContain('no plan format knows this kind of file');
    const missing = await repo.ralph(['run', '7']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('no item "7"');
  });

  test('is reset and run again, and nothing else is', async () => {
    const repo = three();
    expect((await repo.ralph(['run'])).code).toBe(0);
    const before = stateOf(repo);
    expect((await repo.ralph(['block', '1'])).code).toBe(0);
    const { code, stdout } = await repo.ralph(['run', '--reset', '3', '--json']);
    for (const line of stdout.trim().split('\n')) JSON.parse(line);
    expect(code).toBe(1);
    expect(verdictsIn(repo)).toEqual(['3 accepted']);
    expect(statusesIn(repo)).toEqual(['blocked 1', 'complete 1', 'complete 1']);
    expect(stateOf(repo)[1]).toEqual(before[1]);
  });

  test('is pending from the beginning after a reset', async () => {
    const repo = three();
    await repo.ralph(['run']);
    const { code, stdout } = await repo.ralph(['reset', '3']);
    expect([code, stdout]).toEqual([0, '3 is pending.\n']);
    expect(stateOf(repo)[2]).toEqual({
      id: 3,
      title: 'Three',
      status: 'pending',
      attempts: 0,
      started_at: null,
      completed_at: null,
    });
    expect(statusesIn(repo).slice(0, 2)).toEqual(['complete 1', 'complete 1']);
  });

  test('is shown by status, before any run and after it', async () => {
    const repo = three();
    const before = await repo.ralph(['status']);
    expect(before.code).toBe(0);
    expect(before.stdout).toMatch(/0 of 3 done/);
    expect(before.stdout).toMatch(/3 +Three/);
    await repo.ralph(['run', '1']);
    const after = await repo.ralph(['status']);
    expect(after.stdout).toMatch(/1 of 3 done/);
  });
});
