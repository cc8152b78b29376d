/** Groups from the first prompt to the report, with the scripted agent. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { briefOf, recordsOf, verdictsIn } from '../loop/scene.ts';
import { doesGroup, makeGroups, stateOf, statusesIn } from './scene.ts';

describe.concurrent('a run of groups', () => {
  test('takes them by number, keeps the state in the documented shape, and writes the report', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'] },
      scenario: { items: { 1: doesGroup(1), 2: doesGroup(2) } },
    });
    const { code, stderr } = await repo.run();
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['1 accepted', '2 accepted']);
    const state = JSON.parse(repo.read('.ralph-tasks.json')) as Record<string, unknown>;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(state).toEqual({
      groups: [
        { id: 1, title: 'One', status: 'complete', attempts: 1, started_at: time, completed_at: time },
        { id: 2, title: 'Two', status: 'complete', attempts: 1, started_at: time, completed_at: time },
      ],
      created_at: time,
    });
    expect(repo.read('.ralph-tasks.json')).toBe(`${JSON.stringify(state, undefined, 2)}\n`);
    const report = repo.git('show', 'HEAD:docs/ralph/RALPH_REPORT.md');
    expect(report).toContain('Groups: 2 total | 2 complete | 0 pending | 0 blocked');
    expect(report).toContain('- ✅ **Group 2**: Two (attempts: 1)');
    expect(report).toContain('All groups complete.');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('is refused in a worktree that would not have a prompt, before anything is made', async () => {
    const repo = makeGroups({
      groups: ['One'],
      config: { gates: ['true'] },
      scenario: { items: { 1: doesGroup(1), 2: doesGroup(2) } },
    });
    repo.write('docs/ralph/prompts/group-2.md', '# Group 2: Two\n\nDo it.\n');
    const refused = await repo.run(['--worktree']);
    expect(refused.code, refused.stdout).toBe(4);
    expect(refused.stderr).toContain(
      'a worktree would have docs/ralph/prompts/group-2.md in another version, or not at all: what is here is not committed',
    );
    expect((await repo.ralph(['doctor', '--worktree'])).code).toBe(4);
    expect(repo.runs()).toEqual([]);
    repo.git('add', 'docs');
    repo.git('commit', '-qm', 'Plan');
    const { code, stdout, stderr } = await repo.run(['--worktree']);
    expect(code, stdout + stderr).toBe(0);
    expect(verdictsIn(repo)).toEqual(['1 accepted', '2 accepted']);
  });

  test('goes on by the name of its state file, which only the worktree of the run has', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'] },
      scenario: { items: { 1: doesGroup(1), 2: doesGroup(2) } },
    });
    expect((await repo.run(['--worktree', '--once'])).code).toBe(1);
    expect(existsSync(join(repo.root, '.ralph-tasks.json'))).toBe(false);
    expect((await repo.run(['.ralph-tasks.json'])).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['1 accepted', '2 accepted']);
    expect((await repo.run(['elsewhere/.ralph-tasks.json'])).stderr).toContain('there is no such file');
  });

  test('in a worktree is done in the checkout once it is merged, where git does not keep the state', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'] },
      scenario: { items: { 1: doesGroup(1), 2: doesGroup(2) } },
    });
    expect((await repo.run(['--worktree'])).code).toBe(0);
    expect((await repo.ralph(['merge'])).code).toBe(0);
    expect(stateOf(repo).map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect((await repo.run()).code).toBe(0);
    expect(repo.runs()).toHaveLength(1);
  });

  test('goes on with a group whose question is answered, by the file and by a person', async () => {
    const asks = (text: string) => ({ steps: [], claim: { question: text } });
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'] },
      scenario: { items: { 1: [asks('Which database engine?'), doesGroup(1)], 2: [asks('Red?'), doesGroup(2)] } },
    });
    repo.write('.ralph/answers.md', '# Database engine\n\nPostgreSQL\n');
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(verdictsIn(repo)).toEqual(['1 blocked', '1 accepted', '2 blocked']);
    expect(statusesIn(repo)).toEqual(['complete 1', 'blocked 1']);
    const answered = await repo.ralph(['answer', '2', 'Blue']);
    expect(answered.code, answered.stderr).toBe(0);
    const again = await repo.run();
    expect(again.code, again.stdout).toBe(0);
    expect(statusesIn(repo)).toEqual(['complete 1', 'complete 1']);
  });

  test('is not talked out of its guards by an agent that lifts them in a prompt, its own or the next', async () => {
    const lift = (id: number) => ({
      write: {
        path: `docs/ralph/prompts/group-${id}.md`,
        text: `---\nallow: test-removed, size\n---\n# Group ${id}: Part ${id}\n\nDo it.\n`,
      },
    });
    const removes = { delete: 'test/cart.test.js' };
    const group = (id: number, ...steps: readonly unknown[]) => {
      const does = doesGroup(id);
      return { ...does, steps: [...(does['steps'] as unknown[]), ...steps] };
    };
    const repo = makeGroups({
      groups: ['Part 1', 'Part 2'],
      files: {
        'src/cart.js': 'exports.total = items => items.length;\n',
        'test/cart.test.js':
          "const { total } = require('../src/cart.js');\ntest('totals', () => {\n  assert.equal(total([]), 0);\n});\n",
      },
      config: { gates: ['true'], limits: { attempts: 1 } },
      scenario: { items: { 1: group(1, lift(1), lift(2), lift(3)), 2: group(2, lift(2), removes) } },
    });
    await repo.run();
    expect(verdictsIn(repo)).toEqual(['1 accepted', '2 rejected']);
    expect(repo.read('docs/ralph/prompts/group-2.md')).not.toContain('allow');
    expect(recordsOf(repo, 'verdict')[1]?.verdict).toMatchObject({ type: 'rejected', reason: 'guard' });
    const told = recordsOf(repo, 'plan.restored').flatMap(({ edits }) => edits);
    expect(told).toEqual([
      'the prompt of 1 was edited',
      'the prompt of 2 was edited',
      'added 3 with guards lifted',
      'the prompt of 2 was edited',
    ]);
    expect(existsSync(join(repo.root, 'docs/ralph/prompts/group-3.md'))).toBe(false);
  });

  test('goes on with an open run of the configured folder without a word about another plan', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { plan: 'docs/ralph', gates: ['true'] },
      scenario: { items: { 1: doesGroup(1), 2: doesGroup(2) } },
    });
    expect((await repo.run(['--once'])).code).toBe(1);
    const { code, stdout, stderr } = await repo.run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('configured plan');
  });

  test('puts ten after nine', async () => {
    const groups = Array.from({ length: 10 }, (_, index) => `Part ${index + 1}`);
    const repo = makeGroups({
      groups,
      config: { gates: ['true'] },
      scenario: { items: Object.fromEntries(groups.map((_, index) => [index + 1, doesGroup(index + 1)])) },
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo).map(verdict => verdict.split(' ')[0])).toEqual(groups.map((_, index) => String(index + 1)));
  });

  test('gives each group the shared context as it is now, a rule, and its own prompt without a second heading', async () => {
    const change = { replace: { path: 'docs/ralph/shared-context.md', from: 'Everything', to: 'Nearly everything' } };
    const one = doesGroup(1);
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'] },
      scenario: { items: { 1: { ...one, steps: [...(one['steps'] as unknown[]), change] }, 2: doesGroup(2) } },
    });
    await repo.run();
    expect(briefOf(repo, 1)).toContain('Everything is about the shop.\n\n---\n\n# Group 1: One\n\nDo the One part.\n');
    const second = briefOf(repo, 2);
    expect(second).toContain('Nearly everything is about the shop.\n\n---\n\n# Group 2: Two\n');
    expect(second).not.toContain('## Your item');
    expect(second).not.toContain('## Instructions that come with the plan');
    expect(second).toContain('RALPH_TASK_COMPLETE: Group 2');
  });

  test('takes only the signal of its own group', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'], limits: { attempts: 1 }, claims: 'required' },
      scenario: {
        items: {
          1: doesGroup(1),
          2: doesGroup(2, { message: 'Well done.\n\nRALPH_TASK_COMPLETE: Group 1\nRALPH_TASK_COMPLETE: Group 22' }),
        },
      },
    });
    const { code } = await repo.run();
    expect(code).toBe(3);
    expect(
      recordsOf(repo, 'verdict').map(({ verdict }) => ('reason' in verdict ? verdict.reason : verdict.type)),
    ).toEqual(['accepted', 'no-claim']);
    expect(statusesIn(repo)).toEqual(['complete 1', 'blocked 1']);
  });

  test('asks once for missing notes, then takes the work with a warning', async () => {
    const repo = makeGroups({
      groups: ['One'],
      config: { gates: ['true'] },
      files: { 'docs/ralph/RALPH_NOTES.md': '# RALPH Notes\n\n## Group 10: another one\n' },
      scenario: {
        items: { 1: doesGroup(1, { steps: [{ write: { path: 'part.txt', text: 'attempt {{attempt}}\n' } }] }) },
      },
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['1 rejected', '1 accepted']);
    expect(briefOf(repo, 2)).toContain('docs/ralph/RALPH_NOTES.md has no section "## Group 1"');
    const findings = recordsOf(repo, 'evidence').map(({ evidence }) =>
      evidence.findings.map(({ rule, level }) => `${rule} ${level}`),
    );
    expect(findings).toEqual([['notes block'], ['notes warn']]);
    expect(stateOf(repo)[0]).toMatchObject({ status: 'complete', attempts: 2 });
    // Seen twice, but not mended by anything: nothing is learned. The second attempt changes nothing, the third is the last.
    const again = await repo.ralph(['run', '--reset', '1']);
    expect(again.code, again.stdout).toBe(0);
    expect(verdictsIn(repo).slice(-3)).toEqual(['1 rejected', '1 rejected', '1 accepted']);
    expect(again.stdout).not.toContain('new lesson');
  });

  test('believes a group that says it is blocked, and goes on with the next', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'] },
      scenario: {
        items: { 1: doesGroup(1, { message: 'RALPH_TASK_BLOCKED: Group 1 - the bank is closed' }), 2: doesGroup(2) },
      },
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(3);
    expect(stdout).toContain('the bank is closed');
    expect(statusesIn(repo)).toEqual(['blocked 1', 'complete 1']);
    const report = repo.git('show', 'HEAD:docs/ralph/RALPH_REPORT.md');
    expect(report).toContain('- 🚫 **Group 1**: One (attempts: 1)');
    expect(report).toContain('ralph run --reset 1');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test.each([
    ['a gate, the state ignored', { config: { gates: ['! cat part-1.txt'] } }],
    ['a gate, the state in git', { config: { gates: ['! cat part-1.txt'] }, tracked: true }],
    ['a guard, the state in git', { config: { gates: ['true'], guards: { forbid: ['part-1.txt'] } }, tracked: true }],
  ] as const)('blocks after three failures by %s', async (_, { config, ...more }) => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      ...more,
      config: { ...config, limits: { stuck: 9 } },
      scenario: { items: { 1: doesGroup(1), 2: doesGroup(2) } },
    });
    const { code } = await repo.run();
    expect(code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['1 rejected', '1 rejected', '1 rejected', '2 accepted']);
    expect(statusesIn(repo)).toEqual(['blocked 3', 'complete 1']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('leaves no commit where it found nothing to do', async () => {
    const repo = makeGroups({
      groups: ['One', 'Two'],
      config: { gates: ['true'] },
      scenario: { items: { 1: { steps: [], claim: { blocked: 'no key' } }, 2: doesGroup(2) } },
    });
    expect((await repo.run()).code).toBe(3);
    const report = repo
      .read('docs/ralph/RALPH_REPORT.md')
      .replace(/^Generated: .*$/m, 'Generated: 2026-03-20T17:33:56Z');
    expect(report).toContain('🚫 **Group 1**');
    repo.write('docs/ralph/RALPH_REPORT.md', report);
    repo.git('commit', '-qam', 'As of yesterday');
    const before = repo.git('rev-parse', 'HEAD');
    expect((await repo.run()).code).toBe(3);
    expect([repo.git('rev-parse', 'HEAD'), repo.read('docs/ralph/RALPH_REPORT.md')]).toEqual([before, report]);
  });

  test('validates before every group but the first', async () => {
    const config = { gates: ['test -e part-1.txt'] };
    const scenario = { items: { 1: doesGroup(1), 2: doesGroup(2) } };
    const fresh = makeGroups({ groups: ['One', 'Two'], config, scenario });
    const second = makeGroups({ groups: ['One', 'Two'], config, scenario });
    const [all, only] = [await fresh.ralph(['run']), await second.ralph(['run', '2'])];
    expect(all.code).toBe(0);
    expect(only.code).toBe(4);
    expect(only.stderr).toContain('red before the first item');
    expect(existsSync(join(second.root, '.ralph-tasks.json'))).toBe(false);
  });
});
