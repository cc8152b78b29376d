import { expect, it } from 'vitest';
import { kiro } from '../../../src/plan/ecosystems/kiro.ts';
import { pickNext } from '../../../src/plan/next.ts';
import { texts } from '../texts.ts';
import { filesOf, markedIn, nextOf, statuses } from './support.ts';

const PATH = 'repo/.kiro/specs/mail/tasks.md';
const TEXT = `# Implementation Plan

- [-] 1. Accounts
  - Shared words about accounts
  - [x] 1.1 Table
    - Create the table
    - _Requirements: 1.1, 2.3_
  - [ ]* 1.2 Property test for the table
    - **Validates: Requirements 1.1**
  - [ ] 1.3 Form
    - Show errors
    - _Boundary: src/form.ts_
    - _Requirements: 1.2_
- [ ] 2. Checkpoint: all tests pass
  - Ask the user if questions arise.
- [ ] 3. Mail
  - _Requirements: 3_
- [~] 3.1 Send
- [ ] 3.2 Receive
`;
const FILES = filesOf({
  'repo/.git/HEAD': '',
  [PATH]: TEXT,
  'repo/.kiro/specs/mail/requirements.md': '',
  'repo/.kiro/specs/mail/design.md': '',
  'repo/.kiro/steering/tech.md': '',
});

it('takes the parts for the work, leaves out what is optional, and reads marks as Kiro does', () => {
  const plan = texts(kiro).parse(TEXT, PATH, FILES);
  expect(kiro.find('repo/.kiro/specs/mail', FILES)).toBe(PATH);
  expect(plan).toMatchObject({ format: 'kiro', name: 'mail', error: undefined, problems: [] });
  expect(statuses(plan)).toEqual({
    '1.1': 'done',
    '1.2': 'skipped',
    '1.3': 'pending',
    '2': 'pending',
    '3.1': 'pending',
    '3.2': 'pending',
  });
  expect(nextOf(plan)).toMatchObject({ id: '1.3', title: 'Form', refs: ['1.2'], criteria: ['Show errors'] });
  expect(nextOf(plan)?.body).toBe('- Boundary: src/form.ts\n- Requirements: 1.2');
  expect(plan.items.find(({ id }) => id === '3.1')?.refs).toEqual(['3']);
  expect(nextOf(plan)?.section).toContain('Shared words about accounts');
  expect(plan.items[1]).toMatchObject({ optional: true, note: 'optional', refs: ['1.1'] });
  expect(plan.items[3]).toMatchObject({ title: 'Checkpoint: all tests pass', changeOptional: true });
  expect(plan.documents?.map(({ path }) => path)).toEqual([
    '.kiro/specs/mail/requirements.md',
    '.kiro/specs/mail/design.md',
    '.kiro/steering/tech.md',
  ]);
  const asked = pickNext({ items: plan.items, status: item => item.status, only: '1.2' });
  expect(asked.next?.id).toBe('1.2');
  const running = texts(kiro).parse(TEXT.replace('[~] 3.1', '[-] 3.1'), PATH, FILES);
  expect(nextOf(running)?.id).toBe('3.1');
});

it('ticks a part with one byte, and its task with the last part that has to be done', () => {
  const form = markedIn(kiro, { text: TEXT, mark: { id: '1.3', to: 'done' }, characters: 2 });
  expect(form).toContain('- [x] 1. Accounts');
  expect(form).toContain('- [x] 1.3 Form');
  expect(form).toContain('- [ ]* 1.2');
  const optional = markedIn(kiro, { text: TEXT, mark: { id: '1.2', to: 'done' }, characters: 1 });
  expect(optional).toContain('- [x]* 1.2');
  const send = markedIn(kiro, { text: TEXT, mark: { id: '3.1', to: 'done' }, characters: 1 });
  const both = markedIn(kiro, { text: send, mark: { id: '3.2', to: 'done' }, characters: 2 });
  expect(both).toContain('- [x] 3. Mail');
  expect(markedIn(kiro, { text: both, mark: { id: '3.2', to: 'pending' }, characters: 2 })).toBe(send);
});

it('waits for what a task names, for the waves of its graph, and in cc-sdd for all before it', () => {
  const needs = (text: string, files = FILES) =>
    Object.fromEntries(
      texts(kiro)
        .parse(text, PATH, files)
        .items.map(({ id, dependsOn }) => [id, dependsOn]),
    );
  expect(needs(TEXT.replace('- Show errors', '- Show errors\n    - _Depends: 3_'))['1.3']).toEqual(['3.1', '3.2']);
  const graph =
    '\n## Task Dependency Graph\n\n```json\n{"waves":[{"id":0,"tasks":["1.1"]},{"id":1,"tasks":["1.3",3.1]}]}\n```\n';
  const waves = needs(TEXT + graph);
  expect(waves['1.3']).toEqual(['1.1']);
  expect(waves['3.1']).toEqual(['1.1']);
  expect(waves['3.2']).toEqual(['1.1', '1.2', '1.3', '2', '3.1']);
  const half = texts(kiro).parse(TEXT + graph.replace('"waves":[', '"waves":'), PATH, FILES);
  expect(half.problems.map(({ message }) => message).join()).toContain('the dependency graph cannot be read');
  const files = filesOf({
    [PATH]: TEXT,
    'repo/.kiro/specs/mail/spec.json': '{"approvals":{"tasks":{"generated":true,"approved":false}}}',
  });
  const listed = '- [ ] 1.1 (P) One\n- [ ] 1.2 (P) Two\n- [ ] 1.3 Three\n- [ ] 1.4 Four\n';
  expect(needs(listed, files)).toEqual({ '1.1': [], '1.2': ['1.1'], '1.3': ['1.1', '1.2'], '1.4': ['1.3'] });
  expect(texts(kiro).parse(listed, PATH, files).problems[0]?.message).toContain('not approved yet');
});
