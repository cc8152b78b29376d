/** The final gates see a fresh checkout of what was accepted, and nothing else that lies about. */
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { briefOf, planOf, play, recordsOf, runs, verdictsIn, works, writes } from './scene.ts';

describe.concurrent('the final gates', () => {
  test('are red where an ignored file was all that made the gates green, and a fix item follows', async () => {
    const repo = makeRepo({
      files: { '.gitignore': 'generated.txt\n' },
      plan: planOf('US-1'),
      config: {
        gates: ['test -f generated.txt || ! test -f US-1.txt'],
        final: [{ name: 'clone', run: 'test -f generated.txt || { echo nothing generates it; exit 7; }' }],
      },
      scenario: play({
        'US-1': works,
        'FIX-1': runs('rm generated.txt .gitignore', 'echo for all > generated.txt'),
      }),
    });
    repo.write('generated.txt', 'made by hand\n');
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'FIX-1 accepted']);
    expect(repo.git('show', 'HEAD:generated.txt')).toBe('for all');
    expect(recordsOf(repo, 'final').map(({ gates }) => gates.map(gate => gate.status))).toEqual([['red'], ['green']]);
    expect(briefOf(repo, 2)).toContain('nothing generates it');
  });

  test('that stay red keep their fix item open, whatever it claims', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], final: ['false'] },
      scenario: play({ '*': works }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'FIX-1 rejected', 'FIX-1 rejected', 'FIX-1 rejected']);
    expect(stdout).toContain('FIX-1');
    expect(stdout).not.toContain('Complete');
  });

  test('and gates that are not there are not called green', async () => {
    const bare = makeRepo({ plan: planOf('US-1'), scenario: play({ 'US-1': works }) });
    const without = await bare.run();
    expect(without.stdout).toContain(
      'no gates are configured, so nothing was tested; to add some, in ralph.json: gates: [npm test]',
    );
    expect(without.stdout).not.toContain('green');
    const gated = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ 'US-1': works }) });
    const { stdout } = await gated.run();
    expect(stdout).toContain('the gates are green, no final gates are configured');
  });

  test('can read the history, and whatever they do to it reaches nobody', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: {
        gates: ['true'],
        final: [
          'git diff --exit-code HEAD && test "$(git rev-list --count HEAD)" = 2 && git branch stray && git tag v9',
        ],
      },
      scenario: play({ 'US-1': works }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/tags', 'refs/heads/stray')).toBe('');
  });

  test('come after the set-up, and a set-up that fails on a clone is red like any other', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], setup: ['test -f US-1.txt && touch ready'], final: ['test -f ready'] },
      scenario: play({ 'US-1': works }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    const broken = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], setup: ['echo no such package; exit 1'], final: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await broken.run(['--max-iterations', '2'])).code).toBe(1);
    expect(briefOf(broken, 2)).toContain('no such package');
  });

  test('leave a bug note beside the fix item of a checklist, in one commit, where the project keeps such notes', async () => {
    const repo = makeRepo({
      files: { 'PROGRESS.md': '# Work\n\n- [ ] SPEC-1: First\n', 'docs/_bugs/README.md': '# Bugs\n' },
      config: {
        plan: 'PROGRESS.md',
        gates: ['true'],
        final: [{ name: 'e2e', run: 'test -f fixed.txt || { echo the shop is shut; exit 1; }' }],
      },
      scenario: play({ 'SPEC-1': works, 'FIX-1': writes('fixed.txt') }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    const added = repo.git('log', '--format=%H', '--grep=add FIX-1', '-1');
    const [note, plan, ...more] = repo
      .git('show', '--name-only', '--format=', added)
      .split('\n')
      .toSorted()
      .toReversed();
    expect([plan, more]).toEqual(['PROGRESS.md', []]);
    expect(note).toMatch(/^docs\/_bugs\/\d{4}-\d\d-\d\d-final-gate-e2e\.md$/);
    expect(repo.read(note ?? '')).toContain('the shop is shut');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
