/** Each plan has a branch of its own, made from the one the person started from, unless it says what it builds on. */
import { describe, expect, test } from 'vitest';
import { paste, stepsIn } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { agentsIn, type Entry, planOf, play, works } from './scene.ts';

const text = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
const plan = (name: string, more: Entry = {}) =>
  text({ ...planOf(`${name}-1`, `${name}-2`), project: undefined, branchName: `ralph/${name}`, ...more });

const files = (repo: Repo, branch: string): string =>
  repo.git('diff', '--name-only', 'main', branch).split('\n').filter(Boolean).join(' ');
const at = (repo: Repo): string => repo.git('symbolic-ref', '--short', 'HEAD');

describe.concurrent('plans one after the other', () => {
  test('end on as many branches, each from main; a run that is continued goes back to its own', async () => {
    const repo = makeRepo({
      files: { 'a.json': plan('a'), 'b.json': plan('b'), 'c.json': plan('c') },
      config: { gates: ['test ! -e a-1.txt -o ! -e b-1.txt'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['a.json', '--once'])).code).toBe(1);
    expect(at(repo)).toBe('ralph/a');
    for (const name of ['b', 'c']) {
      const { code, stdout, stderr } = await repo.run([`${name}.json`]);
      expect(code, stderr).toBe(0);
      expect(at(repo)).toBe(`ralph/${name}`);
      // The other plan is open: without a name it is meant, so the report of this one is asked for by its own.
      const [run = '', ...others] = repo.runs();
      const steps = stepsIn(stdout);
      expect(steps.slice(1, 3)).toEqual([`ralph report --run ${run}`, 'ralph run']);
      expect((await paste(repo, steps[1] ?? '')).stdout).toContain(`${name}-2`);
      expect(stdout).toContain(`# continue with ${others.at(-1) ?? ''}`);
      expect(files(repo, `ralph/${name}`)).toBe(`${name}-1.txt ${name}-2.txt ${name}.json`);
      expect(repo.git('merge-base', 'main', `ralph/${name}`)).toBe(repo.git('rev-parse', 'main'));
    }
    const back = await repo.run();
    expect(back.code, back.stdout + back.stderr).toBe(0);
    expect(at(repo)).toBe('ralph/a');
    expect(files(repo, 'ralph/a')).toBe('a-1.txt a-2.txt a.json');
  });

  test('bring the plan and the config along that only lie in the checkout, and main stays as it is', async () => {
    const repo = makeRepo({ scenario: play({ '*': works }) });
    repo.git('rm', '-q', 'ralph.json');
    repo.git('commit', '-qm', 'No config');
    const main = repo.git('rev-parse', 'main');
    const config = text({ agent: { use: 'script', scenario: '../outside/scenario.json' }, gates: ['true'] });
    repo.write('ralph.json', config);
    for (const name of ['a', 'b', 'c']) {
      repo.write('prd.json', plan(name));
      const { code, stdout, stderr } = await repo.run();
      expect(code, stdout + stderr).toBe(0);
      expect(at(repo)).toBe(`ralph/${name}`);
      expect(files(repo, `ralph/${name}`)).toBe(`${name}-1.txt ${name}-2.txt prd.json ralph.json`);
      expect(repo.git('status', '--porcelain')).toBe('');
    }
    expect(repo.git('rev-parse', 'main')).toBe(main);
    // A plan that was committed on another plan's branch is carried as well.
    repo.write('later.json', plan('later'));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'A plan for later');
    expect((await repo.run(['later.json'])).code).toBe(0);
    expect(files(repo, 'ralph/later')).toBe('later-1.txt later-2.txt later.json ralph.json');
  });

  test('stay on the branch with their work when items that a run worked on are reworded', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': works, 'US-2': { claim: { blocked: 'no key' } } }),
    });
    expect((await repo.run()).code).toBe(3);
    repo.write('prd.json', repo.read('prd.json').replace('Story US-2', 'Story US-2, without a key'));
    expect((await repo.run()).stdout).toContain('1 of 2 done');
    expect(at(repo)).toBe('ralph/shop');
    expect(files(repo, 'HEAD')).toBe('US-1.txt prd.json');
  });

  test('go on where a part of a run was merged: what is on its branch alone is not done again', async () => {
    const repo = makeRepo({
      files: { 'prd.json': plan('b') },
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['--once'])).code).toBe(1);
    expect((await repo.ralph(['merge'])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    repo.git('switch', '-q', 'main');
    const again = await repo.run();
    expect([again.code, agentsIn(repo), repo.runs().length], again.stdout + again.stderr).toEqual([0, 2, 1]);
    expect((await repo.ralph(['merge', '--squash'])).code).toBe(0);
    // Merged now: what a person opens again is theirs to have done anew.
    repo.git('switch', '-q', 'main');
    repo.write('prd.json', repo.read('prd.json').replace('"passes": true', '"passes": false'));
    repo.git('commit', '-qam', 'Once more');
    const anew = await repo.run();
    expect(repo.runs().length, anew.stdout + anew.stderr).toBe(2);
  });

  test('leave the person where they were when the start is refused', async () => {
    const repo = makeRepo({
      files: { 'a.json': plan('a'), 'b.json': plan('b') },
      config: { gates: ['test -e a-1.txt'], baseline: 'any' },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['a.json'])).code).toBe(0);
    repo.write('ralph.json', repo.read('ralph.json').replace('"any"', '"green"'));
    repo.write('b.json', plan('b', { note: 'mine' }));
    const before = repo.git('status', '--porcelain');
    // Green on the branch of the other plan, red where this one starts.
    const { code, stderr } = await repo.run(['b.json']);
    expect(code).toBe(4);
    expect(stderr).toContain('red before the first item');
    expect(at(repo)).toBe('ralph/a');
    expect(repo.git('status', '--porcelain')).toBe(before);
    expect(repo.read('b.json')).toContain('mine');
    expect(repo.git('branch', '--list', 'ralph/b')).toBe('');
  });
});

describe.concurrent('a plan that builds on another', () => {
  const shop = (b: Entry = {}, config: Entry = {}) =>
    makeRepo({
      files: { 'a.json': plan('a'), 'b.json': plan('b', b), 'c.json': plan('c') },
      config: { gates: ['true'], ...config },
      scenario: play({ '*': works }),
    });

  test('starts from that branch: by its flag, by its own word, by the config', async () => {
    const repo = shop({ after: 'a' });
    const none = await repo.ralph(['run', 'c.json', '--after', 'payments']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('no run of "payments" was made here');
    expect((await repo.run(['a.json'])).code).toBe(0);
    const unknown = await repo.ralph(['run', 'c.json', '--after', 'payments']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Plans that have been run: a');
    expect(agentsIn(repo)).toBe(2);
    expect((await repo.run(['b.json'])).code).toBe(0);
    expect(files(repo, 'ralph/b')).toBe('a-1.txt a-2.txt a.json b-1.txt b-2.txt b.json');
    const [run = ''] = repo.runs();
    expect((await repo.ralph(['run', 'c.json', '--after', run])).code).toBe(0);
    expect(files(repo, 'ralph/c')).toContain('b-2.txt');
    expect(at(repo)).toBe('ralph/c');
  });

  test('by the config, where it is the configured plan', async () => {
    const repo = shop({}, { plan: 'b.json', after: 'a.json' });
    expect((await repo.run(['a.json'])).code).toBe(0);
    expect((await repo.run(['c.json'])).code).toBe(0);
    expect(files(repo, 'ralph/c')).toBe('c-1.txt c-2.txt c.json');
    expect((await repo.run()).code).toBe(0);
    expect(files(repo, 'ralph/b')).toContain('a-2.txt');
  });
});
