import { expect, it } from 'vitest';
import { taskHeadings } from '../../../src/plan/ecosystems/task-headings.ts';
import { texts } from '../texts.ts';
import { filesOf, markedIn, nextOf, statuses } from './support.ts';

const PATH = 'repo/docs/plans/login.md';
const TEXT = `# Login

Why we do it.

## Validation Commands

- \`npm test\`

### Task 1: Table

- [x] make it
- [x] test it

### Task 2a: Form

**Files:** src/form.ts

- [x] show it
- [ ] check it
- [ ] tick each \`- [ ]\` here

\`\`\`
- [ ] an example
\`\`\`

#### Details

- [ ] also here

### Iteration 3: Docs

Only words.

## Success criteria

- [ ] it works
`;
const FILES = filesOf({ 'repo/.git/HEAD': '', [PATH]: TEXT, 'repo/specs/login.md': '', 'repo/AGENTS.md': '' });

it('takes a section for a task and its boxes for its points', () => {
  const plan = texts(taskHeadings).parse(TEXT, PATH, FILES);
  expect(taskHeadings.find(PATH, FILES)).toBe(PATH);
  expect(plan).toMatchObject({ format: 'task-headings', name: 'Login', error: undefined });
  expect(plan.marks).toBeUndefined();
  expect(statuses(plan)).toEqual({ '1': 'done', '2a': 'pending', '3': 'skipped' });
  expect(nextOf(plan)).toMatchObject({
    id: '2a',
    title: 'Form',
    criteria: ['show it', 'check it', 'also here'],
    line: 14,
  });
  expect(plan.about).toContain('Why we do it.');
  expect(plan.documents?.map(({ path }) => path)).toEqual(['specs/login.md', 'AGENTS.md']);
  expect(plan.problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '20 2 boxes are not read as a task: it is not under a "### Task N:" heading, or has boxes in its text (lines 20, 36)',
    '30 3: it has no boxes as the others have, so it is left out',
  ]);
});

it('ticks every point of a task, and takes a blocked one back without a trace', () => {
  const done = markedIn(taskHeadings, { text: TEXT, mark: { id: '2a', to: 'done' }, characters: 2 });
  expect(done).toContain('- [x] check it');
  expect(done).toContain('- [ ] tick each');
  expect(nextOf(texts(taskHeadings).parse(done, PATH, FILES))).toBeUndefined();
  const blocked = markedIn(taskHeadings, { text: TEXT, mark: { id: '2a', to: 'blocked', note: 'no [key]' } });
  expect(blocked).toContain('### Task 2a: Form [BLOCKED: no (key)]\n');
  expect(statuses(texts(taskHeadings).parse(blocked, PATH, FILES))['2a']).toBe('blocked');
  expect(markedIn(taskHeadings, { text: blocked, mark: { id: '2a', to: 'pending' } })).toBe(TEXT);
  const more = texts(taskHeadings).append(TEXT, { id: 'FIX-1', title: 'Mend', body: '- [ ] no', criteria: ['green'] });
  expect(more.ok && texts(taskHeadings).parse(more.value, PATH, FILES).items.at(-1)).toMatchObject({
    id: 'FIX-1',
    status: 'pending',
    criteria: ['Mend', 'green'],
  });
});

it('says of a plan without boxes that its state is in the journal alone', () => {
  const text = '# A\n\n### Task 1: One\n\n**Step 1:** do\n\n### Task 2: Two\n';
  const plan = texts(taskHeadings).parse(text, PATH, FILES);
  expect(plan).toMatchObject({ marks: 'journal', error: undefined });
  expect(plan.problems[0]?.message).toContain('what is done is in the journal alone');
  expect(markedIn(taskHeadings, { text, mark: { id: '1', to: 'done' } })).toBe(text);
});

it('reads the settings at the top as what they say', () => {
  const plan = texts(taskHeadings).parse(`---\ngoal: people can log in\n---\n${TEXT}`, PATH, FILES);
  expect(plan.about?.split('\n\n').slice(0, 2)).toEqual(['Goal: people can log in', 'Why we do it.']);
  expect(plan.items[0]?.line).toBe(12);
});
