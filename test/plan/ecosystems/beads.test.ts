import { expect, it } from 'vitest';
import { beads } from '../../../src/plan/ecosystems/beads.ts';
import { texts } from '../texts.ts';
import { filesOf, nextOf, statuses } from './support.ts';

const PATH = 'repo/.beads/issues.jsonl';
const issue = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    title: `Do ${id}`,
    status: 'open',
    priority: 2,
    issue_type: 'task',
    owner: 'me@example.org',
    ...more,
  });
const needs = (id: string, other: string, type = 'blocks') => ({
  dependencies: [{ issue_id: id, depends_on_id: other, type, created_by: 'me@example.org' }],
});

const TEXT = `${[
  issue('a-1', { status: 'closed' }),
  issue('a-2', { priority: 0, ...needs('a-2', 'a-4') }),
  issue('a-3', { priority: 1, issue_type: 'epic' }),
  issue('a-3.1', { priority: 3, description: 'Ask me@example.org', ...needs('a-3.1', 'a-3', 'parent-child') }),
  issue('a-4', { created_at: '2026-01-01T00:00:00Z', acceptance_criteria: '- [ ] one\n- two' }),
  issue('a-5', { created_at: '2026-02-01T00:00:00Z', ...needs('a-5', 'a-4', 'discovered-from') }),
  issue('a-6', { status: 'in_progress' }),
  issue('a-7', { status: 'tombstone' }),
  issue('a-8', { status: 'someday' }),
].join('\n')}\n`;
const FILES = filesOf({ [PATH]: TEXT });

it('is ready as bd is, takes parts before their epic, and never shows an address', () => {
  const plan = texts(beads).parse(TEXT, PATH, FILES);
  expect(beads.find('repo/.beads', FILES)).toBe(PATH);
  expect(plan).toMatchObject({ format: 'beads', marks: 'journal', error: undefined });
  expect(statuses(plan)).toEqual({
    'a-1': 'done',
    'a-2': 'pending',
    'a-3': 'pending',
    'a-3.1': 'pending',
    'a-4': 'pending',
    'a-5': 'pending',
    'a-6': 'blocked',
    'a-8': 'blocked',
  });
  const item = (id: string) => plan.items.find(each => each.id === id);
  expect(item('a-2')?.dependsOn).toEqual(['a-4']);
  expect(item('a-3')).toMatchObject({ dependsOn: ['a-3.1'], changeOptional: true });
  expect(item('a-4')?.criteria).toEqual(['one', 'two']);
  expect(nextOf(plan)?.id).toBe('a-5');
  expect(JSON.stringify(plan)).not.toContain('@example.org');
  expect(item('a-3.1')?.body).toBe('Ask [e-mail]');
  const told = plan.problems.map(({ message }) => message).join('\n');
  expect(told).toContain('the status "someday" is not one of bd');
  expect(told).toContain('nothing is written into it');
  expect(texts(beads).mark(TEXT, { id: 'a-5', to: 'done' })).toEqual({ ok: true, value: TEXT });
});

it('refuses a line that is no issue, and says how to write the file again', () => {
  const torn = texts(beads).parse(`${TEXT}{"id": "a-9", "ti\n`, PATH, FILES);
  expect(torn.error).toMatchObject({ line: 10 });
  expect(torn.error?.message).toContain('bd export');
  expect(texts(beads).parse(`<<<<<<< ours\n${TEXT}`, PATH, FILES).error?.message).toContain('merge-conflict');
});
