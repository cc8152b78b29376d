import { describe, expect, it } from 'vitest';
import { importMarkdown } from '../../src/planning/import-markdown.ts';
import { describeLost } from '../../src/planning/lost.ts';
import { makeRepo } from '../support/repo.ts';

const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;

describe('a document with stories', () => {
  it('is read by headings, labels and lists', () => {
    const { project, description, items } = importMarkdown(
      lines(
        '# PRD: Voucher shop',
        '',
        'People pay with vouchers.',
        '',
        '## User stories',
        '',
        '### US-001: Store a voucher',
        '',
        '**Description:** As a clerk I want to keep vouchers.',
        '**Priority:** P0',
        '',
        '**Acceptance criteria:**',
        '- A value is needed',
        '- An expiry is needed,',
        '  in days:',
        '  - one',
        '  - two',
        '',
        '### US-002: Redeem a voucher (P2)',
        '',
        'As a guest I want to redeem.',
        '',
        '- **Depends on:** US-001',
        '- **Verify:** `npm test -- redeem`',
        '',
        '#### Acceptance Criteria',
        '1. Unknown codes answer 404',
        '',
        '#### Technical notes',
        'Reuse the cart.',
        '',
        '```ts',
        '- [ ] this is code',
        '```',
      ),
    );
    expect({ project, description }).toEqual({ project: 'Voucher shop', description: 'People pay with vouchers.' });
    expect(items).toMatchObject([
      {
        id: 'US-001',
        title: 'Store a voucher',
        priority: 0,
        body: 'As a clerk I want to keep vouchers.',
        criteria: ['A value is needed', 'An expiry is needed, in days: one; two'],
        dependsOn: [],
        status: 'pending',
      },
      {
        id: 'US-002',
        title: 'Redeem a voucher',
        priority: 2,
        criteria: ['Unknown codes answer 404'],
        dependsOn: ['US-001'],
        verify: ['npm test -- redeem'],
        body: 'As a guest I want to redeem.\n\n#### Technical notes\n\nReuse the cart.\n\n```ts\n- [ ] this is code\n```',
      },
    ]);
  });

  it.each([
    ['### 1. Log in', 'US-001', 'Log in'],
    ['## Story 3: Log in', 'US-003', 'Log in'],
    ['## Story: Log in', 'US-001', 'Log in'],
    ['### User Story 2 - Log in (Priority: P1)', 'US-002', 'Log in'],
    ['#### [AUTH-7] Log in', 'AUTH-7', 'Log in'],
    ['**US-009: Log in**', 'US-009', 'Log in'],
    ['### FEAT-12 – Log in ✅', 'FEAT-12', 'Log in'],
    ['## Log in', 'US-001', 'Log in'],
  ])('%s', (heading, id, title) => {
    const { items } = importMarkdown(lines('# Doc', '', heading, '', 'Acceptance criteria:', '- it works'));
    expect(items).toMatchObject([{ id, title, criteria: ['it works'] }]);
  });

  it('a heading "Story" takes its first sentence as title', () => {
    const text = lines(
      '## Story',
      '',
      'As a guest I log in.',
      '',
      'With a name.',
      '',
      'Acceptance criteria:',
      '- yes',
      '## Story',
      '',
      'Then out.',
      '',
      'Acceptance: gone',
    );
    expect(importMarkdown(text).items).toMatchObject([
      { id: 'US-001', title: 'As a guest I log in.', body: 'With a name.', criteria: ['yes'] },
      { id: 'US-002', title: 'Then out.', criteria: ['gone'] },
    ]);
  });

  it('a sentence that names nothing but stories is a dependency', () => {
    const story = (id: string, ...more: readonly string[]) => [
      `### ${id}: ${id}`,
      'Acceptance criteria:',
      '- x',
      '',
      ...more,
    ];
    const { items } = importMarkdown(
      lines(
        ...story('US-1', 'Depends on the weather.', 'Depends on 3 people.', ''),
        ...story('US-2', '**Depends on** US-1.', ''),
        ...story('US-3', 'Blocked by US-1, US-2 and US-1.'),
      ),
    );
    expect(items.map(({ dependsOn }) => dependsOn)).toEqual([[], ['US-1'], ['US-1', 'US-2']]);
    expect(items[0]?.body).toBe('Depends on the weather.\nDepends on 3 people.');
  });

  it('criteria of the entries of a list do not make one story of the whole list', () => {
    const list = ['# Features', '', '1. **Login**: people log in', '   - Acceptance: the form works', '2. **Logout**'];
    expect(importMarkdown(lines(...list)).items).toEqual([]);
  });

  it('chapters with numbers are no stories, and steps of a story are part of it', () => {
    const text = lines(
      '# Doc',
      '## 1. Introduction',
      'Words.',
      '## 2. Goals',
      '## 3. Stories',
      '### US-001: One',
      'Acceptance criteria:',
      '- a',
      '#### Task 1: first',
      'Do it.',
      '#### Step 2: then',
      'Do that.',
    );
    const { items } = importMarkdown(text);
    expect(items.map(({ id }) => id)).toEqual(['US-001']);
    expect(items[0]?.body).toContain('#### Task 1: first\n\nDo it.');
  });

  it('numbered sections are stories where nothing else is', () => {
    const text = lines('# Doc', '## 1. Introduction', 'Words.', '## 2. Log in', '- form', '## 3. Log out', '- link');
    expect(importMarkdown(text).items.map(({ id, title }) => `${id} ${title}`)).toEqual([
      'US-002 Log in',
      'US-003 Log out',
    ]);
  });

  it('states: ticked criteria, ticks in headings and status lines', () => {
    const text = lines(
      '### US-001: Done by boxes',
      '- [x] a',
      '- [X] b',
      '### US-002: Half',
      '- [x] a',
      '- [ ] b',
      '### US-003: Done by word (DONE)',
      'Acceptance: a',
      '### US-004: Blocked',
      'Status: blocked',
      'Acceptance: a',
    );
    const { items, notCarried } = importMarkdown(text);
    expect(items.map(({ status }) => status)).toEqual(['done', 'pending', 'done', 'blocked']);
    expect(notCarried.map(describeLost)).toEqual(['line 4: 1 of 2 criteria are ticked; the story is open']);
  });

  it('priorities come from the story, else from a heading above it', () => {
    const text = lines(
      '# Doc',
      '## High priority',
      '### US-001: A',
      'Acceptance: x',
      '### US-002: B [P0]',
      'Acceptance: x',
      '## P3: later',
      '### US-003: C',
      'Acceptance: x',
      '## Rest',
      '### US-004: D',
      'Priority: whenever',
      'Acceptance: x',
    );
    const { items, remarks } = importMarkdown(text);
    expect(items.map(({ priority }) => priority)).toEqual([1, 0, 3, undefined]);
    expect(items[3]?.body).toContain('Priority: whenever');
    expect(remarks).toContain('without a priority, and so after all that have one: US-004');
  });

  it.each([
    ['US-001, US-002', ['US-001', 'US-002']],
    ['Story 1 and story 2', ['US-001', 'US-002']],
    ['US-001 to US-003', ['US-001', 'US-002', 'US-003']],
    ['1, 3', ['US-001', 'US-003']],
    ['`us-003` (the schema)', ['US-003']],
    ['None', []],
    ['the mail team', []],
  ])('depends on: %s', (said, expected) => {
    const stories = ['US-001', 'US-002', 'US-003'].flatMap(id => [`### ${id}: x`, 'Acceptance: x']);
    const { items, remarks } = importMarkdown(
      lines(...stories, '### US-004: y', `**Dependencies:** ${said}`, 'Acceptance: x'),
    );
    const last = items.at(-1);
    expect(last?.dependsOn).toEqual(expected);
    if (said.includes('team') || said.includes('schema')) expect(last?.body).toContain(said);
    expect(remarks.some(remark => remark.includes('names no story'))).toBe(said.includes('team'));
  });

  it('lists what it does not carry, with lines', () => {
    const text = lines(
      '---',
      'owner: me',
      '---',
      '# Doc',
      '',
      '## Goals',
      '',
      'Sell.',
      '',
      '### US-001: A',
      '<!-- hm -->',
      'Acceptance: x',
      '',
      '## Non-goals',
      '- none',
      '',
      'End.',
    );
    expect(importMarkdown(text).notCarried.map(describeLost)).toEqual([
      'lines 1-3: ---',
      'lines 6-8: Goals',
      'line 11: <!-- hm -->',
      'lines 14-17: Non-goals',
    ]);
  });
});

describe('a checklist', () => {
  it('is read by its boxes, with sections as priorities', () => {
    const text = lines(
      '# Fixes',
      'Why.',
      '',
      '## High Priority',
      '- [ ] T001: Login',
      '  - [ ] form',
      '  verify: `npm test`',
      '- [x] T002: Logout [REVIEWED]',
      '## Low',
      '- [ ] Colors (depends on T001)',
      '## Notes',
      'None.',
    );
    const { project, description, items, notCarried } = importMarkdown(text);
    expect({ project, description }).toEqual({ project: 'Fixes', description: 'Why.' });
    expect(items).toMatchObject([
      { id: 'T001', priority: 1, criteria: ['form'], verify: ['npm test'], status: 'pending' },
      { id: 'T002', priority: 1, status: 'done' },
      { title: 'Colors (depends on T001)', priority: 3, dependsOn: ['T001'] },
    ]);
    expect(notCarried.map(describeLost)).toEqual(['line 8: the marker [REVIEWED]', 'lines 11-12: ## Notes']);
  });

  it('stays one where a few headings look like stories', () => {
    const text = lines('# Plan', '## Phase 1', '- [ ] a', '- [ ] b', '- [ ] c', '## SC-001: All green', 'Words.');
    expect(importMarkdown(text).items.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
  });
});

describe('ralph import', () => {
  it('writes prd.json that ralph check reads, and never over a file without --force', async () => {
    const repo = makeRepo({
      files: { 'docs/spec.md': lines('# Shop', '## Goals', 'Sell.', '### US-001: A', 'Acceptance: x') },
    });
    const { code, stdout } = await repo.ralph(['import', 'docs/spec.md']);
    expect(code).toBe(0);
    expect(stdout).toContain('prd.json: 1 item from docs/spec.md');
    expect(stdout).toContain('not carried: lines 2-3: Goals');
    expect(JSON.parse(repo.read('prd.json'))).toEqual({
      project: 'Shop',
      userStories: [{ id: 'US-001', title: 'A', description: '', acceptanceCriteria: ['x'], passes: false }],
    });
    const check = await repo.ralph(['check', 'prd.json']);
    expect(check).toMatchObject({ code: 0, stderr: '' });
    repo.write('prd.json', 'mine');
    expect((await repo.ralph(['import', 'docs/spec.md'])).code).toBe(2);
    expect(repo.read('prd.json')).toBe('mine');
    expect((await repo.ralph(['import', 'docs/spec.md', '--force'])).code).toBe(0);
  });

  it.each([
    ['README.md', 'no stories and no task boxes'],
    ['nowhere.md', 'there is no such file'],
    ['REDME.md', 'Did you mean README.md?'],
    ['.', 'this is a folder'],
    ['plan.json', 'only Markdown'],
  ])('refuses %s', async (file, message) => {
    const repo = makeRepo({ files: { 'plan.json': '{}' } });
    const { code, stderr } = await repo.ralph(['import', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
