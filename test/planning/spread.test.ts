/** `ralph plan --format groups|sprint|speckit`: written by the program, read by their own parsers, and run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { play, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { planText, story, writesPlan } from './plans.ts';

const stories = [
  story('US-001', { title: 'Store a voucher' }),
  story('US-002', {
    title: 'Redeem it',
    description: 'After US-001.\n\n- [ ] not a task\n# not a heading',
    dependsOn: ['US-001'],
    acceptanceCriteria: ['A voucher of US-001 can be redeemed', 'Only once'],
  }),
];
const draft = planText(stories);

const rows = [
  {
    format: 'groups',
    plan: 'docs/ralph',
    ids: ['1', '2'],
    file: 'docs/ralph/prompts/group-2.md',
    holds: [
      'verify:\n  - "test -f US-002.txt"',
      '# Group 2: Redeem it',
      'It builds on Group 1.',
      '- A voucher of Group 1 can be redeemed',
    ],
  },
  {
    format: 'sprint',
    plan: 'sprints/vouchers',
    ids: undefined,
    file: 'sprints/vouchers/SPRINT.yaml',
    holds: ['id: "US-002"', 'It is done when:', 'test -f US-002.txt'],
  },
  {
    format: 'speckit',
    plan: 'specs/001-vouchers/tasks.md',
    ids: ['T001', 'T002'],
    file: 'specs/001-vouchers/tasks.md',
    holds: [
      '- [ ] T002 [US2] Redeem it (depends on T001)',
      '  > - [ ] not a task',
      '  - [ ] A voucher of T001 can be redeemed',
      'Shown by: `test -f US-002.txt`',
    ],
  },
] as const;

test.each(rows)('$format', async ({ format, plan, ids, file, holds }) => {
  // Notes of a group are asked for; a test of its own is what the stories name.
  const builds = { ...works, steps: [{ run: 'touch US-001.txt US-002.txt {{item}}.txt; echo x >> done.txt' }] };
  const notes = { run: 'printf "\\n## Group {{item}}: done\\n\\nAll of it.\\n" >> docs/ralph/RALPH_NOTES.md' };
  const worker =
    format === 'groups'
      ? { ...builds, steps: [...builds.steps, notes] }
      : { ...builds, steps: [{ run: 'echo x >> done.txt' }] };
  const repo = makeRepo({
    config: { gates: ['true'] },
    scenario: play({ plan: writesPlan(draft, '.ralph-plan.json'), '*': worker }),
  });
  const made = await repo.ralph(['plan', 'Vouchers', '--format', format, '--any-size']);
  expect(made, made.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('ralph run') });
  for (const words of holds) expect(repo.read(file)).toContain(words);
  expect(existsSync(join(repo.root, '.ralph-plan.json'))).toBe(false);

  const report = JSON.parse((await repo.ralph(['check', plan, '--json'])).stdout) as {
    items: { id: string }[];
    problems: unknown[];
  };
  expect(report.problems).toEqual([]);
  if (ids) expect(report.items.map(({ id }) => id)).toEqual(ids);

  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Plan');
  const ran = await repo.run([plan]);
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  expect(verdictsIn(repo).every(line => line.endsWith('accepted'))).toBe(true);
  expect(verdictsIn(repo)).toHaveLength(report.items.length);
});

test('a plan that is there is not replaced, and an unknown format is said', async () => {
  const repo = makeRepo({
    files: { 'docs/ralph/prompts/group-1.md': '# Group 1: Mine\n', 'docs/ralph/shared-context.md': 'Mine\n' },
    scenario: play({ plan: writesPlan(draft, '.ralph-plan.json') }),
  });
  const made = await repo.ralph(['plan', 'Vouchers', '--format', 'groups']);
  expect(made).toMatchObject({ code: 2, stderr: expect.stringContaining('there is a plan already') });
  expect(repo.read('docs/ralph/prompts/group-1.md')).toBe('# Group 1: Mine\n');
  const odd = await repo.ralph(['plan', 'Vouchers', '--format', 'speckits']);
  expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('prd, checklist, groups, sprint or speckit') });
});
