import { expect, it } from 'vitest';
import { taskMaster } from '../../../src/plan/ecosystems/task-master.ts';
import { texts } from '../texts.ts';
import { filesOf, markedIn, nextOf, statuses } from './support.ts';

const PATH = 'repo/.taskmaster/tasks/tasks.json';

const task = (id: number | string, status: string, more: object = {}) => ({
  id,
  title: `Task ${id}`,
  description: `About ${id}`,
  details: 'How',
  testStrategy: `Try ${id}`,
  status,
  dependencies: [],
  priority: 'medium',
  ...more,
});

const TASKS = [
  task(1, 'done'),
  task(2, 'pending', { priority: 'low', dependencies: [1] }),
  task('3', 'in-progress', {
    subtasks: [
      task(1, 'done'),
      task(2, 'pending', { dependencies: [1], testStrategy: '' }),
      task(3, 'pending', { dependencies: ['3.2'] }),
    ],
  }),
  task(4, 'pending', { priority: 'high', dependencies: ['3'] }),
  task(5, 'cancelled'),
  task(6, 'pending', { dependencies: [5, 99] }),
  task(7, 'review'),
  task(8, 'done', { subtasks: [task(1, 'pending')] }),
];
const text = (indent: number | string = 2, tasks: unknown = TASKS) =>
  `${JSON.stringify({ master: { tasks, metadata: { description: 'A shop' } }, later: { tasks: [task(1, 'pending')] } }, null, indent)}\n`;
const files = (state = '{"currentTag":"master"}') =>
  filesOf({
    'repo/.git/HEAD': '',
    [PATH]: text(),
    'repo/.taskmaster/state.json': state,
    'repo/.taskmaster/docs/prd.txt': '',
  });

it('reads the current tag, takes parts for the work, and agrees with task-master on states and order', () => {
  const plan = texts(taskMaster).parse(text(), PATH, files());
  expect(taskMaster.find('repo/.taskmaster', files())).toBe(PATH);
  expect(plan).toMatchObject({ format: 'task-master', name: 'taskmaster', about: 'A shop', error: undefined });
  expect(statuses(plan)).toEqual({
    '1': 'done',
    '2': 'pending',
    '3.1': 'done',
    '3.2': 'pending',
    '3.3': 'pending',
    '4': 'pending',
    '5': 'skipped',
    '6': 'blocked',
    '7': 'blocked',
    '8.1': 'skipped',
  });
  const item = (id: string) => plan.items.find(each => each.id === id);
  expect(nextOf(plan)).toMatchObject({
    id: '3.2',
    body: 'About 2\n\nHow',
    section: 'Part of 3: Task 3\n\nAbout 3\n\nHow\n\nHow all of it is tested: Try 3',
  });
  expect(item('4')).toMatchObject({ priority: 1, dependsOn: ['3.1', '3.2', '3.3'], criteria: ['Try 4'] });
  expect(item('3.3')?.dependsOn).toEqual(['3.2']);
  expect(plan.documents).toEqual([{ path: '.taskmaster/docs/prd.txt', role: 'requirements' }]);
  const told = plan.problems.map(({ message }) => message).join('\n');
  expect(told).toContain('6: it waits for 5, which is cancelled');
  expect(told).toContain('"later" has 1 open task more: task-master use-tag later');
  expect(told).toContain('8.1: it is pending, but its task 8 is done');
  expect(texts(taskMaster).parse(text(), PATH, files('{"currentTag":"later"}'))).toMatchObject({
    name: 'taskmaster-later',
    ids: ['1'],
  });
});

it('changes the status alone, that of the task with its last part, and only under its tag', () => {
  for (const indent of [2, '\t', 0]) {
    const was = text(indent);
    const mark = (id: string, to: 'done' | 'pending', from: string) =>
      markedIn(taskMaster, { text: from, mark: { id, to } });
    const first = mark('3.2', 'done', was);
    const both = mark('3.3', 'done', first);
    const expected = TASKS.map(each => (each.id === '3' ? structuredClone(each) : each));
    const three = expected[2] as ReturnType<typeof task> & { subtasks: { status: string }[] };
    for (const part of three.subtasks) part.status = 'done';
    three.status = 'done';
    expect(both).toBe(text(indent, expected));
    expect(mark('2', 'pending', mark('2', 'done', was))).toBe(was);
  }
  const later = texts(taskMaster).mark(
    text(),
    { id: '1', to: 'done' },
    { path: PATH, files: files('{"currentTag":"later"}') },
  );
  expect(later.ok && JSON.parse(later.value)).toMatchObject({ later: { tasks: [{ status: 'done' }] } });
});

it('refuses a tag that is not there or half written, a conflict and broken JSON, and says where', () => {
  const error = (content: string, state?: string) => texts(taskMaster).parse(content, PATH, files(state)).error;
  expect(error(text(), '{"currentTag":"gone"}')?.message).toBe(
    'the current tag is "gone", and the file has: master, later. Choose one: task-master use-tag master',
  );
  expect(error('{\n  "master": {\n    "metadata": {}\n  }\n}')).toMatchObject({ line: 2, column: 3 });
  expect(error('{"master": {"tasks": [{"title": "no id"}]}}')?.message).toContain('has no id');
  expect(error('{"master": {"tasks": []}}')?.message).toContain('has no tasks');
  expect(error(text().replace('"later"', '\n<<<<<<< ours\n"later"'))?.message).toContain('merge-conflict');
  expect(error(text().slice(0, 200))?.message).toContain('ends in the middle');
  const circle = text(2, [task(1, 'pending', { dependencies: [2] }), task(2, 'pending', { dependencies: [1] })]);
  const plan = texts(taskMaster).parse(circle, PATH, files());
  expect(nextOf(plan)).toBeUndefined();
  expect(plan.problems.map(({ message }) => message).join()).toContain('1 -> 2 -> 1');
});
