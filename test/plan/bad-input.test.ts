/** What is half-written, torn by a merge, or goes in circles: the place, what was understood, the next step; and no run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openPlan } from '../../src/plan/open.ts';
import { wholePlanProblem } from '../../src/plan/plan-problem.ts';
import { makeRepo } from '../support/repo.ts';

const base = mkdtempSync(join(tmpdir(), 'ralph-bad-input-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** `level line: message` of every problem. */
function problems(files: Readonly<Record<string, string>>, plan: string): readonly string[] {
  const root = mkdtempSync(join(base, 'x-'));
  mkdirSync(join(root, '.git'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const open = openPlan(join(root, plan));
  if (!open.ok) return [`refused: ${open.error.message}`];
  return open.value.plan.problems.map(({ level, line, message }) => `${level} ${line}: ${message}`);
}

const checklist = (text: string, more: Readonly<Record<string, string>> = {}) =>
  problems({ 'PROGRESS.md': text, ...more }, 'PROGRESS.md');

const CONFLICT = '<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> theirs\n';
const SPEC = 'specs/001-cart';

describe('merge-conflict markers', () => {
  const json = (text: string) => `{"x": 1,\n${CONFLICT}${text}`;
  const rows: readonly (readonly [name: string, files: Readonly<Record<string, string>>, plan: string])[] = [
    ['prd', { 'prd.json': json('}') }, 'prd.json'],
    ['checklist', { 'PROGRESS.md': `- [ ] one\n${CONFLICT}` }, 'PROGRESS.md'],
    ['instructions', { 'PROGRESS.md': '- [ ] one\n', 'PROMPT.md': CONFLICT }, 'PROGRESS.md'],
    ['prompt', { 'PROMPT.md': CONFLICT }, 'PROMPT.md'],
    ['spec-kit', { [`${SPEC}/tasks.md`]: `- [ ] T001 one\n${CONFLICT}`, [`${SPEC}/plan.md`]: 'x' }, SPEC],
    ['kiro', { '.kiro/specs/a/tasks.md': `- [ ] 1. One\n${CONFLICT}` }, '.kiro/specs/a/tasks.md'],
    [
      'openspec',
      { 'openspec/changes/a/tasks.md': `- [ ] 1.1 One\n${CONFLICT}`, 'openspec/changes/a/proposal.md': 'x' },
      'openspec/changes/a',
    ],
    ['task-master', { '.taskmaster/tasks/tasks.json': json('}') }, '.taskmaster/tasks/tasks.json'],
    [
      'backlog',
      {
        'backlog/config.yml': 'project_name: x\n',
        'backlog/tasks/task-1 - a.md': `---\nid: task-1\ntitle: A\nstatus: To Do\n---\n${CONFLICT}`,
      },
      'backlog/config.yml',
    ],
    ['beads', { '.beads/issues.jsonl': `{"id":"a-1","title":"A","status":"open"}\n${CONFLICT}` }, '.beads'],
    ['headings', { 'docs/plans/a.md': `### Task 1: One\n\n- [ ] a\n${CONFLICT}` }, 'docs/plans/a.md'],
    [
      'groups',
      { 'docs/ralph/shared-context.md': 'x', 'docs/ralph/prompts/group-1.md': `# Group 1: One\n${CONFLICT}` },
      'docs/ralph',
    ],
    ['sprint', { 'SPRINT.yaml': `name: x\n${CONFLICT}`, 'prd/a.md': 'x' }, 'SPRINT.yaml'],
  ];
  test.each(rows)('%s', (_name, files, plan) => {
    expect(problems(files, plan)).toContainEqual(
      expect.stringMatching(/^(?:error \d+|refused): .*merge-conflict markers/),
    );
  });
});

describe('half-written', () => {
  test.each([
    ['- [ ] one\n- [ T-2: two\n', 'error 2: a box is begun and not closed; write it as "- [ ]" or "- [x]"'],
    ['- [ ] one\n- [x T-2: two\n', 'error 2: a box is begun and not closed; write it as "- [ ]" or "- [x]"'],
    [
      '- [ ] one [BLOCKED: needs a key\n',
      'error 1: the marker "[BLOCKED: needs a key" is not closed on its line, so it says nothing; put a "]" after it',
    ],
    ['- [ ] T001 [P [US1] one\n', 'error 1: the tag "[P" is not closed; put a "]" after it'],
    ['- [ ] ~~one\n', 'error 1: it is struck out at its beginning only; put "~~" at its end too, or take it away'],
    [
      '- [ ] one\n- [ ]two\n',
      'error 2: a box without a space after it is not read as a task; write it as "- [ ] words"',
    ],
    [
      '---\ntask: x\n\n- [ ] one\n',
      'error 1: the settings at the top are not closed, so it is not clear where the plan begins; add a line of --- after them',
    ],
  ])('%j', (text, said) => {
    expect(checklist(text)).toContain(said);
  });

  test('what only looks like it is left alone', () => {
    const text = `---

- [ ] read [the guide] and [x, y) of it
- [link](https://example.org) is none
- [x] T-2: done [BLOCKED: long ago
- [ ] write \`[P\` into the page

\`\`\`text
- [ not a box
\`\`\`
`;
    expect(checklist(text)).toEqual([]);
  });

  test('lists, headings and settings of other tools', () => {
    const backlog = problems(
      {
        'backlog/config.yml': 'project_name: x\n',
        'backlog/tasks/task-1 - a.md': '---\nid: task-1\ntitle: A\nstatus: To Do\ndependencies: [task-2\n---\n',
        'backlog/tasks/task-2 - b.md': '---\nid: task-2\ntitle: B\n',
      },
      'backlog/config.yml',
    );
    expect(backlog).toContain(
      'error 1: tasks/task-1 - a.md, line 5: its list of dependencies is not closed; put a "]" after it',
    );
    expect(backlog).toContain(
      'error 1: tasks/task-2 - b.md: its settings are not closed; add a line of --- after them',
    );
    expect(
      problems({ 'docs/plans/a.md': '### Task 1: One\n\n- [ ] a\n\n### Task 2 Two\n' }, 'docs/plans/a.md'),
    ).toEqual(['warning 5: "Task 2 Two" is not read as a task: it has to be "### Task 1: title"']);
    expect(
      problems({ '.kiro/specs/a/tasks.md': '- [ ] 1. One\n- [ ] 2. Two\n  - _Depends: 1\n' }, '.kiro/specs/a/tasks.md'),
    ).toEqual(['error 3: what it depends on is not closed; put a "_" after it']);
  });
});

describe('documents that are not there', () => {
  const tasks =
    '**Prerequisites**: plan.md (required), research.md\n\n- [ ] T001 One, see [model](./data-model.md) and [site](https://example.org/a.md)\n';
  test('what is required refuses the plan; what is only named is said', () => {
    const missing = { [`${SPEC}/tasks.md`]: tasks, [`${SPEC}/spec.md`]: 'x' };
    expect(problems(missing, SPEC)).toEqual([
      'error 1: it requires plan.md, which does not exist; write it first, or remove its name',
      'warning 3: it names a document that is not there: ./data-model.md (line 3); no brief can quote what is not there',
    ]);
    expect(problems({ ...missing, [`${SPEC}/plan.md`]: 'x', [`${SPEC}/data-model.md`]: 'x' }, SPEC)).toEqual([]);
  });
});

describe('dependencies', () => {
  test('blocked_by and depends_on lines of a checklist', () => {
    const root = mkdtempSync(join(base, 'w-'));
    const file = join(root, 'PROGRESS.md');
    writeFileSync(
      file,
      '- [ ] T-1: one\n  - **Depends on:** T-3, the core types\n- [ ] T-2: two\n  blocked_by: `T-1` and T-9\n- [ ] T-3: three\n  depends_on: none\n',
    );
    const open = openPlan(file);
    expect(open.ok && open.value.plan.items.map(({ dependsOn }) => dependsOn)).toEqual([['T-3'], ['T-1', 'T-9'], []]);
    expect(open.ok && open.value.plan.problems.map(({ message }) => message)).toEqual([
      'T-2 depends on "T-9", which is no item of this plan; it does not wait for it',
    ]);
  });

  test('a circle that leaves nothing to begin with is no plan to run', () => {
    const circle = '- [ ] T-1: one\n  blocked_by: T-2\n- [ ] T-2: two\n  blocked_by: T-1\n';
    const said =
      'these items wait for each other and are never picked: T-1 -> T-2 -> T-1; take one of these dependencies out';
    expect(checklist(circle)).toEqual([`warning 1: ${said}`]);
    const refusal = (text: string) => {
      const file = join(mkdtempSync(join(base, 'c-')), 'PROGRESS.md');
      writeFileSync(file, text);
      const open = openPlan(file);
      return open.ok ? wholePlanProblem(open.value)?.message : open.error;
    };
    expect(refusal(circle)).toBe(said);
    expect(refusal(`${circle}- [ ] T-3: three\n`)).toBeUndefined();
  });
});

test('a circle that leaves nothing to begin with: check says so as run does, and run names the check of this plan', async () => {
  const files = {
    'PROGRESS.md': '- [ ] one\n',
    'b.md': '- [ ] T-1: one\n  blocked_by: T-2\n- [ ] T-2: two\n  blocked_by: T-1\n',
  };
  const repo = makeRepo({ files, scenario: { items: {} } });
  const ran = await repo.run(['b.md']);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('See: ralph check b.md\n') });
  const checked = await repo.ralph(['check', 'b.md']);
  expect(checked).toMatchObject({ code: 2, stderr: expect.stringMatching(/^b\.md:1:1: error: these items wait/) });
});

test('nothing is started', async () => {
  const repo = makeRepo({ files: { 'PROGRESS.md': '- [ ] one [BLOCKED: needs a key\n' }, scenario: { items: {} } });
  const ran = await repo.run();
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(
    /PROGRESS\.md:1:11: the marker .* put a "\]" after it\n {2}Nothing was written\. See: ralph check/,
  );
  expect(repo.runs()).toEqual([]);
});
