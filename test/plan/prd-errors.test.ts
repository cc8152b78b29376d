import { expect, it, test } from 'vitest';
import { prd } from '../../src/plan/prd.ts';
import { parsePrd } from './support.ts';
import { texts } from './texts.ts';

test.each([
  ['nothing', '', 1, 1],
  ['white space', ' \n ', 1, 1],
  ['an empty object', '{}', 1, 1],
  ['an empty list', '\n[]', 2, 1],
  ['an empty container', '{\n  "userStories": []\n}', 2, 18],
  ['a container that is an object', '{"tasks": {"a": 1}}', 1, 1],
  ['a number', '42', 1, 1],
  ['a list of words', '["one",\n "two"]', 1, 2],
  ['one entry that is no object', '[{"id": "A"},\n null]', 2, 2],
  ['a lost comma', '[\n  {"id": "A"}\n  {"id": "B"}\n]', 3, 3],
  ['a lost brace', '{"stories": [\n  {"id": "A"},\n  "id": "B"}\n]}', 3, 7],
  ['a file cut short', '{"stories": [\n  {"id": "A"}', 2, 14],
  ['a rest of an older version', '{"stories": [{"id": "A"}]\n} 3\n}', 2, 3],
  ['a trailing comma', '[\n  {"id": "A"},\n]', 2, 14],
  ['a comment', '[\n  // first\n  {"id": "A"}\n]', 2, 3],
  ['single quotes', "[{'id': 1}]", 1, 3],
  ['a raw line break in a string', '[{"id": "A\nB"}]', 1, 11],
  ['a wrong escape', '[{"id": "\\x"}]', 1, 10],
  ['a merge conflict', '[\n<<<<<<< HEAD\n  {"id": "A"}\n=======\n  {"id": "B"}\n>>>>>>> x\n]', 2, 1],
  ['a story nested without end', `[{"id": "A", "steps": ${'['.repeat(5000)}${']'.repeat(5000)}}]`, 1, 2],
])('%s is an error with its place', (_, text, line, column) => {
  const plan = parsePrd(text);
  expect(plan.problems.find(({ level }) => level === 'error')).toMatchObject({ line, column });
  const mark = texts(prd).mark(text, { id: 'A', to: 'done' });
  expect(mark.ok).toBe(false);
  expect(texts(prd).append(text, { id: 'N', title: 'n', body: '', criteria: [] }).ok).toBe(false);
});

it('names the nearest item when the one to mark is not there', () => {
  const result = texts(prd).mark('[{"id": "US-001"}]', { id: 'US-01', to: 'done' });
  expect(result).toMatchObject({ ok: false, error: { reason: 'unknown-item', hint: 'Did you mean "US-001"?' } });
});
