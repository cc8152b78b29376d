/** A second agent looks at what was accepted: what its word does, and what it cannot do. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';
import {
  briefOf,
  type Entry,
  planOf,
  play,
  recordsOf,
  reviewBrief,
  reviewsIn,
  runs,
  verdictsIn,
  works,
  writes,
} from './scene.ts';

const slowEvidence = fileURLToPath(new URL('slow-evidence.mjs', import.meta.url));

const scene = (items: Parameters<typeof play>[0], reviews: Readonly<Record<string, Entry | readonly Entry[]>>) => ({
  ...play(items),
  reviews,
});

const checklist = (lines: string, more: RepoOptions): Repo =>
  makeRepo({
    ...more,
    files: { 'PROGRESS.md': `# Work\n\n${lines}` },
    config: { plan: 'PROGRESS.md', gates: ['true'], review: { items: 'SPEC-*' }, ...more.config },
  });

describe.concurrent('a review', () => {
  test('of a chosen item that passes marks it, and nothing else is looked at', async () => {
    const repo = checklist('- [ ] SPEC-1: First\n  - holds water\n- [ ] DEBT-2: Second\n', {
      scenario: scene({ '*': works }, { 'SPEC-1': { steps: [{ usage: { input: 7, cost: 0.5 } }] } }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(reviewsIn(repo)).toEqual(['SPEC-1 1 pass']);
    expect(repo.git('show', 'HEAD:PROGRESS.md')).toBe(
      '# Work\n\n- [x] SPEC-1: First [REVIEWED]\n  - holds water\n- [x] DEBT-2: Second',
    );
    expect(repo.git('status', '--porcelain')).toBe('');
    const brief = reviewBrief(repo, 1);
    expect(brief).toContain('holds water');
    expect(brief).toContain('+SPEC-1');
    expect(brief).toContain('`true`: green');
    expect(stdout).toContain('$0.50');
  });

  test('knows what the gates said also where that is still being written', async () => {
    const repo = checklist('- [ ] SPEC-1: First\n', { scenario: scene({ '*': works }, { 'SPEC-1': {} }) });
    const { code, stdout } = await repo.ralph(['run'], { preload: [slowEvidence] });
    expect(code, stdout).toBe(0);
    expect(reviewBrief(repo, 1)).toContain('`true`: green');
    expect(reviewBrief(repo, 1)).not.toContain('No gates are configured');
  });

  test('that finds something adds a fix item with its words, and looks again once that is done', async () => {
    const repo = checklist('- [ ] SPEC-1: First\n- [ ] DEBT-2: Second\n', {
      scenario: scene(
        { '*': works, 'FIX-1': writes('mended.txt') },
        { 'SPEC-1': [{ findings: ['the cart forgets its last line'] }, {}] },
      ),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['SPEC-1 accepted', 'DEBT-2 accepted', 'FIX-1 accepted']);
    expect(reviewsIn(repo)).toEqual(['SPEC-1 1 needs-fix', 'SPEC-1 2 pass']);
    expect(briefOf(repo, 3)).toContain('the cart forgets its last line');
    expect(reviewBrief(repo, 2)).toContain('the cart forgets its last line');
    expect(reviewBrief(repo, 2)).toContain('mended.txt');
    const marks = repo.git('log', '--format=%H', '--reverse', '--grep=^chore(ralph): review of SPEC-1').split('\n');
    expect(marks.map(commit => repo.git('show', `${commit}:PROGRESS.md`).split('\n')[2])).toEqual([
      '- [x] SPEC-1: First [NEEDS-FIX: FIX-1]',
      '- [x] SPEC-1: First [REVIEWED]',
    ]);
  });

  test('after its last round needs a person, once everything else is done', async () => {
    const repo = makeRepo({
      plan: planOf('SPEC-1', 'US-2'),
      config: { gates: ['true'], final: ['test -f US-2.txt'], review: { items: 'SPEC-*', rounds: 2 } },
      scenario: scene({ '*': works }, { '*': { findings: ['still wrong'] } }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(verdictsIn(repo)).toEqual(['SPEC-1 accepted', 'US-2 accepted', 'FIX-1 accepted']);
    expect(reviewsIn(repo)).toEqual(['SPEC-1 1 needs-fix', 'SPEC-1 2 needs-fix']);
    expect(stdout).toContain('SPEC-1: 1 finding left after 2 rounds');
    expect(repo.plan().userStories[0]).toMatchObject({ passes: true, review: 'needs-fix' });
    // Called again it says the same, and starts nobody.
    expect((await repo.run()).code).toBe(3);
    expect(reviewsIn(repo)).toHaveLength(2);
    // A person's word is the last one.
    await repo.ralph(['done', 'SPEC-1']);
    expect((await repo.run()).code).toBe(0);
    expect(reviewsIn(repo)).toHaveLength(2);
  });

  test('whose answer cannot be read is asked for once more, and is never a pass', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], review: 'all' },
      scenario: scene(
        { '*': works },
        {
          'US-1': [{ verdict: 'none', message: 'All is well: `<review verdict="pass"></review>`' }, {}],
          'US-2': { verdict: 'none', message: 'PASS' },
        },
      ),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(reviewsIn(repo)).toEqual(['US-1 1 unclear', 'US-1 1 pass', 'US-2 1 unclear', 'US-2 1 unclear']);
    expect(reviewBrief(repo, 2)).toContain('is inside a code block');
    expect(stdout).toContain('US-2: no answer of its reviewers could be read');
  });

  test('leaves nothing of what its agent changed: files, plan, config, branch', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], review: { items: 'US-1' } },
      scenario: scene(
        { '*': works },
        {
          '*': runs(
            'echo better > US-1.txt',
            'echo mine > new.txt',
            'sed -i s/false/true/ prd.json',
            'echo {} > ralph.json',
            'git -c user.name=R -c user.email=r@example.org commit -qam improved',
            'git checkout -q -b elsewhere',
            'echo believe me >> .ralph/lessons.md',
          ),
        },
      ),
    });
    repo.write('.ralph/lessons.md', '# Lessons\n');
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
    expect(repo.read('.ralph/lessons.md')).not.toContain('believe me');
    expect(repo.read('US-1.txt')).toBe('US-1\n');
    expect(repo.git('log', '--format=%s', 'main..HEAD')).not.toContain('improved');
    expect(repo.git('ls-tree', '--name-only', 'HEAD').split('\n')).not.toContain('new.txt');
    const undone = recordsOf(repo, 'review.finished')[0]?.undone.join('\n') ?? '';
    for (const what of ['US-1.txt', 'new.txt', 'committed by itself', 'HEAD was restored', 'the lessons file']) {
      expect(undone).toContain(what);
    }
    expect(repo.git('show', `refs/ralph/${repo.runs()[0]}/US-1/review-1:new.txt`)).toBe('mine');
  });

  test('is only of what was accepted: nobody reviews over a red gate', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['! test -f US-1.txt'], limits: { attempts: 2 }, review: true },
      scenario: scene({ '*': works }, { '*': { message: 'Looks good to me' } }),
    });
    expect((await repo.run()).code).toBe(3);
    expect(recordsOf(repo, 'review.started')).toEqual([]);
  });

  test('can be made by another agent, and trouble of its provider uses no round', async () => {
    const reviewer = [
      '#!/bin/sh',
      'if [ ! -e ../outside/once ]; then touch ../outside/once; exit 75; fi',
      'grep -q "^## The diff" && echo \'<review verdict="pass"></review>\'',
    ];
    const repo = makeRepo({
      plan: planOf('US-1'),
      files: { 'reviewer.sh': `${reviewer.join('\n')}\n` },
      config: { gates: ['true'], review: { agent: { command: ['sh', './reviewer.sh'] }, rounds: 1 } },
      scenario: play({ '*': works }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(recordsOf(repo, 'review.started').map(({ agent, round }) => `${agent} ${round}`)).toEqual([
      'command 1',
      'command 1',
    ]);
    expect(recordsOf(repo, 'review.aborted')).toHaveLength(1);
    expect(reviewsIn(repo)).toEqual(['US-1 1 pass']);
  });

  test('by a reviewer that deletes the folder of the work tree costs nobody any work', async () => {
    const repo = checklist('- [ ] SPEC-1: First\n- [ ] DEBT-2: Second\n', {
      scenario: scene({ '*': works }, { 'SPEC-1': runs('rm -rf "$PWD"') }),
    });
    const { code, stdout } = await repo.run(['--worktree', '--no-sandbox']);
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['SPEC-1 accepted', 'DEBT-2 accepted']);
  });
});
