/** The other two plan formats: a text that is repeated, and boxes to tick. */
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { agentsIn, briefOf, play, recordsOf, runs, verdictsIn, writes } from './scene.ts';

const adds = (claim: string) => ({ steps: [{ append: { path: 'log.txt', text: 'try {{try}}\n' } }], claim });

describe.concurrent('a prompt', () => {
  test('is repeated, green progress committed, until the promise and the gates hold', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': '# Write a log\n\nThree lines.\n' },
      config: { plan: 'PROMPT.md', gates: ['true'] },
      scenario: play({ prompt: [adds('none'), adds('none'), adds('promise')] }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['prompt progress', 'prompt progress', 'prompt accepted']);
    expect(repo.git('show', 'HEAD:log.txt')).toBe('try 1\ntry 2\ntry 3');
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('3');
    expect(briefOf(repo, 1)).toContain('Three lines.');
    expect(repo.read('PROMPT.md')).toBe('# Write a log\n\nThree lines.\n');
  });

  test('does not end on a promise that the gates contradict', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Write two lines.\n' },
      config: { plan: 'PROMPT.md', gates: ['! test -f log.txt || test "$(wc -l < log.txt)" -ge 2'] },
      scenario: play({ prompt: adds('promise') }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['prompt rejected', 'prompt accepted']);
  });

  test('with --until ends only when that command passes too', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Write two lines.\n' },
      config: { gates: ['true'], baseline: 'any' },
      scenario: play({ prompt: adds('promise') }),
    });
    const { code } = await repo.run(['PROMPT.md', '--until', 'grep -q "try 2" log.txt']);
    expect(code).toBe(0);
    expect(agentsIn(repo)).toBe(2);
  });

  test('with --until needs no --allow-red: that command is what is to become true', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Write a line.\n' },
      config: { gates: ['true'] },
      scenario: play({ prompt: adds('promise') }),
    });
    const { code, stderr } = await repo.run(['PROMPT.md', '--until', 'test -f log.txt']);
    expect(code, stderr).toBe(0);
  });

  test('with --until goes on for as long as it takes, commits each step, and says what the command says', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Write five lines.\n' },
      config: { gates: ['true'] },
      scenario: play({ prompt: [...Array.from({ length: 5 }, () => adds('none')), adds('promise')] }),
    });
    const until = 'test "$(wc -l < log.txt)" -ge 5 || { echo lines are missing; false; }';
    const { code, stdout } = await repo.run(['PROMPT.md', '--until', until]);
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual([...Array.from({ length: 5 }, () => 'prompt progress'), 'prompt accepted']);
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('6');
    expect(repo.git('log', '--format=%(trailers:key=Ralph-Gates,valueonly)', '-6').split(/\n+/)).toEqual([
      'true, until',
      'true, until',
      ...Array.from({ length: 4 }, () => 'true'),
    ]);
    expect(briefOf(repo, 5)).toMatch(
      /## What is still missing\n\nThe last session's work is committed\..*lines are missing/s,
    );
    expect(briefOf(repo, 5)).not.toContain('What the last attempt failed on');
    expect(briefOf(repo, 6)).not.toContain('What is still missing');
  });

  test('with --until ends when the same promise is false three times, or nothing changes', async () => {
    const untrue = makeRepo({
      files: { 'PROMPT.md': 'Write lines.\n' },
      config: { gates: ['true'] },
      scenario: play({ prompt: adds('promise') }),
    });
    expect((await untrue.run(['PROMPT.md', '--until', 'false'])).code).toBe(3);
    expect(verdictsIn(untrue)).toEqual(['prompt rejected', 'prompt rejected', 'prompt rejected']);
    const idle = makeRepo({
      files: { 'PROMPT.md': 'Write lines.\n' },
      config: { gates: ['true'] },
      scenario: play({ prompt: [adds('none'), { steps: [], claim: 'none' }] }),
    });
    expect((await idle.run(['PROMPT.md', '--until', 'false'])).code).toBe(3);
    expect(agentsIn(idle)).toBe(4);
  });

  test('with --until keeps that goal when it is continued, until it is given another one', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Write five lines.\n' },
      config: { gates: ['true'] },
      scenario: play({ prompt: [adds('none'), adds('promise')] }),
    });
    const until = (lines: number) => `test "$(wc -l < log.txt)" -ge ${lines}`;
    expect((await repo.run(['PROMPT.md', '--until', until(3), '--once'])).code).toBe(1);
    expect((await repo.ralph(['brief'])).stdout).toContain(until(3));
    expect(JSON.parse((await repo.ralph(['run', '--dry-run', '--json'])).stdout)).toMatchObject({
      gates: ['true', until(3)],
    });
    const resumed = await repo.run(['--once']);
    expect(resumed.stdout).toContain(`· until ${until(3)}\n`);
    expect((await repo.run(['--until', until(4)])).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['prompt progress', 'prompt rejected', 'prompt rejected', 'prompt accepted']);
  });

  test('with --until has to pass the detected gates as before', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Write a line.\n', Makefile: 'check:\n\ttest ! -e broken\n' },
      scenario: play({ prompt: runs('echo 1 >> log.txt', 'test "$RALPH_TRY" = 1 && touch broken || rm broken') }),
    });
    const { code, stdout } = await repo.run(['PROMPT.md', '--until', 'test -f log.txt']);
    expect(code, stdout).toBe(0);
    expect(
      recordsOf(repo, 'evidence').map(({ evidence }) => evidence.gates.map(gate => `${gate.name} ${gate.status}`)),
    ).toEqual([
      ['make check red', 'until not-run'],
      ['make check green', 'until green'],
    ]);
  });

  test('that is complete starts no agent when it is called again', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Write a line.\n' },
      config: { plan: 'PROMPT.md', gates: ['true'] },
      scenario: play({ prompt: adds('promise') }),
    });
    expect((await repo.run()).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    expect(agentsIn(repo)).toBe(1);
    expect(repo.runs()).toHaveLength(1);
  });

  test('without a change and without a promise ends as stuck, not never', async () => {
    const repo = makeRepo({
      files: { 'PROMPT.md': 'Do something.\n' },
      config: { plan: 'PROMPT.md', gates: ['true'] },
      scenario: play({ prompt: { steps: [], claim: 'none' } }),
    });
    expect((await repo.run()).code).toBe(3);
    expect(agentsIn(repo)).toBe(3);
  });

  test('can be words on the command line; the same words continue, other words are another run', async () => {
    const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ prompt: [adds('none'), adds('promise')] }) });
    const words = 'write two lines into log.txt';
    expect((await repo.run([words, '--once'])).code).toBe(1);
    expect(briefOf(repo, 1)).toContain(words);
    expect((await repo.run([words])).code).toBe(0);
    expect(repo.runs()).toHaveLength(1);
    expect(verdictsIn(repo)).toEqual(['prompt progress', 'prompt accepted']);
    expect((await repo.run([words])).code).toBe(0);
    expect(agentsIn(repo)).toBe(2);
    await repo.run(['something else entirely', '--once']);
    expect(repo.runs()).toHaveLength(2);
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe.concurrent('a checklist', () => {
  const boxes = '# Shop\n\n- [x] Open the door\n- [ ] Put on the kettle\n- [ ] Bake scones\n';

  test('is worked through box by box, with PROMPT.md beside it in every brief', async () => {
    const repo = makeRepo({
      files: { 'PROGRESS.md': boxes, 'PROMPT.md': 'Mind the temperature.\n' },
      config: { gates: ['true'] },
      scenario: play({ '*': writes('{{iteration}}.txt') }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(repo.read('PROGRESS.md')).toBe(boxes.replaceAll('[ ]', '[x]'));
    expect(agentsIn(repo)).toBe(2);
    expect(briefOf(repo, 1)).toContain('Mind the temperature.');
    expect(briefOf(repo, 2)).toContain('Mind the temperature.');
    expect(briefOf(repo, 1)).toContain('Put on the kettle');
    expect(recordsOf(repo, 'run.started')[0]?.plan.format).toBe('checklist');
  });

  test('in any language has commits that say which box they are of', async () => {
    const repo = makeRepo({
      files: { 'PROGRESS.md': '- [ ] 登录页面\n- [ ] Größe: prüfen\n' },
      config: { plan: 'PROGRESS.md', gates: ['true'] },
      scenario: play({ '*': writes('work.txt', '{{item}}\n') }),
    });
    expect((await repo.run()).code).toBe(0);
    expect(repo.git('log', '-2', '--format=%s').split('\n')).toEqual([
      'feat(größe-prüfen): Größe: prüfen',
      'feat(登录页面): 登录页面',
    ]);
  });

  test('a box that the agent ticks by itself is its claim', async () => {
    const repo = makeRepo({
      files: { 'PROGRESS.md': '- [ ] Put on the kettle\n' },
      config: { gates: ['true'] },
      scenario: play({
        '*': {
          steps: [
            { write: { path: 'a.txt', text: 'a' } },
            { replace: { path: 'PROGRESS.md', from: '[ ]', to: '[x]' } },
          ],
          claim: 'none',
        },
      }),
    });
    expect((await repo.run()).code).toBe(0);
    expect(agentsIn(repo)).toBe(1);
  });

  test('gets its fix item as a box of its own', async () => {
    const repo = makeRepo({
      files: { 'PROGRESS.md': '- [ ] Put on the kettle\n' },
      config: { gates: ['true'], final: ['test -f 2.txt'] },
      scenario: play({ '*': writes('{{iteration}}.txt') }),
    });
    expect((await repo.run()).code).toBe(0);
    expect(repo.read('PROGRESS.md').match(/- \[x\]/g)).toHaveLength(2);
  });
});
