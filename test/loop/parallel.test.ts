/** Several items at once: each in a checkout of its own, all on one branch, nothing on it that is red. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/state.ts';
import { agentsOf, committedItems } from '../crash/oracle.ts';
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { briefOf, type Entry, planOf, play, recordsOf, story, works } from './scene.ts';

const BRANCH = 'ralph/shop';

/** With `{meet}` in a command: until this many agents have come there; those that come again do not wait. */
function scene(
  options: RepoOptions & {
    readonly items: Readonly<Record<string, Entry | readonly Entry[]>>;
    readonly agents: number;
  },
): Repo {
  const repo = makeRepo({ ...options, scenario: {} });
  const here = join(repo.outside, 'here');
  mkdirSync(here);
  const meet = `touch ${here}/$RALPH_ITEM; n=0; while test $(ls ${here} | wc -l) -lt ${options.agents} && test $n -lt 1500; do sleep 0.02; n=$((n+1)); done`;
  const text = JSON.stringify({ ...play(options.items), reviews: { '*': {} } }).replaceAll('{meet}', meet);
  writeFileSync(join(repo.outside, 'scenario.json'), text);
  return repo;
}

const runs = (...commands: readonly string[]): Entry => ({ steps: commands.map(run => ({ run })) });

/** Items whose iterations were open at the same time as this one's, by what the journal says. */
function beside(repo: Repo, item: string): readonly string[] {
  const open = new Map<number, string>();
  const met = new Set<string>();
  for (const record of repo.journal()) {
    if (record.type === 'iteration.started') open.set(record.iteration, record.item);
    if (record.type === 'iteration.finished' || record.type === 'iteration.aborted') open.delete(record.iteration);
    const all = [...open.values()];
    if (all.includes(item)) for (const other of all) if (other !== item) met.add(other);
  }
  return [...met].toSorted();
}

function expectNothingLeft(repo: Repo): void {
  const [run = ''] = repo.runs();
  expect({
    worktrees: readdirSync(join(repo.root, '.ralph/worktrees')),
    branches: repo.git('branch', '--format=%(refname:short)').split('\n').toSorted(),
    lock: existsSync(join(repo.root, '.ralph/lock')),
    agents: agentsOf(repo),
    status: repo.git('status', '--porcelain'),
    head: repo.git('symbolic-ref', '--short', 'HEAD'),
  }).toEqual({ worktrees: [run], branches: ['main', BRANCH], lock: false, agents: [], status: '', head: 'main' });
}

describe.concurrent('several workers', () => {
  test('land what fits, and send back without a charge what conflicts or is red with the work of others', async () => {
    const add = 'printf "%s\\n" $RALPH_ITEM >> list.txt && sort -u -o list.txt list.txt';
    const half = (mine: string, other: string) =>
      `touch ${mine}.flag; if test -f ${other}.flag; then touch both.txt; fi`;
    const repo = scene({
      agents: 4,
      files: { 'list.txt': 'none\n' },
      plan: planOf('US-1', 'US-2', 'US-3', 'US-4', story('US-5', { dependsOn: ['US-1', 'US-4'] })),
      config: { gates: ['test ! -f a.flag || test ! -f b.flag || test -f both.txt'] },
      items: {
        'US-1': runs('{meet}', add),
        'US-2': runs('{meet}', add),
        'US-3': runs('{meet}', half('a', 'b')),
        'US-4': runs('{meet}', half('b', 'a')),
        '*': works,
      },
    });
    const { code, stdout, stderr } = await repo.run(['--parallel', '4']);
    expect(code, stdout + stderr).toBe(0);
    expect(committedItems(repo, BRANCH)).toEqual(['US-1', 'US-2', 'US-3', 'US-4', 'US-5']);
    expect(repo.git('show', `${BRANCH}:list.txt`)).toBe('US-1\nUS-2\nnone');
    const back = recordsOf(repo, 'verdict').filter(
      ({ verdict }) => verdict.type === 'rejected' && verdict.reason === 'merge',
    );
    expect(back.map(({ item }) => (item < 'US-3' ? 'conflict' : 'red')).toSorted()).toEqual(['conflict', 'red']);
    for (const { item } of back) {
      const again = recordsOf(repo, 'iteration.started')
        .filter(started => started.item === item)
        .at(-1);
      expect(again).toMatchObject({ attempt: 1, try: 2 });
      expect(briefOf(repo, again?.iteration ?? 0)).toContain('was good by itself, but');
      expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph')).toContain(`/${item}/1`);
      expect(fold(repo.journal()).items.get(item)).toMatchObject({ attempts: 0, status: 'done' });
    }
    for (const first of ['US-1', 'US-4']) expect(beside(repo, 'US-5')).not.toContain(first);
    expect(recordsOf(repo, 'iteration.started').every(({ worker }) => worker !== undefined)).toBe(true);
    expect(stdout).toMatch(/merge +US-[12] · conflicts with \w+ in list\.txt/);
    expectNothingLeft(repo);
    const report = await repo.ralph(['report']);
    expect(report.code, report.stderr).toBe(0);
  });

  test('keep items apart that name the same file, and wait for what others depend on', async () => {
    const repo = scene({
      agents: 2,
      files: { 'src/cart.ts': 'export {};\n' },
      plan: planOf(
        story('US-1', { title: 'Sum up in src/cart.ts' }),
        story('US-2', { title: 'Round in src/cart.ts' }),
        'US-3',
        story('US-4', { dependsOn: ['US-2'] }),
      ),
      config: { gates: ['true'] },
      items: {
        'US-1': runs('{meet}', 'echo 1 >> src/cart.ts'),
        'US-2': runs('echo 2 >> src/cart.ts'),
        'US-3': runs('{meet}', 'touch c'),
        '*': works,
      },
    });
    const { code, stdout, stderr } = await repo.run(['--parallel', '3']);
    expect(code, stdout + stderr).toBe(0);
    expect(beside(repo, 'US-1')).toEqual(['US-3']);
    expect(beside(repo, 'US-2')).not.toContain('US-4');
    expect(stdout).toContain('US-2 waits for US-1: both are likely to touch src/cart.ts');
    expect(recordsOf(repo, 'merge').filter(({ conflicts }) => conflicts)).toEqual([]);
    expectNothingLeft(repo);
    for (const { item, iteration } of recordsOf(repo, 'iteration.started')) {
      const { stdout: log } = await repo.ralph(['logs', String(iteration)]);
      expect(log).toMatch(new RegExp(`^Iteration ${iteration}\\n\\S+ +${item} [^]*\\n +accepted   claimed`));
      expect(log.match(/US-\d/g)?.filter(other => other !== item)).toEqual([]);
    }
  });

  test('keep to the limits of the run together, and one worker goes on where three stopped', async () => {
    const repo = scene({
      agents: 2,
      plan: planOf('US-1', 'US-2', 'US-3', 'US-4'),
      config: { gates: ['true'], parallel: 3 },
      items: { '*': { steps: [{ run: '{meet}' }, { write: { path: '{{item}}.txt', text: 'x\n' } }] } },
    });
    const { code, stdout } = await repo.run(['--max-iterations', '2']);
    expect(code, stdout).toBe(1);
    expect(recordsOf(repo, 'iteration.started')).toHaveLength(2);
    expect(recordsOf(repo, 'run.finished').at(-1)?.reason).toBe('iterations');
    expectNothingLeft(repo);
    const again = await repo.run(['--parallel', '1']);
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(committedItems(repo, BRANCH)).toEqual(['US-1', 'US-2', 'US-3', 'US-4']);
    expect(recordsOf(repo, 'iteration.started').map(({ worker }) => worker !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('stop at once when asked to, with nothing lost, and go on', async () => {
    const repo = scene({
      agents: 99,
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'], parallel: 3 },
      items: { '*': { steps: [{ write: { path: '{{item}}.txt', text: 'x\n' } }, { run: '{meet}' }] } },
    });
    const running = repo.start(['run']);
    await until(() => repo.runs().length > 0 && recordsOf(repo, 'agent.started').length === 3);
    const status = await repo.ralph(['status']);
    const all = await repo.ralph(['status', '--all']);
    const logs = await repo.ralph(['logs', '--all']);
    const seen = [status.stdout, all.stdout, logs.stdout];
    for (const item of ['US-1', 'US-2', 'US-3']) for (const text of seen) expect(text).toContain(item);
    const stopped = await repo.ralph(['stop', '--now']);
    expect(stopped.code, stopped.stderr).toBe(0);
    const { code } = await running.ended;
    expect(code).toBe(1);
    expect(
      recordsOf(repo, 'iteration.aborted')
        .map(({ item }) => item)
        .toSorted(),
    ).toEqual(['US-1', 'US-2', 'US-3']);
    expectNothingLeft(repo);
    for (const name of Array.from({ length: 99 }, (_, n) => String(n)))
      writeFileSync(join(repo.outside, 'here', name), '');
    const again = await repo.run();
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(committedItems(repo, BRANCH)).toEqual(['US-1', 'US-2', 'US-3']);
    expectNothingLeft(repo);
  });

  test('leave no branch that an agent switched to, and take none from under an agent that is still at work', async () => {
    const repo = scene({
      agents: 2,
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], parallel: 2 },
      items: {
        'US-1': runs('git checkout -q -b wild-1 && {meet}', 'touch a'),
        'US-2': runs(
          'git checkout -q mine && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m own && {meet}',
          'n=0; while ! git cat-file -e ralph/shop:a && test $n -lt 500; do sleep 0.02; n=$((n+1)); done',
          'git diff HEAD --quiet && touch still',
        ),
      },
    });
    repo.git('branch', 'mine');
    const mine = repo.git('rev-parse', 'mine');
    const { code, stdout, stderr } = await repo.run();
    expect(code, stdout + stderr).toBe(0);
    expect(repo.git('ls-tree', '--name-only', BRANCH)).toContain('still');
    expect(repo.git('branch', '--format=%(refname:short)').split('\n').toSorted()).toEqual(['main', 'mine', BRANCH]);
    expect(repo.git('rev-parse', 'mine')).toBe(mine);
    expect(stdout).toContain('refs/heads/wild-1 was made while the agent worked; it was removed');
    expect(stdout).toContain('refs/heads/mine was moved while the agent worked; it was restored');
  });

  test('lose no file of the repository where the folder of a worker is deleted while its agent works', async () => {
    const repo = scene({
      agents: 2,
      plan: planOf('US-1', 'US-2'),
      files: { 'kept.txt': 'kept\n', '.gitignore': '.setup\n.ralph/\n' },
      config: { gates: ['true'], parallel: 2, setup: ['echo ready > .setup'] },
      items: {
        'US-1': [runs('{meet}', 'rm -rf "$PWD"'), runs('touch a', 'cp .setup seen')],
        'US-2': runs('{meet}', 'touch b'),
      },
    });
    const { code, stdout, stderr } = await repo.run();
    expect(code, stdout + stderr).toBe(0);
    for (const name of ['kept.txt', 'a', 'b', 'seen'])
      expect(repo.git('ls-tree', '--name-only', BRANCH)).toContain(name);
    expect(stdout).toContain('folder-gone: the folder of the work tree was deleted while the agent worked');
    expectNothingLeft(repo);
  });

  test('go on after a kill where somebody deleted the folders of the workers', async () => {
    const repo = scene({
      agents: 99,
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], parallel: 2 },
      items: { '*': { steps: [{ write: { path: '{{item}}.txt', text: 'x\n' } }, { run: '{meet}' }] } },
    });
    const running = repo.start(['run']);
    await until(() => repo.runs().length > 0 && recordsOf(repo, 'agent.started').length === 2);
    running.child.kill('SIGKILL');
    await running.ended;
    const [run = ''] = repo.runs();
    for (const worker of [1, 2]) rmSync(join(repo.root, `.ralph/worktrees/${run}.${worker}`), { recursive: true });
    for (const name of Array.from({ length: 99 }, (_, n) => String(n)))
      writeFileSync(join(repo.outside, 'here', name), '');
    const again = await repo.run();
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(committedItems(repo, BRANCH)).toEqual(['US-1', 'US-2']);
    expectNothingLeft(repo);
  });

  test('finish what they are at before a pause, go on after it, and are reviewed one by one', async () => {
    const repo = scene({
      agents: 99,
      plan: planOf('US-1', 'US-2', 'US-3', 'US-4'),
      config: { gates: ['true'], parallel: 2, review: 'all' },
      items: { '*': { steps: [{ run: '{meet}' }, { write: { path: '{{item}}.txt', text: 'x\n' } }] } },
    });
    const running = repo.start(['run']);
    await until(() => repo.runs().length > 0 && recordsOf(repo, 'agent.started').length === 2);
    await repo.ralph(['pause']);
    await until(() => recordsOf(repo, 'paused').length === 1);
    await repo.ralph(['steer', 'Mind the gap']);
    for (const name of Array.from({ length: 99 }, (_, n) => String(n)))
      writeFileSync(join(repo.outside, 'here', name), '');
    await until(() => recordsOf(repo, 'iteration.finished').length === 2);
    await repo.ralph(['resume']);
    const { code, stdout, stderr } = await running.ended;
    expect(code, stdout + stderr).toBe(0);
    const order = repo.journal().map(({ type }) => type);
    const startedIn = (from: number, to: number) => order.slice(from, to).filter(type => type === 'iteration.started');
    expect(startedIn(order.indexOf('paused'), order.indexOf('unpaused'))).toEqual([]);
    expect(startedIn(order.indexOf('unpaused'), order.length)).toHaveLength(2);
    expect(recordsOf(repo, 'review.finished').map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(briefOf(repo, 3)).toContain('Mind the gap');
    expect(committedItems(repo, BRANCH)).toEqual(['US-1', 'US-2', 'US-3', 'US-4']);
    expectNothingLeft(repo);
  });
});
