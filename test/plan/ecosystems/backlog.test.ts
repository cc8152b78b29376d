import { expect, it } from 'vitest';
import { backlog } from '../../../src/plan/ecosystems/backlog.ts';
import { texts } from '../texts.ts';
import { filesOf, nextOf, statuses } from './support.ts';

const CONFIG = 'repo/backlog/config.yml';
const AT = Date.UTC(2026, 4, 6, 7, 8);

const task = (id: string, settings: string, rest = '') =>
  `---\nid: ${id}\ntitle: 'It''s ${id}'\n${settings}---\n\n${rest}`;

const BODY = `## Description

Words.

## Acceptance Criteria
<!-- AC:BEGIN -->
- [ ] #1 First
- [x] #2 Second
<!-- AC:END -->

## Implementation Notes

- [ ] not a criterion
`;

const TEXTS = {
  'repo/.git/HEAD': '',
  [CONFIG]: 'project_name: "Shop"\nstatuses: ["To Do", "In Progress", "Done"]\n',
  'repo/backlog/tasks/task-1 - One.md': task('task-1', 'status: Done\n'),
  'repo/backlog/tasks/task-2 - Two.md': task('task-2', 'status: In Progress\npriority: high\n'),
  'repo/backlog/tasks/task-3 - Three.md': task(
    'task-3',
    "status: To Do\nupdated_date: '2026-01-01 10:00'\ndependencies:\n  - task-01\n  - TASK-5\n",
    BODY,
  ),
  'repo/backlog/tasks/task-4 - Four.md': task('task-4', 'status: "To Do"\nordinal: 2000\ndependencies: [task-3]\n'),
  'repo/backlog/tasks/task-6 - Six.md': task('task-6', "status: Won't Do\n"),
  'repo/backlog/tasks/task-7 - Seven.md': task('task-7', 'status: To Do\ndependencies: [task-99]\n'),
  'repo/backlog/tasks/notes.md': '- [ ] a note\n',
  'repo/backlog/completed/task-5 - Five.md': task('task-5', ''),
  'repo/backlog/drafts/task-8 - Eight.md': task('task-8', 'status: To Do\n'),
  'repo/backlog/docs/doc-1 - Design.md': '',
};
const FILES = filesOf(TEXTS);
const parse = (files = FILES) => texts(backlog).parse(files.read(CONFIG) ?? '', CONFIG, files);

it('reads a file for each task, and is ready, done and in order as Backlog.md has it', () => {
  const plan = parse();
  expect(backlog.find('repo/backlog', FILES)).toBe(CONFIG);
  expect(plan).toMatchObject({ format: 'backlog', name: 'Shop', error: undefined });
  expect(statuses(plan)).toEqual({
    'task-1': 'done',
    'task-2': 'in-progress',
    'task-3': 'pending',
    'task-4': 'pending',
    'task-5': 'done',
    'task-6': 'blocked',
    'task-7': 'blocked',
  });
  expect(nextOf(plan)).toMatchObject({
    id: 'task-3',
    title: "It's task-3",
    criteria: ['First', 'Second'],
    dependsOn: ['task-1', 'task-5'],
    source: { path: 'tasks/task-3 - Three.md' },
  });
  expect(nextOf(plan)?.body).toContain('- [ ] not a criterion');
  expect(plan.documents).toEqual([{ path: 'backlog/docs/doc-1 - Design.md', role: 'document' }]);
  const told = plan.problems.map(({ message }) => message).join('\n');
  expect(told).toContain(`its status "Won't Do" is not one of To Do, In Progress, Done`);
  expect(told).toContain('it waits for task-99');
  expect(told).toContain('tasks/notes.md is not read as a task');
});

it('writes status, criteria and date into the file of the task, and nothing else', () => {
  const place = { path: CONFIG, files: FILES };
  const marked = texts(backlog).markFiles({ id: 'task-3', to: 'done', at: AT }, place);
  const path = 'repo/backlog/tasks/task-3 - Three.md';
  expect(marked).toEqual({
    ok: true,
    value: [
      {
        path,
        text: TEXTS[path]
          .replace('status: To Do', 'status: Done')
          .replace('2026-01-01 10:00', '2026-05-06 07:08')
          .replace('- [ ] #1', '- [x] #1'),
      },
    ],
  });
  const quoted = texts(backlog).markFiles({ id: 'task-4', to: 'done' }, place);
  expect(quoted?.ok && quoted.value[0]?.text).toContain('status: "Done"\n');
  expect(texts(backlog).markFiles({ id: 'task-3', to: 'blocked', note: 'x' }, place)).toEqual({ ok: true, value: [] });
  expect(texts(backlog).markFiles({ id: 'task-33', to: 'done' }, place)?.ok).toBe(false);
});

it('keeps line ends, and refuses a conflict in a task by the name of its file', () => {
  const path = 'repo/backlog/tasks/task-3 - Three.md';
  const windows = filesOf({ ...TEXTS, [path]: TEXTS[path].replaceAll('\n', '\r\n') });
  const marked = texts(backlog).markFiles({ id: 'task-3', to: 'done' }, { path: CONFIG, files: windows });
  expect(marked?.ok && marked.value[0]?.text.replace(/\r\n/g, '')).not.toMatch(/[\r\n]/);
  const torn = parse(filesOf({ ...TEXTS, [path]: `<<<<<<< ours\n${TEXTS[path]}` }));
  expect(torn.error?.message).toContain('tasks/task-3 - Three.md: the file has merge-conflict markers');
});

it('says what a task refers to, and what of that is not there', () => {
  const path = 'repo/backlog/tasks/task-3 - Three.md';
  const referring = TEXTS[path].replace(
    'status:',
    'references:\n  - backlog/config.yml\n  - docs/gone.md\n  - https://example.org/a.md\nstatus:',
  );
  const plan = parse(filesOf({ ...TEXTS, [path]: referring }));
  expect(nextOf(plan)?.body).toMatch(
    /\n\nReferences: backlog\/config\.yml, docs\/gone\.md, https:\/\/example\.org\/a\.md$/,
  );
  const told = plan.problems.map(({ message }) => message);
  expect(told).toContain('task-3 - Three.md: it refers to docs/gone.md, which does not exist');
});
