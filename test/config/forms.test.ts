/** A mistake in ralph.yaml is told in the words of the manual, with its line and an example that works. */

import { describe, expect, it, test } from 'vitest';
import { forms } from '../../src/config/forms.ts';
import { configSchema, knownKeys } from '../../src/config/schema.ts';
import { makeRepo } from '../support/repo.ts';
import { complaint } from './complaint.ts';

it.each([
  ['# a\n\ngates: npm test', '3:1', 'gates must be a list of commands', 'gates: [npm test]'],
  ['limits: {time: 30}', '1:10', 'limits.time must be a duration such as 90s, 45m or 4h', 'limits: {time: 4h}'],
  ['limits: {time: soon}', '1:10', 'limits.time must be a duration such as 90s, 45m or 4h', 'limits: {time: 4h}'],
  ['timeout: 5 hours', '1:1', 'timeout must be a duration such as 90s, 45m or 4h', 'timeout: 4h'],
  ['review: maybe', '1:1', 'review must be all, off or a mapping', 'review: {items: "SPEC-*", agent: codex}'],
  ['push: true', '1:1', 'push must be off, each, end or a mapping', 'push: end'],
  ['tdd: yes', '1:1', 'tdd must be off, warn or enforce', 'tdd: warn'],
  ['workspace: there', '1:1', 'workspace must be here or worktree', 'workspace: worktree'],
  ['agent: 3', '1:1', 'agent must be a name, a path, a mapping or a list of these', 'agent: [claude, codex]'],
  ['agent: {command: ./x}', '1:9', 'agent.command must be a list', 'agent: {command: [./my-agent, --flag]}'],
  ['agent: {env: {A: 1}}', '1:15', 'agent.env must be a mapping', 'agent: {use: claude, env: {LANG: C}}'],
  ['gates: [3]', '1:9', 'gates.0 must be a command or a mapping', 'gates: [{name: test, run: npm test, timeout: 10m}]'],
  [
    'gates:\n  - {name: x}',
    '2:5',
    'gates.0.run must be a command',
    'gates: [{name: test, run: npm test, timeout: 10m}]',
  ],
  [
    'final: [{run: x, timeout: 3}]',
    '1:18',
    'final.0.timeout must be a duration',
    'final: [{run: npm run e2e, timeout: 20m}]',
  ],
  ['limits: 5', '1:1', 'limits must be a mapping', 'limits: {iterations: 50, time: 4h}'],
  ['limits: {iterations: 0}', '1:10', 'limits.iterations must be a whole number above 0', 'limits: {iterations: 50}'],
  ['max-cost: cheap', '1:1', 'max-cost must be a number of dollars above 0', 'max-cost: 25'],
  ['guards: {allow: src}', '1:10', 'guards.allow must be a list of globs', 'guards: {allow: [src/**, tests/**]}'],
  [
    'guards: {allow: ["a{b"]}',
    '1:18',
    'guards.allow.0: "a{b": Missing closing: "}"',
    'guards: {allow: [src/**, tests/**]}',
  ],
  [
    'guards: {rules: {size: loud}}',
    '1:18',
    'guards.rules.size must be off, note, warn or block',
    'guards: {rules: {test-skip: block}}',
  ],
  ['context: a.md', '1:1', 'context must be a list of paths', 'context: [docs/architecture.md]'],
  ['archive: 3', '1:1', 'archive must be a folder, off or a mapping', 'archive: archives/'],
  ['- a', '1:1', 'the config must be a mapping of keys', 'gates: [npm test]'],
])('%j is told in words', (text, place, said, example) => {
  expect(complaint(text)).toContain(`ralph.yaml:${place}: ${said}`);
  expect(complaint(text)).toContain(`\n  Example: ${example}`);
});

it.each([
  ['a: 1\ngates: [npm test\n', /^ralph\.yaml:\d:\d+: not valid YAML: .*\n {2}.*not closed/],
  ['gates: echo a: b', /^ralph\.yaml:1:\d+: not valid YAML: .*\n {2}.*quotes/],
  ['limits:\n\ttime: 4h', /^ralph\.yaml:2:\d+: not valid YAML: .*\n {2}.*spaces/],
  ['plan: a\nplan: b', /^ralph\.yaml:2:\d+: not valid YAML: .*\n {2}.*twice/],
])('%j is no YAML, and what to look for is said', (text, said) => {
  expect(complaint(text)).toMatch(said);
});

describe('the table of forms', () => {
  it('has every key of the schema', () => {
    const groups = ['limits', 'guards', 'review', 'archive', 'agent'];
    const keys = [
      ...Object.keys(configSchema.shape).filter(key => key !== '$schema'),
      ...groups.flatMap(group => knownKeys([group]).map(key => `${group}.${key}`)),
      ...['gates', 'final', 'setup', 'notify'].flatMap(list => knownKeys([list]).map(key => `${list}.*.${key}`)),
    ];
    expect(keys.filter(key => forms[key] === undefined)).toEqual([]);
  });

  it.each(Object.entries(forms))('has an example for %s that can be pasted', (_, { example }) => {
    expect(complaint(example)).toBe('ok');
  });
});

test('ralph doctor says the line, and what to write', async () => {
  const repo = makeRepo({ files: { 'ralph.yaml': 'plan: prd.json\ngates: npm test\n' } });
  const wrong = await repo.ralph(['doctor']);
  expect(wrong.stdout).toContain('ralph.yaml:2:1: gates must be a list of commands');
  expect(wrong.stdout).toContain('Example: gates: [npm test]');
  repo.write('ralph.yaml', 'plan: prd.json\ngates: [npm test\n');
  const broken = await repo.ralph(['doctor']);
  expect(broken.stdout).toMatch(/ralph\.yaml:\d:\d+: not valid YAML/);
});
