import { describe, expect, it, test } from 'vitest';
import { messages, parsePrd } from './support.ts';

const story = (id: string, more: object = {}) => ({ id, title: `Story ${id}`, ...more });
const ids = (plan: unknown) => parsePrd(plan).items.map(item => item.id);
const statuses = (plan: unknown) => parsePrd(plan).items.map(item => item.status);

describe('where the stories are', () => {
  test.each([
    ['userStories', { userStories: [story('A'), story('B')] }],
    ['stories', { stories: [story('A'), story('B')] }],
    ['features', { features: [story('A'), story('B')] }],
    ['tasks', { tasks: [story('A'), story('B')] }],
    ['items', { items: [story('A'), story('B')] }],
    ['a bare array', [story('A'), story('B')]],
    [
      'stories inside features',
      { features: [{ name: 'f', userStories: [story('A')] }, { userStories: [story('B')] }] },
    ],
    ['tasks inside phases', { phases: [{ name: 'p', tasks: [story('A'), story('B')] }] }],
    ['a prd wrapper', { prd: { userStories: [story('A'), story('B')] } }],
    ['user_stories', { user_stories: [story('A'), story('B')] }],
    ['stories inside epics', { epics: [{ title: 'e', stories: [story('A')] }, { stories: [story('B')] }] }],
    ['tasks inside sprints', { sprints: [{ tasks: [story('A'), story('B')] }] }],
    ['a plan wrapper', { plan: { tasks: [story('A'), story('B')] } }],
    ['the first tag of a tasks.json with tags', { master: { tasks: [story('A'), story('B')], metadata: {} } }],
    ['milestones beside the stories', { milestones: [{ status: 'done' }], userStories: [story('A'), story('B')] }],
    ['a list of plain words beside them', { features: ['fast', 'small'], tasks: [story('A'), story('B')] }],
    ['a list given twice', '{"stories": [{"id": "X"}], "stories": [{"id": "A"}, {"id": "B"}]}'],
  ])('%s', (_, plan) => {
    expect(ids(plan)).toEqual(['A', 'B']);
    expect(messages(parsePrd(plan), 'error')).toEqual([]);
  });

  it('takes a user story with tasks as one item and the tasks as its criteria', () => {
    const plan = parsePrd({
      userStories: [{ title: 'Phase 1', completed: true, tasks: [{ id: 'T1', title: 'one', passes: false }] }],
    });
    expect(plan.items).toMatchObject([{ id: 'item-1', title: 'Phase 1', status: 'done', criteria: ['one'] }]);
  });
});

describe('what says done', () => {
  test.each([
    [{ passes: true }, 'done'],
    [{ passes: false }, 'pending'],
    [{ passes: 'true' }, 'pending'],
    [{ passes: 1 }, 'pending'],
    [{ passes: null }, 'pending'],
    [{ passes: 'cancelled' }, 'skipped'],
    [{}, 'pending'],
    [{ status: 'done' }, 'done'],
    [{ status: 'closed' }, 'done'],
    [{ state: 'completed' }, 'done'],
    [{ state: 'todo' }, 'pending'],
    [{ state: 'done', status: 'pending' }, 'pending'],
    [{ isDone: true }, 'done'],
    [{ is_complete: true }, 'done'],
    [{ finished: false }, 'pending'],
    [{ status: 'Completed' }, 'done'],
    [{ status: 'complete' }, 'done'],
    [{ status: 'passed' }, 'done'],
    [{ status: 'not_started' }, 'pending'],
    [{ status: 'not-started' }, 'pending'],
    [{ status: 'failed' }, 'pending'],
    [{ status: 'IN-PROGRESS' }, 'in-progress'],
    [{ status: 'in_progress', passes: false }, 'in-progress'],
    [{ status: 'blocked' }, 'blocked'],
    [{ status: 'cancelled' }, 'skipped'],
    [{ status: 'deferred', passes: false }, 'skipped'],
    [{ completed: true }, 'done'],
    [{ complete: false, started: true }, 'pending'],
    [{ passed: true }, 'done'],
    [{ completed: '2026-01-01' }, 'pending'],
    [{ skipped: true, passes: false }, 'skipped'],
    [{ inProgress: true, passes: false }, 'in-progress'],
  ])('%j is %s', (state, status) => {
    expect(statuses([story('A', state)])).toEqual([status]);
  });

  it('lets passes decide and reports the place where the status says otherwise', () => {
    const plan = parsePrd(
      '[\n  {"id": "A", "passes": true,\n   "status": "todo"},\n  {"id": "B", "status": "done", "passes": false}\n]',
    );
    expect(plan.items.map(item => item.status)).toEqual(['done', 'pending']);
    expect(plan.problems).toMatchObject([
      { level: 'warning', line: 3, column: 14, message: 'A: "passes" is true but "status" is "todo"; passes decides' },
      { level: 'warning', line: 4, column: 25 },
    ]);
  });

  it.each([
    ['status', true],
    ['state', { passes: true }],
    ['progress', 100],
    ['progress', { status: 'done' }],
    ['tested', true],
  ])('says that a state in "%s" is not read: %j', (field, value) => {
    expect(messages(parsePrd([story('A', { [field]: value })]))).toEqual([
      `A: "${field}" is not read as a state, so the item counts as pending; use "passes"`,
    ]);
    expect(messages(parsePrd([story('A', { [field]: value, passes: false })]))).toEqual([]);
    expect(messages(parsePrd([story('A', { state: 'Ohio', tested: false, progress: 0 })]))).toEqual([]);
  });

  it('reports a passes that is not a boolean and a status that it does not know', () => {
    const plan = parsePrd([story('A', { passes: 'yes' }), story('B', { status: 'shipped' })]);
    expect(statuses([story('B', { status: 'shipped' })])).toEqual(['pending']);
    expect(messages(plan)).toEqual([
      'A: "passes" is "yes", not true or false; it counts as pending',
      'B: the status "shipped" is not known; it counts as pending',
    ]);
  });
});

describe('ids', () => {
  it.each(['storyId', 'story_id', 'taskId', 'task_id', 'key'])('are taken from "%s" where there is no id', name => {
    const named = (id: string, more: object = {}) => ({ [name]: id, title: id, ...more });
    const plan = parsePrd([named('US-1'), named('US-2', { dependsOn: ['US-1'] }), { id: 'X', [name]: 'Y' }]);
    expect(plan.items.map(item => item.id)).toEqual(['US-1', 'US-2', 'X']);
    expect(messages(plan)).toEqual([]);
    expect(ids([named('some words')])).toEqual(['item-1']);
  });

  it('names stories without one by position and says so once', () => {
    const plan = parsePrd([{ description: 'one' }, { description: 'two' }]);
    expect(plan.items.map(({ id, title }) => [id, title])).toEqual([
      ['item-1', 'one'],
      ['item-2', 'two'],
    ]);
    expect(messages(plan)).toHaveLength(1);
  });

  it('says which field is almost one that is read, once', () => {
    const plan = parsePrd([
      { id: 'A', dependson: ['B'], stage: 'x', note: 'y', estimate: 3 },
      { id: 'B', dependson: [], 'acceptance-criteria': ['z'], passses: true },
    ]);
    expect(messages(plan)).toEqual([
      'A: "dependson" is not read; did you mean "dependsOn"?',
      'B: "acceptance-criteria" is not read; did you mean "acceptanceCriteria"?',
      'B: "passses" is not read; did you mean "passes"?',
    ]);
  });

  it('takes numbers, and tells duplicates apart with a warning', () => {
    const plan = parsePrd([{ id: 7 }, { id: '7' }, { id: 7 }]);
    expect(plan.items.map(item => item.id)).toEqual(['7', '7#2', '7#3']);
    expect(messages(plan)).toHaveLength(2);
  });

  it('reports a property given twice and takes the last', () => {
    const plan = parsePrd('[{"id": "A", "passes": false, "passes": true}]');
    expect(plan.items[0]?.status).toBe('done');
    expect(messages(plan)).toEqual(['this item has the same property twice; the last one counts']);
  });
});

describe('words and numbers', () => {
  test.each([
    [1, 1],
    [1.5, 1.5],
    [-2, -2],
    ['3', 3],
    ['critical', 0],
    ['P0', 0],
    ['High', 1],
    ['p1', 1],
    ['medium', 2],
    ['low', 3],
    ['soon', undefined],
    [null, undefined],
  ])('priority %j is %s', (priority, expected) => {
    const plan = parsePrd([story('A', { priority })]);
    expect(plan.items[0]?.priority).toBe(expected);
    expect(messages(plan)).toHaveLength(priority === 'soon' ? 1 : 0);
  });

  test.each([
    [{ dependsOn: ['A'] }, ['A']],
    [{ dependencies: ['A', 'B'] }, ['A', 'B']],
    [{ depends_on: 'A' }, ['A']],
    [{ deps: 'A, B' }, ['A', 'B']],
    [{ blockedBy: [{ id: 'A' }] }, ['A']],
    [{ blocked_by: [] }, []],
    [{ dependsOn: 'none' }, []],
    [{ requires: ['A'], prerequisites: 'B' }, ['A', 'B']],
    [{ dependencies: { hard: ['A'], soft: ['B'] } }, ['A', 'B']],
  ])('%j', (fields, expected) => {
    const plan = parsePrd([story('A'), story('B'), story('C', fields)]);
    expect(plan.items[2]?.dependsOn).toEqual(expected);
    expect(messages(plan)).toEqual([]);
  });

  it('warns about dependencies that are no items, a free-text reason among them', () => {
    const plan = parsePrd([
      story('A', { blockedBy: 'Waiting for the API, see mail' }),
      story('B', { dependsOn: ['Z'] }),
    ]);
    expect(messages(plan)).toEqual([
      'A depends on "Waiting for the API, see mail", which is no item of this plan; it does not wait for it',
      'B depends on "Z", which is no item of this plan; it does not wait for it',
    ]);
  });

  it('names a circle of dependencies once', () => {
    const plan = parsePrd([
      story('A', { dependsOn: ['C'] }),
      story('B', { dependsOn: ['A'] }),
      story('C', { dependsOn: ['B'] }),
      story('D', { dependsOn: ['A'] }),
      story('E', { dependsOn: ['E'] }),
    ]);
    expect(messages(plan)).toEqual([
      'these items wait for each other and are never picked: A -> C -> B -> A; take one of these dependencies out',
      'these items wait for each other and are never picked: E -> E; take one of these dependencies out',
    ]);
  });

  it('reads text, criteria, checks and notes under their many names', () => {
    const plan = parsePrd({
      tasks: [
        {
          id: 'A',
          name: 'Title\n here',
          description: 'As a user',
          notes: 'mind the gap',
          acceptance_criteria: [{ description: 'works', passes: true }, 'fast'],
          steps: 'one\n- two',
          verify: 'npm test',
          verifyCommands: ['npm run lint'],
          noChange: true,
          status: 'blocked',
          blockedReason: 'no key',
        },
      ],
    });
    expect(plan.items[0]).toEqual({
      id: 'A',
      title: 'Title here',
      status: 'blocked',
      dependsOn: [],
      line: 3,
      body: 'As a user\n\nmind the gap',
      criteria: ['works', 'fast', 'one', 'two'],
      verify: ['npm test', 'npm run lint'],
      changeOptional: true,
      note: 'no key',
    });
  });

  test.each([
    [{ branchName: 'ralph/pay', project: 'Shop' }, 'pay'],
    [{ branchName: 'feat/pay' }, 'feat/pay'],
    [{ branchName: 'main', project: 'Shop' }, 'Shop'],
    [{ name: 'Web' }, 'Web'],
    [{ title: 'Plan' }, 'Plan'],
    [{}, 'prd'],
  ])('%j is called %s', (top, name) => {
    expect(parsePrd({ ...top, userStories: [story('A')] }).name).toBe(name);
  });
});
