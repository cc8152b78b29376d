import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { play, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { planText, story, writesPlan } from './plans.ts';

const GOAL = 'Customers can pay with vouchers';
const BROKEN = '{"userStories": [{"id": "US-001",}]}\n';

describe('ralph plan', () => {
  it('writes the plan, shows it as a table, commits nothing and builds nothing', async () => {
    const plan = planText(
      ['US-001', 'US-002', 'US-003', 'US-004', 'US-005'].map(id =>
        story(id, id === 'US-005' ? { dependsOn: ['US-001'] } : {}),
      ),
    );
    const repo = makeRepo({
      scenario: play({ plan: { ...writesPlan(plan), message: 'I assumed euros.' } }),
      config: { gates: ['true'] },
    });
    const head = repo.git('rev-parse', 'HEAD');
    const { code, stdout, stderr } = await repo.ralph(['plan', GOAL]);
    expect(stderr).not.toContain('error');
    expect(code).toBe(0);
    expect(repo.read('prd.json')).toBe(plan);
    expect(stdout).toMatch(/^prd\.json: 5 items/);
    expect(stdout).toMatch(/^US-005 +Title of US-005 +US-001 +2 +test -f US-005\.txt$/m);
    expect(stdout).toContain('I assumed euros.');
    expect(stdout).toContain('ralph run prd.json');
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.git('branch', '--list')).toBe('* main');
    expect(repo.git('status', '--porcelain')).toBe('?? prd.json');
    expect(repo.runs()).toEqual([]);
    expect(existsSync(join(repo.root, '.ralph/lock'))).toBe(false);
  });

  it('gives the agent the goal, the gates, the file and the format in its brief', async () => {
    const repo = makeRepo({ scenario: play({ plan: writesPlan(planText()) }), config: { gates: ['npm run prove'] } });
    await repo.ralph(['plan', GOAL]);
    const brief = repo.read('.ralph/plan/brief-1.md');
    for (const part of [
      GOAL,
      '`npm run prove`',
      '`prd.json`',
      'acceptanceCriteria',
      '5 to 12 items',
      'Write no code',
    ]) {
      expect(brief).toContain(part);
    }
    expect(brief).not.toContain('{{');
    expect(brief).not.toContain('Your last plan');
  });

  it('plans from notes that are not committed, together with a goal', async () => {
    const repo = makeRepo({ scenario: play({ plan: writesPlan(planText()) }) });
    repo.write('notes.md', 'Remember the seven dwarfs.\n');
    const { code } = await repo.ralph(['plan', 'Only the first half', '--from', 'notes.md']);
    expect(code).toBe(0);
    const brief = repo.read('.ralph/plan/brief-1.md');
    expect(brief).toContain('Remember the seven dwarfs.');
    expect(brief).toContain('<file path="notes.md">');
    expect(brief).toContain('Only the first half');
    expect(repo.read('notes.md')).toBe('Remember the seven dwarfs.\n');
  });

  it('writes a checklist when asked for one', async () => {
    const boxes = [1, 2, 3, 4, 5]
      .map(n => `- [ ] US-00${n}: Do ${n}\n  - [ ] ${n} is done\n  verify: \`test -f ${n}\``)
      .join('\n');
    const text = `# Vouchers\n\n${boxes}\n`;
    const repo = makeRepo({ scenario: play({ plan: writesPlan(text, 'PROGRESS.md') }) });
    const { code, stdout } = await repo.ralph(['plan', GOAL, '--format', 'checklist']);
    expect(code).toBe(0);
    expect(repo.read('PROGRESS.md')).toBe(text);
    expect(stdout).toMatch(/^US-003 +Do 3 +- +1 +test -f 3$/m);
    expect(repo.read('.ralph/plan/brief-1.md')).toContain('Markdown checklist');
  });

  it('asks once for a correction, with the very problems', async () => {
    const repo = makeRepo({ scenario: play({ plan: [writesPlan(BROKEN), writesPlan(planText())] }) });
    const { code, stderr } = await repo.ralph(['plan', GOAL]);
    expect(code).toBe(0);
    expect(repo.read('prd.json')).toBe(planText());
    expect(stderr).toContain('the plan has 1 problem');
    const brief = repo.read('.ralph/plan/brief-2.md');
    expect(brief).toContain('Your last plan was refused');
    expect(brief).toMatch(/line 1, column 33: a comma before "\}" is not allowed in JSON/);
  });

  it('gives up after the correction: exit 1, nothing changed, the draft kept', async () => {
    const repo = makeRepo({ scenario: play({ plan: [writesPlan(BROKEN), writesPlan('[]\n')] }) });
    const { code, stderr } = await repo.ralph(['plan', GOAL]);
    expect(code).toBe(1);
    expect(stderr).toContain('not sound after 2 rounds');
    expect(stderr).toContain('.ralph/plan-draft.json');
    expect(repo.read('.ralph/plan-draft.json')).toBe('[]\n');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(repo.root, '.ralph/plan/brief-3.md'))).toBe(false);
  });

  it.each([
    ['no file', { steps: [], claim: 'none' }, 'the file was not written'],
    ['no criteria', writesPlan(planText([story('US-001', { acceptanceCriteria: [] })])), 'no acceptance criteria'],
    ['an id twice', writesPlan(planText([story('US-001'), story('US-001')])), 'used more than once'],
    [
      'a circle',
      writesPlan(planText([story('A-1', { dependsOn: ['A-2'] }), story('A-2', { dependsOn: ['A-1'] })])),
      'wait for each other',
    ],
    ['an unknown dependency', writesPlan(planText([story('A-1', { dependsOn: ['A-9'] })])), 'no item of this plan'],
    [
      'a guard that is lifted',
      writesPlan(planText([story('A-1', { allow: ['test-removed'] })])),
      'only a person may lift a guard',
    ],
    ['a finished item', writesPlan(planText([story('A-1', { passes: true })])), 'pending, not done'],
  ])('refuses %s', async (_, entry, message) => {
    const repo = makeRepo({ scenario: play({ plan: entry }) });
    const { code, stderr } = await repo.ralph(['plan', GOAL]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('only warns about the number of items, and not with --any-size', async () => {
    const repo = makeRepo({ scenario: play({ plan: writesPlan(planText([story('US-001')])) }) });
    const first = await repo.ralph(['plan', GOAL]);
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('5 to 12 items, this one has 1');
    const other = makeRepo({ scenario: play({ plan: writesPlan(planText([story('US-001')])) }) });
    expect((await other.ralph(['plan', GOAL, '--any-size'])).stderr).not.toContain('5 to 12');
  });

  it('makes a plan that a run then builds, item by item', async () => {
    const repo = makeRepo({
      scenario: play({ plan: writesPlan(planText()), '*': works }),
      config: { gates: ['true'] },
    });
    expect((await repo.ralph(['plan', GOAL])).code).toBe(0);
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(repo.plan().userStories.every(({ passes }) => passes)).toBe(true);
  });

  it('prints the check report with --json', async () => {
    const repo = makeRepo({ scenario: play({ plan: writesPlan(planText()) }) });
    const { stdout } = await repo.ralph(['plan', GOAL, '--json']);
    const { path, ...report } = JSON.parse(stdout) as { path: string };
    expect(path).toBe(join(repo.root, 'prd.json'));
    expect(report).toMatchObject({ format: 'prd', next: 'US-001', done: 0, total: 5, problems: [] });
  });
});
