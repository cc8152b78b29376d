import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';

/** Knows what to do only where its brief tells it, and hands on what it found out. */
const AGENT = `#!/bin/sh
brief=$(cat)
if printf '%s' "$brief" | grep -q 'begins with the word HEADER' || [ "$RALPH_ATTEMPT" -gt 1 ]; then
  printf 'HEADER\\n%s\\n' "$RALPH_ITEM" > "$RALPH_ITEM.txt"
else
  echo "$RALPH_ITEM" > "$RALPH_ITEM.txt"
fi
echo '<lesson kind="gotcha">Every text file of a story begins with the word HEADER, or the header gate fails.</lesson>'
echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"
`;

const GATE = 'for file in S-*.txt; do [ ! -e "$file" ] || head -1 "$file" | grep -q HEADER || exit 1; done';
const plan = (name: string, from: number) => ({
  branchName: name,
  userStories: [0, 1].map(n => ({ id: `S-${from + n}`, title: `Write text file number ${from + n}`, passes: false })),
});

const twoPlans = (config: object = {}): Repo => {
  const repo = makeRepo({
    plan: plan('first', 1),
    config: { agent: { command: ['sh', '../outside/agent.sh'] }, gates: [GATE], ...config },
    branch: 'work',
  });
  repo.write('../outside/agent.sh', AGENT);
  return repo;
};

const iterations = (repo: Repo): number => repo.journal().filter(record => record.type === 'verdict').length;

async function runBoth(repo: Repo): Promise<readonly [number, number]> {
  expect((await repo.run()).code).toBe(0);
  const first = iterations(repo);
  repo.write('prd.json', JSON.stringify(plan('second', 3), undefined, 2));
  expect((await repo.run()).code).toBe(0);
  return [first, iterations(repo)];
}

describe('a second plan over the same repository', () => {
  test('needs fewer iterations, because the first one left a lesson', async () => {
    const repo = twoPlans();
    const [first, second] = await runBoth(repo);
    // The first story finds out by being refused; every one after it is told.
    expect([first, second]).toEqual([3, 2]);
    const shown = repo.journal().filter(record => record.type === 'lessons.shown');
    expect(shown).toHaveLength(2);
    expect(repo.git('status', '--porcelain')).toBe('');
    const { stdout } = await repo.ralph(['archive', 'list']);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect((await repo.ralph(['lessons'])).stdout).toContain('HEADER');
  });

  test('needs as many as the first, where nothing is remembered', async () => {
    const [first, second] = await runBoth(twoPlans({ archive: false }));
    expect([first, second]).toEqual([4, 4]);
  });
});
