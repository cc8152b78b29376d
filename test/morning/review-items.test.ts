/** `ralph review --items`: what was done before reviewing was switched on, or by hand, is reviewed once. */
import { describe, expect, test } from 'vitest';
import { planOf, play, recordsOf, verdictsIn, works, writes } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const reviewsIn = (repo: Repo): readonly string[] =>
  recordsOf(repo, 'review.finished').map(({ item, round, verdict }) => `${item} ${round} ${verdict}`);

const reviewBrief = (repo: Repo, review: number): string =>
  repo.read(`.ralph/runs/${repo.runs()[0] ?? ''}/reviews/${String(review).padStart(3, '0')}/brief.md`);

const marksIn = (repo: Repo, branch: string) => repo.git('show', `${branch}:PROGRESS.md`).split('\n').slice(2);

describe.concurrent('ralph review --items', () => {
  test('reviews what was done by hand, without a run and without a setting, once', async () => {
    const repo = makeRepo({
      files: { 'PROGRESS.md': '# Work\n\n- [x] SPEC-1: First\n- [x] SPEC-2: Second [REVIEWED]\n- [ ] SPEC-3: Third\n' },
      config: { plan: 'PROGRESS.md', gates: ['true'] },
      scenario: { ...play({ '*': works }), reviews: { '*': {} } },
    });
    const first = await repo.ralph(['review', '--items']);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('1 item reviewed on ralph/work\n  SPEC-1  passed');
    expect(reviewsIn(repo)).toEqual(['SPEC-1 1 pass']);
    expect(reviewBrief(repo, 1)).toContain('No commit is recorded for this item');
    expect(reviewBrief(repo, 1)).toContain('Nothing was recorded when it was done');
    expect(marksIn(repo, 'ralph/work')).toEqual([
      '- [x] SPEC-1: First [REVIEWED]',
      '- [x] SPEC-2: Second [REVIEWED]',
      '- [ ] SPEC-3: Third',
    ]);
    expect(verdictsIn(repo)).toEqual([]);

    const again = await repo.ralph(['review', '--items']);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to review') });
    expect(reviewsIn(repo)).toHaveLength(1);
    // The run that was begun for it is the one that does the rest.
    expect((await repo.run()).code).toBe(0);
    expect(repo.runs()).toHaveLength(1);
    expect(verdictsIn(repo)).toEqual(['SPEC-3 accepted']);
  });

  test('continues the run that did the work: a finding becomes a fix item, which a run does, and is looked at again', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: {
        ...play({ 'FIX-1': writes('mended.txt'), '*': works }),
        reviews: { 'US-1': [{ findings: ['the cart forgets its last line'] }, {}], '*': {} },
      },
    });
    expect((await repo.run()).code).toBe(0);
    const reviewed = await repo.ralph(['review', '--items', 'US-1']);
    expect(reviewed, reviewed.stderr).toMatchObject({ code: 1 });
    expect(reviewed.stdout).toContain('  US-1  needs a fix: FIX-1, 1 finding\nNext: ralph run works on FIX-1');
    expect(repo.runs()).toHaveLength(1);
    expect(reviewBrief(repo, 1)).toContain('+US-1');
    expect(reviewBrief(repo, 1)).toContain('`true`: green');
    expect(repo.plan().userStories.map(({ id }) => id)).toEqual(['US-1', 'US-2', 'FIX-1']);

    expect((await repo.run()).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted', 'FIX-1 accepted']);
    const rest = await repo.ralph(['review', '--items']);
    expect(rest, rest.stderr).toMatchObject({ code: 0 });
    expect(reviewsIn(repo)).toEqual(['US-1 1 needs-fix', 'US-1 2 pass', 'US-2 1 pass']);
    expect(reviewBrief(repo, 2)).toContain('mended.txt');
    expect(repo.git('show', 'HEAD:prd.json').match(/"review": "passed"/g)).toHaveLength(2);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect((await repo.run()).code).toBe(0);
    expect(repo.runs()).toHaveLength(1);
  });

  test('of what was merged long ago knows its commit and evidence, and what was reviewed then', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], review: { items: 'US-2' } },
      scenario: { ...play({ '*': works }), reviews: { '*': {} } },
    });
    expect((await repo.run()).code).toBe(0);
    repo.git('switch', '-q', 'main');
    expect((await repo.ralph(['merge'])).code).toBe(0);
    repo.git('branch', '-q', '-D', 'ralph/shop');
    const main = repo.git('rev-parse', 'main');
    const reviewed = await repo.ralph(['review', '--items', 'US-1', 'US-2', '--worktree']);
    expect(reviewed, reviewed.stderr).toMatchObject({ code: 0 });
    expect(repo.runs()).toHaveLength(2);
    expect(reviewsIn(repo)).toEqual(['US-1 1 pass']);
    expect(reviewBrief(repo, 1)).toContain('+US-1');
    expect(reviewBrief(repo, 1)).toContain('`true`: green');
    expect(repo.git('rev-parse', 'main')).toBe(main);
    expect((await repo.ralph(['merge'])).stdout).toContain('into main');
    expect(repo.git('show', 'main:prd.json').match(/"review": "passed"/g)).toHaveLength(2);
  });

  test('what is done again is reviewed again, unless its mark says that it was', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: { ...play({ '*': { steps: [{ run: 'echo more >> $RALPH_ITEM.txt' }] } }), reviews: { '*': {} } },
    });
    expect((await repo.run()).code).toBe(0);
    expect((await repo.ralph(['review', '--items'])).code).toBe(0);
    expect((await repo.ralph(['reset', 'US-1'])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    expect((await repo.ralph(['review', '--items'])).stdout).toContain('Nothing to review');
    repo.write('prd.json', repo.read('prd.json').replace(/,\s*"review": "passed"/, ''));
    repo.git('commit', '-qam', 'Look at it again');
    expect((await repo.ralph(['review', '--items'])).stdout).toContain('US-1  passed');
  });

  test('refuses in one sentence what it cannot review', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const refused = async (...args: string[]) => (await repo.ralph(['review', ...args])).stderr;
    expect(await refused('--items', 'US-9')).toContain('US-9');
    expect(await refused('--items', 'US-1')).toContain('US-1 is pending, not done; nothing was reviewed');
    expect(await refused('US-1')).toContain('"US-1" is for --items');
    expect((await repo.ralph(['review', '--items'])).stdout).toContain('Nothing to review');
    expect(repo.runs()).toEqual([]);
    expect(repo.git('branch', '--list', 'ralph/*')).toBe('');
  });
});
