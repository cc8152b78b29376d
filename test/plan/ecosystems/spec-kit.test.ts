import { expect, it } from 'vitest';
import { specKit } from '../../../src/plan/ecosystems/spec-kit.ts';
import { texts } from '../texts.ts';
import { filesOf, markedIn, nextOf, statuses } from './support.ts';

const PATH = 'repo/specs/002-basket/tasks.md';
const TEXT = `# Tasks: Basket

Built from the documents in this folder.

## Format: \`[ID] [P?] [Story] Description\`

- **[P]**: can run in parallel

\`\`\`text
- [ ] T900 [P] an example
\`\`\`

## Phase 1: Setup

**Purpose**: one place for everything.

- [x] T001 Create the folder
- [X] T002 [P] Add the linter in \`lint.json\`

## Phase 2: Story 1 - Add a thing (Priority: P1)

**Independent Test**: add one thing and see it.

- [ ] T003 [P] [US1] Write the test in tests/add.test.ts
  - [ ] fails first
- [ ] T004 [P] [US1] Model in src/basket.ts
- [ ] T005 [US1] Service in src/service.ts (depends on T003-T004)
- [ ] T006 [US1] Route
- [ ] a note to self

**Checkpoint**: works alone.

## Phase 3: Polish

- [ ] T007 [P] Docs

## Check yourself

- [x] every story has tasks
`;

const FILES = filesOf({
  'repo/.git/HEAD': '',
  [PATH]: TEXT,
  'repo/specs/002-basket/spec.md': '',
  'repo/specs/002-basket/plan.md': '',
  'repo/specs/002-basket/contracts/api.yaml': '',
  'repo/specs/002-basket/checklists/requirements.md': '- [x] a\n- [ ] b\n',
  'repo/.specify/memory/constitution.md': '',
});

it('reads tasks by their ids, in phases, and counts what it leaves out', () => {
  const plan = texts(specKit).parse(TEXT, PATH, FILES);
  expect(specKit.find('repo/specs/002-basket', FILES)).toBe(PATH);
  expect(plan).toMatchObject({ format: 'spec-kit', name: '002-basket', error: undefined });
  expect(plan.about).toBe('Built from the documents in this folder.');
  expect(statuses(plan)).toEqual({
    T001: 'done',
    T002: 'done',
    T003: 'pending',
    T004: 'pending',
    T005: 'pending',
    T006: 'pending',
    T007: 'pending',
  });
  expect(plan.items.find(({ id }) => id === 'T003')).toMatchObject({
    title: 'Write the test in tests/add.test.ts',
    refs: ['US1'],
    parallel: true,
    criteria: ['fails first'],
    dependsOn: ['T001', 'T002'],
  });
  expect(plan.items.find(({ id }) => id === 'T003')?.section).toContain('**Independent Test**: add one thing');
  const depends = Object.fromEntries(plan.items.map(({ id, dependsOn }) => [id, dependsOn]));
  expect(depends['T005']).toEqual(['T003', 'T004']);
  expect(depends['T006']).toEqual(['T005']);
  expect(depends['T007']).toEqual(['T003', 'T004', 'T005', 'T006']);
  expect(nextOf(plan)?.id).toBe('T003');
  expect(plan.documents).toEqual([
    { path: 'specs/002-basket/plan.md', role: 'plan' },
    { path: 'specs/002-basket/spec.md', role: 'specification' },
    { path: 'specs/002-basket/contracts/api.yaml', role: 'contract' },
    { path: '.specify/memory/constitution.md', role: 'constitution', scope: 'project' },
  ]);
  expect(plan.problems.map(({ message }) => message)).toEqual([
    'checklists/requirements.md has 1 open point; a person looks at those',
    '1 box is not read as a task: inside a code fence or a comment (line 10)',
    '2 boxes are not read as a task: without an id such as T001, which the others have (lines 29, 39)',
  ]);
});

it('ticks one box as the file does it, or as the tool does', () => {
  const mark = { id: 'T003', to: 'done' } as const;
  expect(markedIn(specKit, { text: TEXT, mark, characters: 1 })).toContain('- [x] T003');
  const fresh = TEXT.replaceAll(/\[[xX]\]/g, '[ ]');
  expect(markedIn(specKit, { text: fresh, mark, characters: 1 })).toContain('- [X] T003');
});

it('refuses a conflict, says of a circle who waits for whom, and takes every box where no task has an id', () => {
  const conflict = TEXT.replace('- [ ] T006', '<<<<<<< ours\n- [ ] T006');
  expect(texts(specKit).parse(conflict, PATH, FILES).error).toMatchObject({ line: 28, level: 'error' });
  expect(texts(specKit).mark(conflict, { id: 'T003', to: 'done' }).ok).toBe(false);
  const circle = TEXT.replace('T003 [P] [US1] Write', 'T003 [P] [US1] (depends on T005) Write');
  expect(
    texts(specKit)
      .parse(circle, PATH, FILES)
      .problems.map(({ message }) => message)
      .join(),
  ).toContain('T003 -> T005');
  const bare = texts(specKit).parse('# Mine\n\n- [x] one\n- [ ] two\n', PATH, FILES);
  expect(statuses(bare)).toEqual({ one: 'done', two: 'pending' });
  expect(texts(specKit).parse('# Mine\n', PATH, FILES).error?.message).toContain('no task such as');
});

it('lets neighbours marked [P] wait for the task before them, and the task after them for all of them', () => {
  const text =
    '## Phase 1\n\n- [ ] T001 a\n- [ ] T002 [P] b\n- [ ] T003 [P] c\n- [ ] T004 d\n- [ ] T005 [P] e\n\n## Phase 2\n\n- [ ] T006 [P] f\n';
  const { items } = texts(specKit).parse(text, PATH, FILES);
  expect(Object.fromEntries(items.map(({ id, dependsOn }) => [id, dependsOn.join(' ')]))).toEqual({
    T001: '',
    T002: 'T001',
    T003: 'T001',
    T004: 'T002 T003',
    T005: 'T004',
    T006: 'T001 T002 T003 T004 T005',
  });
});

it('reads the settings at the top as what they say, and names a box that it does not know', () => {
  const text = `---\n\ndescription: "Tasks of the basket"\ntest_command: npm test\n---\n\n${TEXT.replace('- [ ] T006', '- [v] T006')}`;
  const plan = texts(specKit).parse(text, PATH, FILES);
  expect(plan.about).toBe('Description: Tasks of the basket\n\nBuilt from the documents in this folder.');
  expect(plan.testCommand).toBe('npm test');
  expect(plan.items[0]).toMatchObject({ id: 'T001', line: 23 });
  expect(plan.problems.map(({ line, message }) => `${line} ${message}`)).toContain(
    '34 [v] is not a known box, so this is no task',
  );
});
