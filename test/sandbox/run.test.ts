/** A whole run in bubblewrap: what a hostile agent does outside its tree has no effect, and honest work is done as ever. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doneIn, GIT, planOf, play, recordsOf, runs, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { whyNoBwrap } from './bwrap-here.ts';

const refused = whyNoBwrap();

describe.skipIf(refused !== '')(`a run inside bubblewrap${refused}`, () => {
  it('does the work, commits and says what kept it inside', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { sandbox: 'bwrap', gates: ['test -f US-1.txt -o ! -d done', 'sh -c "git status >/dev/null"'] },
      scenario: play({
        'US-1': works,
        'US-2': runs('echo two > US-2.txt', 'git add -A', `${GIT} commit -qm "own commit"`),
      }),
    });
    const end = await repo.ralph(['run']);
    expect(end.stderr + end.stdout).toContain('sandbox bwrap');
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    expect(recordsOf(repo, 'run.started')[0]?.sandbox).toBe('bwrap');
    expect(repo.git('log', '-1', '--format=%B', 'ralph/shop')).toContain('Ralph-Sandbox: bwrap');
  });
});
