/** How reactions are chosen and lifted. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkGuards, guards } from '../../src/audit/rules/all.ts';
import type { GuardInput, GuardRules } from '../../src/protocol.ts';
import { plainItem, plainRules } from '../support/samples.ts';

const rules = plainRules;
const item = plainItem({ title: 'Add a total' });
const before = "it('adds up', () => {\n  expect(total([1, 2])).toBe(3);\n});\n";
const after = before.replace('it(', 'it.skip(').replace('toBe(3)', 'toBe(4)');

function look(
  files: Readonly<Record<string, readonly [string, string]>>,
  more: Partial<GuardInput> = {},
): readonly string[] {
  const changes = Object.keys(files).map(path => ({
    path,
    kind: 'modified' as const,
    added: 1,
    deleted: 1,
    binary: false,
    mode: '100644',
  }));
  const text = (path: string) => ({ before: files[path]?.[0] ?? '', after: files[path]?.[1] ?? '' });
  const findings = checkGuards({ changes, item, rules, linkTarget: () => undefined, text, ...more });
  return findings.map(({ rule, level, path, line }) => `${level} ${rule} ${path}:${line}`);
}

const skip = { 'test/cart.test.js': [before, after] as const };

describe('a guard', () => {
  it('has a sentence about itself and a name that is its key', () => {
    for (const [name, rule] of Object.entries(guards)) {
      expect(rule.id).toBe(name);
      expect(rule.about).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('is described in the documents as it is', () => {
    const page = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');
    for (const { id, level, inRange, about } of Object.values(guards)) {
      const reaction = inRange === undefined ? level : `${level} (${inRange} in \`ralph audit\`)`;
      expect(page).toContain(`| \`${id}\` | ${reaction} | ${about} |`);
    }
  });

  it('reacts as the user chose', () => {
    const with_ = (levels: GuardRules['levels']) => look(skip, { rules: { ...rules, ...(levels && { levels }) } });
    expect(with_(undefined)).toContain('block test-skip test/cart.test.js:1');
    expect(with_({ 'test-skip': 'warn' })).toContain('warn test-skip test/cart.test.js:1');
    expect(with_({ 'test-skip': 'note' })).toContain('note test-skip test/cart.test.js:1');
    expect(with_({ 'test-skip': 'off' }).join()).not.toContain('test-skip');
    expect(with_({ 'test-expectation': 'block' })).toContain('block test-expectation test/cart.test.js:2');
  });

  it('takes an ordinary edit of a workflow for a note on a range, and blocks it where the item does not speak of it', () => {
    const edit = {
      '.github/workflows/ci.yml': ['  - uses: actions/checkout@v4\n', '  - uses: actions/checkout@v5\n'] as const,
    };
    expect(look(edit, { scope: 'range' })).toEqual(['note ci-edited .github/workflows/ci.yml:undefined']);
    expect(look(edit)).toEqual(['block ci-edited .github/workflows/ci.yml:undefined']);
  });

  it('of a case that it takes less seriously stays below its own level, unless the user raised it', () => {
    const fresh = { 'test/new.test.js': ['', after] as const };
    expect(look(fresh)).toContain('warn test-skip test/new.test.js:1');
    expect(look(fresh, { rules: { ...rules, levels: { 'test-skip': 'note' } } })).toContain(
      'note test-skip test/new.test.js:1',
    );
    const todo = { 'src/a.js': ['', '// TODO later\nexport const a = 1;\n'] as const };
    expect(look(todo, { rules: { ...rules, levels: { todo: 'block' } } })).toContain('block todo src/a.js:1');
  });

  it('is lifted by the item, for the paths it names', () => {
    const lifted = (...allow: readonly string[]) => look(skip, { item: { ...item, allow } }).join();
    expect(lifted('test-skip')).not.toContain('test-skip');
    expect(lifted('test-skip:test/**')).not.toContain('test-skip');
    expect(lifted('test-skip:test')).not.toContain('test-skip');
    expect(lifted('test-skip:src/**')).toContain('test-skip');
    expect(lifted('test-focus')).toContain('test-skip');
    expect(lifted('test-skip-conditional')).toContain('block test-skip ');
  });

  it('about tests is off where tests are free', () => {
    expect(look(skip, { rules: { ...rules, tests: 'free' } })).toEqual([]);
    expect(look(skip, { rules: { ...rules, tests: 'protect' } })).not.toEqual([]);
  });

  it('about manifests goes by the item, and is off where they are free', () => {
    const manifest = (name: string) => `{ "dependencies": { "${name}": "^1.0.0" } }\n`;
    const changed = { 'package.json': [manifest('zod'), manifest('react')] as const };
    expect(look(changed).join()).toContain('block manifest ');
    expect(look(changed, { item: { ...item, title: 'Move from zod to React' } })).toEqual([]);
    expect(look(changed, { item: { ...item, criteria: ['package.json lists it'] } })).toEqual([]);
    expect(look(changed, { rules: { ...rules, manifests: 'free' } })).toEqual([]);
    const specified = { ...item, body: 'As in docs/specs/spec-1.md' };
    const spec = (text: string) =>
      look(changed, { item: specified, unchanged: new Map([['docs/specs/spec-1.md', text]]) });
    expect(spec('## Dependencies\n\n- react, instead of `zod`.\n')).toEqual([]);
    expect(spec('## Dependencies\n\n- react-dom, @my/zod\n').join()).toContain('block manifest ');
    expect(look(changed, { unchanged: new Map([['docs/specs/spec-1.md', 'zod, react']]) }).join()).toContain(
      'manifest',
    );
    expect(look(changed, { scope: 'range' }).join()).toContain('warn manifest ');
  });

  it('tells of many alike in a few findings', () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `it('t${index}', () => { expect(f(${index})).toBe(${index}); });\n`,
    ).join('');
    const found = look({ 'test/a.test.js': [many, many.replaceAll('it(', 'it.skip(')] });
    expect(found.filter(finding => finding.includes('test-skip')).length).toBe(20);
  });

  it('says nothing of words that only quote a cheat', () => {
    const text = 'Never write `it.skip(`, `|| true` or `// @ts-nocheck`.\n';
    expect(
      look(
        { 'docs/rules.md': ['', text], 'src/rules.js': ['', `export const rules = ${JSON.stringify(text)};\n`] },
        { item: { ...item, title: 'docs' } },
      ),
    ).toEqual([]);
  });
});
