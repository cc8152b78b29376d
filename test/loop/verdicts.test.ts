/** What is kept and what is not, from the agent's first word to the commit. */
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { briefOf, doneIn, planOf, play, recordsOf, story, verdictsIn, works, writes } from './scene.ts';

describe.concurrent('a verdict', () => {
  test('accepts claimed green work: one commit with trailers, the plan marked, the tree clean', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: [{ name: 'there', run: 'ls *.txt' }], baseline: 'any' },
      scenario: play({ '*': works }),
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(0);
    expect(stdout).toContain('2 of 2 done');
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    expect(repo.git('status', '--porcelain')).toBe('');
    const [last, first] = repo.git('log', '--format=%s|%(trailers:separator=%x2c)', '-2').split('\n');
    expect(first).toMatch(
      /^feat\(US-1\): Story US-1\|Ralph-Run: \S+,Ralph-Item: US-1,Ralph-Iteration: 1,Ralph-Gates: there,Ralph-Agent: script$/,
    );
    expect(last).toContain('Ralph-Iteration: 2');
    expect(
      repo
        .git('show', '--stat', '--format=', 'HEAD')
        .split('\n')
        .map(line => line.split('|')[0]?.trim()),
    ).toEqual(['US-2.txt', 'prd.json', '2 files changed, 2 insertions(+), 1 deletion(-)']);
  });

  test('refuses a false claim, keeps the attempt under a ref, tells the next brief why, and goes on from there', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['! grep -s BROKEN code.txt'] },
      scenario: play({
        'US-1': [
          writes('code.txt', 'BROKEN one\n'),
          { steps: [{ replace: { path: 'code.txt', from: 'BROKEN', to: 'fine' } }] },
        ],
      }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(briefOf(repo, 2)).toContain('BROKEN one');
    expect(repo.git('show', `refs/ralph/${repo.runs()[0]}/US-1/1:code.txt`)).toBe('BROKEN one');
    expect(repo.read('code.txt')).toBe('fine one\n');
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('1');
  });

  test('keeps green work without a claim in the tree, and asks for the claim', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': [writes('a.txt', 'work\n', { claim: 'none' }), { steps: [{ say: 'It is all there' }] }],
      }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(briefOf(repo, 2)).toMatch(/claim/i);
    expect(repo.git('show', 'HEAD:a.txt')).toBe('work');
  });

  test('refuses a claim without a change, unless the story says that none is needed', async () => {
    const repo = makeRepo({
      plan: planOf(story('US-1', { changeOptional: true }), 'US-2'),
      config: { gates: ['true'], limits: { attempts: 1 } },
      scenario: play({ '*': { steps: [] } }),
    });
    const { code } = await repo.run();
    expect(code).toBe(3);
    expect(doneIn(repo)).toEqual(['US-1']);
    expect(recordsOf(repo, 'verdict')[1]?.verdict).toMatchObject({ type: 'rejected', reason: 'no-change' });
  });

  test('leaves nothing of a blocked attempt in the work tree; it is under a ref', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': writes('half.txt', 'half\n', { claim: { blocked: 'no key' } }) }),
    });
    expect((await repo.run()).code).toBe(3);
    expect(repo.git('status', '--porcelain')).toBe('');
    // Not only once the run is over: what comes next, here its end, begins with the tree that was accepted last.
    expect(recordsOf(repo, 'iteration.finished')[0]?.tree).toBe(repo.git('rev-parse', 'HEAD^{tree}'));
    expect(repo.git('show', `refs/ralph/${repo.runs()[0]}/US-1/1-i1:half.txt`)).toBe('half');
  });

  test('believes a blocked claim, goes on with the rest, and needs a person at the end', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', story('US-3', { dependsOn: ['US-1'] })),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': writes('half.txt', 'half\n', { claim: { blocked: 'no access to the bank' } }),
        '*': works,
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 blocked', 'US-2 accepted']);
    expect(stdout).toContain('no access to the bank');
    expect(stdout).toContain('ralph unblock US-1');
    // What a blocked item left does not end up in the next one's commit.
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('half.txt');
  });

  test('needs no claim where the checks of the story were red and are green', async () => {
    const repo = makeRepo({
      plan: planOf(story('US-1', { verify: 'test -f a.txt' })),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': writes('a.txt', 'a\n', { claim: 'none' }) }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(recordsOf(repo, 'iteration.started')[0]?.verifyWasRed).toBe(true);
  });

  test('refuses a claim that the checks of the story contradict', async () => {
    const repo = makeRepo({
      plan: planOf(story('US-1', { verify: 'test -f a.txt' })),
      config: { gates: ['true'], limits: { attempts: 1 } },
      scenario: play({ 'US-1': writes('b.txt') }),
    });
    const { code } = await repo.run();
    expect(code).toBe(3);
    expect(recordsOf(repo, 'verdict')[0]?.verdict).toMatchObject({ reason: 'verify-red' });
  });

  test('runs the gates on what is committed: what they write themselves is not', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['echo built > built.txt; echo more >> README.md'] },
      scenario: play({ '*': works }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('built.txt');
    expect(repo.git('show', 'HEAD:README.md')).toBe('# A repository');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe.concurrent('a guard', () => {
  const guarded = [
    { rule: 'allowed-paths', config: { guards: { allow: ['src/**'] } }, bad: { 'outside.txt': 'x\n' } },
    { rule: 'forbidden-paths', config: { guards: { forbid: ['data/**'] } }, bad: { 'data/a.csv': 'x\n' } },
    { rule: 'write-once', config: { guards: { 'write-once': ['docs/**'] } }, bad: { 'docs/old.md': 'rewritten\n' } },
    { rule: 'size', config: { limits: { files: 1 } }, bad: { 'a.txt': 'a\n', 'b.txt': 'b\n' } },
    { rule: 'size', config: { limits: { lines: 3 } }, bad: { 'long.txt': '1\n2\n3\n4\n' } },
  ];
  test.for(guarded)(
    '$rule refuses the attempt, starts the next one afresh and names the path',
    async ({ rule, config, bad }) => {
      const repo = makeRepo({
        files: { 'docs/old.md': 'old\n' },
        plan: planOf('US-1'),
        config: { gates: ['true'], ...config },
        scenario: play({
          'US-1': [
            { steps: Object.entries(bad).map(([path, text]) => ({ write: { path, text } })) },
            writes('src/good.txt', 'good\n'),
          ],
        }),
      });
      const { code, stdout } = await repo.run();
      expect(stdout).toContain(`${rule}: `);
      expect(code).toBe(0);
      expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
      expect(repo.git('diff', '--name-only', 'main', 'HEAD')).toBe('prd.json\nsrc/good.txt');
      expect(briefOf(repo, 2)).toContain(rule);
      expect(repo.git('diff', '--name-only', 'main', `refs/ralph/${repo.runs()[0]}/US-1/1`).split('\n')).toEqual(
        Object.keys(bad),
      );
    },
  );

  test('a link out of the work tree is refused', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': [{ steps: [{ run: 'ln -s /etc/hosts hosts' }] }, works] }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('hosts');
  });
});
