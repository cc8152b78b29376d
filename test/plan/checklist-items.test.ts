import { describe, expect, it, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { messages, noFiles, parseList } from './support.ts';
import { texts } from './texts.ts';

const titles = (text: string) => parseList(text).items.map(item => item.title);
const list = (text: string) => parseList(text).items.map(({ id, status }) => `${id} ${status}`);

describe('which boxes are tasks', () => {
  test.each([
    ['dash, star, plus', '- [ ] a\n* [x] b\n+ [X] c', ['a', 'b', 'c']],
    ['numbers', '1. [ ] a\n2) [x] b', ['a', 'b']],
    ['wide bullets', '*   [ ] a\n-\t[x] b', ['a', 'b']],
    ['a bullet in a bullet', '*   - [x] a\n    - [ ] b', ['a', 'b']],
    ['under a plain bullet', '- Phase 1\n  - [ ] a\n  - [ ] b', ['a', 'b']],
    ['under an empty box', '- [ ]\n  - [ ] a', ['a']],
    ['fences', '- [ ] a\n```\n- [ ] no\n```\n~~~~ md\n- [ ] no\n~~~\n~~~~\n- [ ] b', ['a', 'b']],
    ['a fence inside an item', '- [ ] a\n  ```\n  - [ ] no\n  ```\n- [ ] b', ['a', 'b']],
    ['a fence that ends with its item', '- [ ] a\n  ```\n  - [ ] no\n- [ ] b', ['a', 'b']],
    ['comments', '<!-- - [ ] no\n- [ ] no\n-->\n- [ ] a <!-- x -->\n<!-- - [ ] no -->', ['a']],
    ['a comment that starts in a sentence', '- [ ] a\n\ntext <!-- x\n- [ ] no -->\n\n- [ ] b', ['a', 'b']],
    ['a comment sign in code', '- [ ] use `<!--` here\n- [ ] b', ['use `<!--` here', 'b']],
    ['a preformatted block', '<pre>\n- [ ] no\n</pre>\n- [ ] a', ['a']],
    ['front matter', '---\ntodo: |\n  - [ ] no\n---\n- [ ] a', ['a']],
    ['a rule at the top is not front matter', '---\n- [ ] a', ['a']],
    ['indented code', 'text\n\n    - [ ] no\n\n- [ ] a', ['a']],
    ['a quote', '> - [ ] no\n\n- [ ] a', ['a']],
    ['prose and code', 'Mark tasks `[x]` or [ ].\n- `[ ]` open\n- [link](x)\n- [ ] a', ['a']],
    [
      'a legend',
      '- [ ] = open\n- [x] done\n- [ ] open · [~] begun · [x] done\n## Legend\n- [ ] not begun yet\n## Work\n- [ ] a',
      ['a'],
    ],
    ['CRLF', '- [ ] a\r\n- [x] b\r\n', ['a', 'b']],
    ['no space after the bullet', '-[ ] a\n-[x] b', ['a', 'b']],
    ['an empty box with text', '- [] a', ['a']],
  ])('%s', (_, text, expected) => {
    expect(titles(text)).toEqual(expected);
  });

  it('takes the boxes inside a task as its criteria, however deep', () => {
    const plan = parseList('- [ ] parent\n  - [x] one\n    - [ ] two\n  - note\n\n  more\n- [ ] other');
    expect(plan.items).toMatchObject([
      { title: 'parent', criteria: ['one', 'two'], body: '- note\n\nmore' },
      { title: 'other', criteria: [], body: '' },
    ]);
  });

  it('says what it left out or guessed', () => {
    const plan = parseList('- [] a\n-[ ] b\n- [!] c\n\ntext\n\n    - [ ] d\n\n> - [ ] e\n\n```\n- [ ] f');
    expect(plan.items.map(item => item.title)).toEqual(['a', 'b']);
    expect(plan.problems.map(({ line }) => line)).toEqual([1, 2, 3, 7, 9, 11]);
  });
});

it('names a letter in a box that it does not know, and leaves legends and references alone', () => {
  const plan = parseList('- [ ] a\n- [v] b\n- [P] means parallel\n- [1] a paper\n  - [v] d\n');
  expect(plan.items.map(({ id }) => id)).toEqual(['a']);
  expect(plan.problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '2 [v] is not a known box, so this is no task',
    '5 [v] is not a known box, so this is no task',
  ]);
});

describe('states', () => {
  test.each([
    ['- [ ] a', 'pending'],
    ['- [x] a', 'done'],
    ['- [X] a', 'done'],
    ['- [~] a', 'in-progress'],
    ['- [~] a, superseded by b', 'skipped'],
    ['- [-] a', 'skipped'],
    ['- [ ] ~~a~~', 'skipped'],
    ['- [ ] ~~a~~ (excluded)', 'skipped'],
    ['- [ ] ~~[P3] a~~ (excluded)', 'skipped'],
    ['- [ ] ~~old~~ new words', 'pending'],
    ['- [x] ~~a~~', 'done'],
    ['- [ ] a [BLOCKED]', 'blocked'],
    ['- [ ] a [BLOCKED: no key]', 'blocked'],
    ['- [ ] a [SKIPPED] [REVIEWED]', 'skipped'],
    ['- [ ] [BLOCKED] a', 'blocked'],
    ['- [ ] a (blocked on b)', 'pending'],
    ['- [x] a [REVIEWED]', 'done'],
    ['- [x] a [NEEDS-FIX]', 'pending'],
    ['- [x] a [BLOCKED]', 'done'],
  ])('%s is %s', (text, status) => {
    expect(parseList(text).items.map(item => item.status)).toEqual([status]);
  });

  it('keeps markers out of title and id, and the reason in the note', () => {
    expect(parseList('- [ ] **Do** `x` [BLOCKED: no key] [REVIEWED]').items).toMatchObject([
      { id: 'do-x', title: 'Do `x`', note: 'no key' },
    ]);
  });

  it('warns about [~] and [-]', () => {
    expect(messages(parseList('- [~] a\n- [-] b'))).toHaveLength(2);
  });
});

describe('ids', () => {
  test.each([
    ['- [ ] SPEC-010 Do it', 'SPEC-010', 'Do it'],
    ['- [ ] US-1: Do it', 'US-1', 'Do it'],
    ['- [ ] T001 [P] [US1] Do it', 'T001', '[P] [US1] Do it'],
    ['- [ ] [P] T002 Do it', 'T002', '[P] Do it'],
    ['- [ ] **12.1** Do it', '12.1', 'Do it'],
    ['- [ ] **1.2 Do it** — now', '1.2', 'Do it — now'],
    ['- [ ] 3. Do it', '3', 'Do it'],
    ['- [ ] B1: Do it', 'B1', 'Do it'],
    ['- [ ] fix-2: Do it', 'fix-2', 'Do it'],
    ['- [ ] [US-7] Do it', 'US-7', 'Do it'],
    ['- [ ] S3 upload', 's3-upload', 'S3 upload'],
    ['- [ ] UTF-8 input', 'utf-8-input', 'UTF-8 input'],
    ['- [ ] 버그 리포트 작성', '버그-리포트-작성', '버그 리포트 작성'],
    ['- [ ] ✅', 'item', '✅'],
    [`- [ ] ${'word '.repeat(20)}`, 'word-word-word-word-word-word-word-word', 'word '.repeat(20).trim()],
  ])('%s', (text, id, title) => {
    expect(parseList(text).items.map(item => [item.id, item.title])).toEqual([[id, title]]);
  });

  it('are unique, with a warning only for those that were given', () => {
    const plan = parseList('- [ ] Run tests\n- [ ] Run tests\n- [ ] Run tests\n- [ ] T001 a\n- [ ] T001 b');
    expect(plan.items.map(item => item.id)).toEqual(['run-tests', 'run-tests-2', 'run-tests-3', 'T001', 'T001-2']);
    expect(messages(plan)).toEqual(['the id "T001" is used more than once; this one is "T001-2"']);
  });

  it('do not change with the state', () => {
    const text = '- [ ] Do this [NEEDS-FIX]\n- [ ] ~~And that~~ (no)';
    expect(list(text)).toEqual(['do-this pending', 'and-that-no skipped']);
    expect(list(text.replaceAll('[ ]', '[x]').replace(' [NEEDS-FIX]', ''))).toEqual([
      'do-this done',
      'and-that-no done',
    ]);
  });
});

describe('around the items', () => {
  it('reads checks of their own, but not from fences or quotes', () => {
    const plan = parseList(
      '- [ ] a\n  verify: `npm test -- a`\n  - **Verify:** npm run b\n  ```\n  verify: no\n  ```\n  > verify: no\n\nverify: no',
    );
    expect(plan.items[0]?.verify).toEqual(['npm test -- a']);
    expect(plan.items[0]?.criteria).toEqual(['Verify: npm run b']);
  });

  it('runs only what is plainly a command; anything else is a criterion, and is told', () => {
    const verify = (words: string) => parseList(`- [ ] a\n  verify: ${words}`);
    expect(verify('`npm test`, `npm run lint` and `make`.').items[0]?.verify).toEqual([
      'npm test',
      'npm run lint',
      'make',
    ]);
    expect(verify('``echo `date` ``').items[0]?.verify).toEqual(['echo `date`']);
    for (const words of ['run full test suite', '`npm test -- "a b"` passes', 'see `a` or `b`', '`a` `']) {
      const plan = verify(words);
      expect(plan.items[0]?.verify).toEqual([]);
      expect(plan.items[0]?.criteria).toEqual([`Verify: ${words}`]);
      expect(plan.problems).toMatchObject([
        { level: 'warning', line: 2, message: expect.stringContaining('backticks') },
      ]);
    }
  });

  it('is named by the first heading, or the file', () => {
    expect(parseList('```\n# no\n```\n# The **plan** #\n- [ ] a').name).toBe('The plan');
    expect(parseList('The plan\n====\n- [ ] a').name).toBe('The plan');
    expect(parseList('- [ ] a').name).toBe('PROGRESS');
  });

  it('tells an item its section and line', () => {
    const plan = parseList('# Plan\n\n## Phase 1\n### Setup\n- [ ] a\n## Phase 2\n- [ ] b');
    expect(plan.items).toMatchObject([
      { line: 5, body: 'Section: Phase 1 > Setup' },
      { line: 7, body: 'Section: Phase 2' },
    ]);
  });

  it('takes the PROMPT.md beside it as instructions', () => {
    const read = (path: string) => (path === 'docs/PROMPT.md' ? 'Be brief.' : undefined);
    const plan = texts(checklist).parse('- [ ] a', 'docs/fix_plan.md', { ...noFiles, read });
    expect(plan.instructions).toBe('Be brief.');
  });

  test.each([
    ['empty', '', 1],
    ['without boxes', '# Plan\n\nSome words.\n', 1],
    ['with all boxes in a fence', '```\n- [x] a\n```', 1],
    ['in conflict', '- [x] a\n<<<<<<< HEAD\n- [x] b\n=======\n- [ ] b\n>>>>>>> other\n', 2],
  ])('is an error when %s, and never written to', (_, text, line) => {
    expect(parseList(text).problems.find(({ level }) => level === 'error')).toMatchObject({ line, column: 1 });
    expect(texts(checklist).mark(text, { id: 'a', to: 'done' }).ok).toBe(false);
    expect(texts(checklist).append(text, { id: 'FIX-1', title: 't', body: '', criteria: [] }).ok).toBe(false);
  });

  it('is not a checklist when it is a prompt, a folder or has no box', () => {
    const files = (text: string) => ({ ...noFiles, read: () => text });
    expect(checklist.find('a/notes.md', files('- [ ] a'))).toBe('a/notes.md');
    expect(checklist.find('a/notes.md', files('words'))).toBeUndefined();
    expect(checklist.find('a/PROMPT.md', files('- [ ] a'))).toBeUndefined();
    expect(checklist.find('a/notes.txt', files('- [ ] a'))).toBeUndefined();
    expect(checklist.find('a/fix_plan.md', files('words'))).toBe('a/fix_plan.md');
    expect(checklist.find('a/fix_plan.md', { ...noFiles, isFolder: () => true })).toBeUndefined();
  });
});

describe('what people write about a task', () => {
  const read = (line: string) => parseList(`${line}\n- [ ] another task\n`).items[0];
  test.each([
    ['- [ ] Pay (BLOCKED: needs a key)', { title: 'Pay', status: 'blocked', note: 'needs a key' }],
    ['- [ ] Pay [DEFERRED to v2]', { title: 'Pay', status: 'skipped', note: 'DEFERRED to v2' }],
    ['- [ ] Pay (blocked by tests before)', { title: 'Pay (blocked by tests before)', status: 'pending' }],
    ['- [ ] P0: Pay', { id: 'p0-pay', title: 'P0: Pay', status: 'pending' }],
    ['- [ ] Read `[ ]`, [x] and [~] in lists', { status: 'pending' }],
  ])('%s', (line, expected) => {
    expect(read(line)).toMatchObject(expected);
  });

  test('a task under a heading called Legend stays one, and what explains boxes is counted', () => {
    const plan = parseList('## Legend\n\n- [ ] open\n- [x] done\n- [ ] Draw the legend of the map\n');
    expect(plan.items.map(({ title }) => title)).toEqual(['Draw the legend of the map']);
    expect(messages(plan)).toEqual(['2 boxes are read as a legend and not as a task (lines 3, 4)']);
  });
});
