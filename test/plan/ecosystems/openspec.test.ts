import { expect, it } from 'vitest';
import { openSpec } from '../../../src/plan/ecosystems/openspec.ts';
import { texts } from '../texts.ts';
import { filesOf, markedIn, nextOf, statuses } from './support.ts';

const PATH = 'repo/openspec/changes/add-search/tasks.md';
const TEXT = `## 1. Index

Words about the index.

- [x] 1.1 Build it
- [ ] 1.2 Keep it up to date
  - verify with \`npm test\`
  - [ ] also on delete

## 2. Page

* [ ] 2.1 Show hits
1. [ ] a numbered box
- [-] dropped

\`\`\`md
- [ ] 9.9 counted by the tool
\`\`\`
`;
const FILES = filesOf({
  'repo/.git/HEAD': '',
  [PATH]: TEXT,
  'repo/openspec/changes/add-search/proposal.md': '',
  'repo/openspec/changes/add-search/specs/search/spec.md': '',
  'repo/openspec/project.md': '',
});

it('counts the lines that OpenSpec counts, in their order', () => {
  const plan = texts(openSpec).parse(TEXT, PATH, FILES);
  expect(openSpec.find('repo/openspec/changes/add-search', FILES)).toBe(PATH);
  expect(plan).toMatchObject({ format: 'openspec', name: 'add-search', error: undefined });
  expect(statuses(plan)).toEqual({
    '1.1': 'done',
    '1.2': 'pending',
    'also-on-delete': 'pending',
    '2.1': 'pending',
    '9.9': 'pending',
  });
  expect(nextOf(plan)).toMatchObject({ id: '1.2', title: 'Keep it up to date', body: '- verify with `npm test`' });
  expect(nextOf(plan)?.section).toContain('Words about the index.');
  expect(plan.problems.map(({ message }) => message)).toEqual([
    '2 boxes are not read as a task: OpenSpec counts "- [ ]" and "- [x]" alone (lines 13, 14)',
  ]);
  expect(plan.documents?.map(({ path, role }) => `${role} ${path}`)).toEqual([
    'proposal openspec/changes/add-search/proposal.md',
    'specification openspec/changes/add-search/specs/search/spec.md',
    'project openspec/project.md',
  ]);
});

it('ticks one byte, says how a change is closed, and never runs an archived one', () => {
  const text = '- [ ] 1.1 All there is\n';
  const done = markedIn(openSpec, { text, mark: { id: '1.1', to: 'done' }, characters: 1 });
  expect(done).toBe('- [x] 1.1 All there is\n');
  const [told] = texts(openSpec).parse(done, PATH, FILES).problems;
  expect(told?.message).toContain('openspec archive add-search');
  const archived = 'repo/openspec/changes/archive/2026-01-01-add-search/tasks.md';
  expect(texts(openSpec).parse(text, archived, FILES).error?.message).toContain('archived');
  expect(texts(openSpec).parse('### Task 1\n**Status**: open\n', PATH, FILES).error?.message).toContain(
    'no task such as',
  );
});
