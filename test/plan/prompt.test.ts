import { expect, it, test } from 'vitest';
import { prompt, promptPlan } from '../../src/plan/prompt.ts';
import { noFiles } from './support.ts';
import { texts } from './texts.ts';

it('is one item that repeats, with the whole text as its body', () => {
  const text = 'Intro\n\n# Make it fast\n\n- [ ] not a task\n';
  const plan = texts(prompt).parse(text, 'PROMPT.md', noFiles);
  expect(plan).toMatchObject({ format: 'prompt', name: 'Make it fast', repeats: true, problems: [] });
  expect(plan.items).toMatchObject([{ id: 'prompt', title: 'Make it fast', status: 'pending', body: text }]);
});

it('takes a text without a file and cuts a long first line for the title', () => {
  const plan = promptPlan(`${'word '.repeat(40)}\nmore`, '');
  expect(plan.items[0]?.title.length).toBeLessThanOrEqual(72);
  expect(plan.items[0]?.title).toMatch(/^word word .*…$/);
});

test.each([
  ['', 1],
  [' \n', 1],
  ['do it\n<<<<<<< HEAD\nthis\n=======\nthat\n>>>>>>> b\n', 2],
])('%j is an error', (text, line) => {
  expect(promptPlan(text, 'PROMPT.md').problems).toMatchObject([{ level: 'error', line }]);
});

test.each(['## [ ] Phase 2', '| task | [x] |', '    - [ ] code', '> - [ ] quote', '[ ] no bullet'])(
  'says that the box in %j is no task',
  line => {
    const text = `# Plan\n\nWork.\n${line}\n`;
    expect(promptPlan(text, 'docs/plan-b.md').problems).toMatchObject([{ level: 'warning', line: 4, column: 1 }]);
    expect(promptPlan(text, 'PROMPT.md').problems).toEqual([]);
    expect(promptPlan(text.replace(line, 'Tick it as [x].'), 'docs/plan-b.md').problems).toEqual([]);
  },
);

it('holds no state in its file and takes no further items', () => {
  expect(texts(prompt).mark('text', { id: 'prompt', to: 'done' })).toEqual({ ok: true, value: 'text' });
  expect(texts(prompt).append('text', { id: 'FIX-1', title: '', body: '', criteria: [] })).toMatchObject({
    ok: false,
    error: { reason: 'cannot-append' },
  });
});
