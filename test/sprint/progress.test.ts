import { describe, expect, it, test } from 'vitest';
import { comparePlans } from '../../src/plan/compare.ts';
import { pickNext } from '../../src/plan/next.ts';
import { sprint } from '../../src/plan/sprint.ts';
import type { Plan } from '../../src/protocol.ts';
import { texts } from '../plan/texts.ts';
import { AT, filesOf, PROGRESS, planOf } from './support.ts';

const nextOf = ({ items }: Plan) => pickNext({ items, status: item => item.status }).next?.id;
const statuses = (plan: Plan) => plan.items.map(({ id, status }) => `${id} ${status}`);

describe('reading', () => {
  it('makes an item of every leaf, in the order of the file', () => {
    const plan = planOf(PROGRESS);
    expect(plan).toMatchObject({ format: 'sprint', name: '2026-01-16_login', problems: [], repeats: false });
    expect(statuses(plan)).toEqual([
      'prepare done',
      'development/step-0/implement done',
      'development/step-0/qa pending',
      'development/step-1/implement pending',
      'development/step-2 pending',
      'summary pending',
    ]);
    expect(plan.items.map(item => item.line)).toEqual([6, 20, 28, 32, 33, 36]);
    expect(plan.items.map(item => item.title)).toEqual([
      'prepare: Look around',
      'implement: Log in',
      'qa: Log in',
      'implement: Log out',
      'Forget',
      'summary: Write a summary',
    ]);
    expect(plan.items.map(item => item.model)).toEqual([
      undefined,
      undefined,
      'haiku',
      undefined,
      undefined,
      undefined,
    ]);
    // What the pointer says can be worked on now waits for nothing; all else waits for what stands before it.
    expect(plan.items.map(item => item.dependsOn)).toEqual([
      [],
      ['prepare'],
      [],
      ...['development/step-0/qa', 'development/step-1/implement', 'development/step-2'].map(id => [id]),
    ]);
  });

  it('reads the sub-phases of a step under that name too, and says what a leaf without a prompt is called', () => {
    const plan = planOf(`phases:
  - id: dev
    steps:
      - id: s
        prompt: Pay
        sub-phases:
          - {id: build, status: completed}
          - {id: check, name: Look twice}
  - name: Write the docs
`);
    expect(statuses(plan)).toEqual(['dev/s/build done', 'dev/s/check pending', 'phase-1 pending']);
    expect(plan.items[1]?.body).toContain('Look twice');
    expect(plan.items[2]?.title).toBe('phase-1: Write the docs');
  });

  it('says where a leaf is, and gives it the words of its step unless it has them', () => {
    const [, implement, qa, , step] = planOf(PROGRESS).items;
    expect(implement?.body).toBe(
      'Phase development 2/3, step step-0 1/3, sub-phase implement 1/2\n\nImplement this:\n\n# Log in\n\nWith a password.',
    );
    expect(qa?.body).toBe(
      'Phase development 2/3, step step-0 1/3, sub-phase qa 2/2\n\nCheck it\n\nThe step it belongs to:\n\n# Log in\n\nWith a password.',
    );
    expect(step?.body).toBe('Phase development 2/3, step step-2 3/3\n\nForget');
  });

  test.each([
    ['  phase: 1\n  step: 0\n  sub-phase: 1', 'development/step-0/qa'],
    ['  phase: 2\n  step: null\n  sub-phase: null', 'summary'],
    ['  phase: 2\n  step: 0\n  sub-phase: 0', 'summary'],
    ['  phase: 1\n  step: 2\n  sub-phase: 0', 'development/step-2'],
    ['  phase: 1', 'development/step-0/qa'],
    ['  phase: 0\n  step: null', 'development/step-0/qa'],
    ['  phase: 9\n  step: null', 'development/step-0/qa'],
  ])('the pointer decides: %j', (pointer, id) => {
    const text = PROGRESS.replace('  phase: 1\n  step: 0\n  sub-phase: 1', pointer);
    expect(nextOf(planOf(text))).toBe(id);
  });

  it('follows the pointer past work that was begun elsewhere', () => {
    const text = PROGRESS.replace('- id: summary\n    status: pending', '- id: summary\n    status: in-progress');
    expect(nextOf(planOf(text))).toBe('development/step-0/qa');
    const open = text.replace('  phase: 1\n', '  phase: 7\n');
    expect(nextOf(planOf(open))).toBe('development/step-0/qa');
  });

  test.each([
    ['completed', 'done'],
    ['pending', 'pending'],
    ['not-started', 'pending'],
    ['paused', 'pending'],
    ['in-progress', 'in-progress'],
    ['in_progress', 'in-progress'],
    ['running', 'in-progress'],
    ['failed', 'blocked'],
    ['blocked', 'blocked'],
    ['skipped', 'skipped'],
  ])('%s is %s', (word, status) => {
    const plan = planOf(`phases: [{id: a, status: ${word}, error: why}]\n`);
    expect(plan.items[0]?.status).toBe(status);
    expect(plan.items[0]?.note).toBe(['blocked', 'skipped'].includes(status) ? 'why' : undefined);
    expect(plan.problems).toEqual([]);
  });

  it('reports what it does not understand, with its place', () => {
    expect(planOf('phases:\n  - id: a\n    status: pendig\n').problems).toEqual([
      {
        level: 'warning',
        line: 3,
        column: 13,
        message: 'a: the status "pendig" is not understood; it counts as pending (did you mean pending?)',
      },
    ]);
    expect(planOf('phases:\n  - {id: a, parallel: true}\n  - {id: b, parallel: true}\n').problems).toMatchObject([
      { level: 'warning', line: 2, message: expect.stringContaining('(2 places): the phases run one after the other') },
    ]);
    expect(planOf('status: completed\nphases: [{id: a, status: pending}]\n').problems).toMatchObject([
      { level: 'warning', line: 1, column: 9 },
    ]);
  });

  it('gives unique ids, whatever the file has', () => {
    const text = 'phases:\n  - id: a\n  - id: a\n  - prompt: x\n  - id: b c/d\n  - id: 7\n';
    expect(planOf(text).items.map(item => item.id)).toEqual(['a', 'a-2', 'phase-2', 'b-c-d', '7']);
  });

  it('takes the script of a gate and checks of its own as proof', () => {
    const text =
      'phases: [{id: a, changes: required, verify: [npm test], gate: {script: ./check.sh}}, {id: b, verify: make}]\n';
    expect(planOf(text).items.map(({ verify, changeOptional }) => ({ verify, changeOptional }))).toEqual([
      { verify: ['npm test', './check.sh'], changeOptional: false },
      { verify: ['make'], changeOptional: true },
    ]);
  });

  it('brings the goal and the shared context along', () => {
    const files = filesOf({
      '/repo/sprints/login/SPRINT.yaml': 'workflow: w\ngoal: |\n  A login.\n',
      '/repo/sprints/login/context/_shared-context.md': 'We use tabs.\n',
    });
    expect(planOf(PROGRESS, files).instructions).toBe('A login.\n\nWe use tabs.');
    expect(planOf(PROGRESS).instructions).toBe('');
  });

  it('names the steps that SPRINT.yaml got after it was compiled', () => {
    const path = '/repo/s/PROGRESS.yaml';
    const problemsWith = (sprintText: string) =>
      texts(sprint)
        .parse(
          'phases:\n  - id: dev\n    steps:\n      - {id: step-0, prompt: Pay}\n      - {id: own, prompt: Refund}\n',
          path,
          filesOf({ '/repo/s/SPRINT.yaml': sprintText }),
        )
        .problems.map(({ line, message }) => `${line} ${message}`);
    expect(problemsWith('workflow: w\nsteps: [Pay, Refund]\n')).toEqual([]);
    expect(problemsWith('workflow: w\nsteps: [Reworded, {id: own, prompt: Other}]\n')).toEqual([]);
    expect(problemsWith('workflow: w\nsteps: [Pay]\ncollections: {bug: [Crash]}\n')).toEqual([]);
    expect(problemsWith('workflow: w\nsteps: [Pay, Refund, Ship, {id: docs, prompt: Write}]\n')).toEqual([
      '2 SPRINT.yaml has steps that are not in this file and so are not worked on: step-2, docs; add them here, or start over with ralph compile --force',
    ]);
    expect(problemsWith('steps: [')).toEqual([]);
  });

  it('reads older sprints that are lists of tasks', () => {
    const text = `sprint-id: old
status: in-progress
current-task: two
queue:
  - {id: one, description: First, done-when: It works}
  - id: two
    description: Second
completed:
  - {id: zero, description: Before}
blocked: []
stats: {tasks-total: 3, tasks-completed: 1, tasks-blocked: 0}
`;
    const plan = planOf(text);
    expect(statuses(plan)).toEqual(['one pending', 'two pending', 'zero done']);
    expect(plan.items[0]).toMatchObject({
      title: 'First',
      body: 'First',
      criteria: ['It works'],
      changeOptional: false,
    });
    expect(nextOf(plan)).toBe('two');
    const marked = texts(sprint).mark(text, { id: 'two', to: 'done', at: 0 });
    expect(marked.ok && marked.value).toBe(
      text
        .replace('current-task: two', 'current-task: one')
        .replace('- id: two', "- id: two\n    status: completed\n    completed-at: '1970-01-01T00:00:00.000Z'")
        .replace('tasks-completed: 1', 'tasks-completed: 2'),
    );
  });
});

describe('what cannot be run', () => {
  test.each([
    ['', 1, 1, 'the file is empty'],
    ['# nothing\n', 1, 1, 'this is not a mapping of keys to values'],
    ['- a\n- b\n', 1, 1, 'this is not a mapping of keys to values'],
    ['sprint-id: x\nstatus: completed\n', 1, 1, 'the sprint holds no phases'],
    ['sprint-id: x\nphases: []\n', 2, 9, 'the sprint holds no phases'],
    ['phases: words\n', 1, 9, 'phases has to be a list'],
    ['phases:\n  - id: a\n    steps: words\n', 3, 12, 'steps has to be a list'],
    ['phases:\n  - words\n', 2, 5, 'phase 1 is not a mapping with an id and a status'],
    ['phases:\n  - id: a\n<<<<<<< ours\n', 3, 1, 'the file has merge-conflict markers; resolve the conflict first'],
  ])('%j', (text, line, column, message) => {
    const { items, problems } = planOf(text);
    expect(items).toEqual([]);
    expect(problems).toEqual([{ level: 'error', line, column, message }]);
    for (const result of [
      texts(sprint).mark(text, { id: 'a', to: 'done' }),
      texts(sprint).append(text, { id: 'b', title: 'b', body: '', criteria: [] }),
    ]) {
      expect(result).toMatchObject({ ok: false, error: { reason: 'plan-unreadable', line, column } });
    }
  });

  it('says where the YAML is broken', () => {
    expect(planOf('phases:\n  - id: a\n   status: b\n').problems).toMatchObject([{ level: 'error', line: 3 }]);
    expect(planOf('phases:\n  - id: a\n\tstatus: b\n').problems).toMatchObject([{ level: 'error', line: 3 }]);
  });
});

describe('finding', () => {
  const files = filesOf({ '/a/SPRINT.yaml': '', '/b/PROGRESS.yaml': '', '/c/notes.yaml': '' });
  test.each([
    ['/a', '/a/PROGRESS.yaml'],
    ['/a/SPRINT.yaml', '/a/PROGRESS.yaml'],
    ['/b', '/b/PROGRESS.yaml'],
    ['/b/PROGRESS.yaml', '/b/PROGRESS.yaml'],
    ['/b/old_SPRINT.yaml', '/b/old_PROGRESS.yaml'],
    ['/c', undefined],
    ['/c/notes.yaml', undefined],
  ])('%s', (path, found) => {
    expect(sprint.find(path, files)).toBe(found);
  });
});

describe('what an agent did to the pointer', () => {
  const given = PROGRESS.replace(/(- id: qa\n +status: )pending/, '$1in-progress');
  const compare = (text: string) =>
    comparePlans({ given: planOf(given), found: planOf(text), item: 'development/step-0/qa' });
  const marked = (text: string) => {
    const done = texts(sprint).mark(text, { id: 'development/step-0/qa', to: 'done', at: AT });
    if (!done.ok) throw new Error(done.error.message);
    return done.value;
  };
  const moved = (text: string, pointer: string) => text.replace(/phase: \d\n( *)step: \d\n *sub-phase: \d/, pointer);

  it('is part of its claim when it marks its own item and moves on to the next', () => {
    expect(planOf(marked(given)).items.find(({ priority }) => priority === 0)?.id).toBe('development/step-1/implement');
    expect(compare(marked(given))).toEqual({ markedOwn: true, added: [], edits: [] });
  });

  it('is named as what it is otherwise', () => {
    const edits = ['moved the pointer to summary'];
    expect(compare(moved(given, 'phase: 2\n$1step: null\n$1sub-phase: null'))).toEqual({
      markedOwn: false,
      added: [],
      edits,
    });
    expect(compare(moved(marked(given), 'phase: 2\n$1step: null\n$1sub-phase: null')).edits).toEqual(edits);
    expect(compare(moved(given, 'phase: 3\n$1step: null\n$1sub-phase: null')).edits).toEqual([
      'moved the pointer past the end',
    ]);
  });
});
