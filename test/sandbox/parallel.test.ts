/** Several workers in bubblewrap: each agent writes to its own checkout, and to no other. */
import { describe, expect, it } from 'vitest';
import { committedItems } from '../crash/oracle.ts';
import { GIT, planOf, play, recordsOf, runs } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { whyNoBwrap } from './bwrap-here.ts';

const refused = whyNoBwrap();

describe.skipIf(refused !== '')(`several workers inside bubblewrap${refused}`, () => {
  it('cannot write to each other, to the run or to the checkout, and commit on their own branches', async () => {
    const elsewhere = 'for f in ../* ../../..; do test $f -ef . || touch $f/planted.txt || true; done';
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { sandbox: 'bwrap', parallel: 3, gates: ['test ! -e planted.txt'] },
      scenario: play({
        '*': runs(
          // Until the checkouts of the others are there.
          'n=0; until test $(ls -d ../*.[0-9]/.git | wc -l) -ge 3 || test $n -gt 500; do sleep 0.02; n=$((n+1)); done',
          elsewhere,
          'echo done > $RALPH_ITEM.txt',
          'git add -A',
          `${GIT} commit -qm "own commit"`,
        ),
      }),
    });
    const { code, stdout, stderr } = await repo.ralph(['run']);
    expect(code, stdout + stderr).toBe(0);
    expect(committedItems(repo, 'ralph/shop')).toEqual(['US-1', 'US-2', 'US-3']);
    expect(repo.git('ls-tree', '-r', '--name-only', 'ralph/shop')).not.toContain('planted');
    expect(repo.git('status', '--porcelain')).toBe('');
    const own = repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n');
    expect(own.filter(ref => ref.endsWith('-own'))).toHaveLength(3);
    expect(recordsOf(repo, 'run.started')[0]?.sandbox).toBe('bwrap');
  });
});
