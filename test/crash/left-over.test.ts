/** What a runner that was killed left running is ended before anything else happens. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';
import { until } from './agents.ts';
import { inLanes } from './lanes.ts';
import { agentsOf, committedItems, isAlive } from './oracle.ts';

const TRIALS = process.env.RALPH_SOAK ? 50 : 3;
const log = '../outside/agents.log';

/** Each agent says when it starts and ends; the first one is long at work. */
const slow: RepoOptions = {
  files: { 'src/start.js': 'start();\n' },
  plan: { project: 'slow', userStories: [{ id: 'a', title: 'Write a', passes: false }] },
  config: { gates: [] },
  scenario: {
    items: {
      a: [
        {
          steps: [
            { run: `echo start $$ >> ${log}` },
            { run: 'test -f ../outside/once || { touch ../outside/once; sleep 600; }' },
            { write: { path: 'a.txt', text: 'a\n' } },
            { run: `echo end $$ >> ${log}` },
          ],
        },
      ],
    },
  },
};

async function killedAtWork(options: RepoOptions, sign: string): Promise<Repo> {
  const repo = makeRepo(options);
  const running = repo.start(['run']);
  await until(() => existsSync(join(repo.outside, sign)));
  running.child.kill('SIGKILL');
  await running.ended;
  return repo;
}

describe.runIf(process.platform === 'linux')('a restart right after kill -9', () => {
  test(`never lets two agents overlap, in ${TRIALS} trials`, async () => {
    let trials = TRIALS;
    await inLanes(async () => {
      if (trials-- <= 0) return false;
      const repo = await killedAtWork(slow, 'once');
      const left = agentsOf(repo);
      expect(left.length).toBeGreaterThan(0);
      const again = repo.start(['run']);
      // The agent that was left behind never gets to its end, so the second start is the next thing that is said.
      const second = () => readFileSync(join(repo.outside, 'agents.log'), 'utf8').trim().split('\n').length > 1;
      await until(second);
      expect(agentsOf(repo).filter(agent => left.includes(agent))).toEqual([]);
      const { code, stderr } = await again.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const said = readFileSync(join(repo.outside, 'agents.log'), 'utf8').trim().split('\n');
      expect(said.map(line => line.split(' ')[0])).toEqual(['start', 'start', 'end']);
      expect(agentsOf(repo)).toEqual([]);
      repo.remove();
      return true;
    });
  }, 600_000);

  test('finds the agent even when the journal is gone', async () => {
    const repo = await killedAtWork(slow, 'once');
    const [agent] = agentsOf(repo);
    expect(agent).toBeDefined();
    rmSync(repo.journalFile());
    const { code, stdout, stderr } = await repo.ralph(['run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('what the last runner left behind');
    const said = readFileSync(join(repo.outside, 'agents.log'), 'utf8').trim().split('\n');
    expect(said.map(line => line.split(' ')[0])).toEqual(['start', 'start', 'end']);
    expect(agentsOf(repo)).toEqual([]);
  });

  test('ends a gate that still runs', async () => {
    const gate =
      'test ! -f a.txt || test -f ../outside/gate || { echo $$ > ../outside/gate; sleep 600; touch late.txt; }';
    const repo = await killedAtWork({ ...slow, config: { gates: [gate] }, scenario: quick }, 'gate');
    const { code, stderr, stdout } = await repo.ralph(['run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('sleep 600');
    const pid = Number(readFileSync(join(repo.outside, 'gate'), 'utf8'));
    expect(isAlive(pid)).toBe(false);
  });
});

const quick = { items: { a: [{ steps: [{ write: { path: 'a.txt', text: 'a\n' } }] }] } };

describe('an agent that was cut off by a crash', () => {
  const sign = { run: 'test -f ../outside/once || { touch ../outside/once; sleep 600; }' };
  const write = { write: { path: 'src/start.js', text: 'changed();\n' } };
  const scenario = (...steps: readonly unknown[]) => ({ items: { a: [{ steps: [...steps, sign], claim: 'done' }] } });

  test.each([
    ['in the tree', {}],
    ['hidden from git', { files: { ...slow.files, '.gitignore': 'prd.json\n' } }],
  ])('and had marked the last item done is not believed: plan %s', async (_, files) => {
    const mark = { run: "sed -i.bak 's/false/true/' prd.json && rm prd.json.bak" };
    const options = {
      ...slow,
      ...files,
      scenario: { items: { a: [{ steps: [write, mark, sign], claim: 'none' }] } },
    };
    const repo = await killedAtWork(options, 'once');
    expect(repo.plan().userStories[0]?.passes).toBe(true);
    const { code, stderr } = await repo.ralph(['run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(committedItems(repo)).toEqual(['a']);
    expect(repo.journal().filter(record => record.type === 'iteration.started')).toHaveLength(2);
  });

  test('and had switched to another branch with changes in the way does not stop the run', async () => {
    const away = {
      run: 'git checkout -q --detach && git rm -q src/start.js && git -c user.name=a -c user.email=a@example.org commit -q -m away',
    };
    const repo = await killedAtWork({ ...slow, scenario: scenario(away, write) }, 'once');
    const { code, stderr } = await repo.ralph(['run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('ralph/slow');
    expect(committedItems(repo)).toEqual(['a']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('and words its own commit like the runner does is not adopted', async () => {
    const message = 'feat(a): Write a\n\nRalph-Run: $RALPH_RUN\nRalph-Item: a\nRalph-Iteration: 1\nRalph-Gates: none\n';
    const forge = {
      run: `git add -A && printf "${message.replaceAll('\n', '\\n')}" | git -c user.name=a -c user.email=a@example.org commit -q -F -`,
    };
    const repo = await killedAtWork({ ...slow, scenario: scenario(write, forge) }, 'once');
    expect(committedItems(repo)).toEqual(['a']);
    const forged = repo.git('rev-parse', 'HEAD');
    const { code, stderr } = await repo.ralph(['run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(repo.journal().filter(record => record.type === 'item.adopted')).toEqual([]);
    expect(repo.journal().filter(record => record.type === 'iteration.started')).toHaveLength(2);
    expect(repo.git('rev-parse', 'HEAD')).not.toBe(forged);
    expect(repo.git('for-each-ref', '--contains', forged, 'refs/ralph')).not.toBe('');
  });
});
