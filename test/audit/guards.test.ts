import { describe, expect, it } from 'vitest';
import { checkGuards } from '../../src/audit/rules/all.ts';
import type { Change, GuardRules } from '../../src/protocol.ts';
import { plainItem, plainRules } from '../support/samples.ts';

const rules = plainRules;
const item = plainItem({ title: 'write the docs' });
const change = (path: string, more: Partial<Change> = {}): Change => {
  return { path, kind: 'added', added: 1, deleted: 0, binary: false, mode: '100644', ...more };
};
const check = (
  changes: readonly Change[],
  over: Partial<GuardRules> = {},
  links: Readonly<Record<string, string>> = {},
) =>
  checkGuards({ changes, item, rules: { ...rules, ...over }, linkTarget: path => links[path] }).map(
    finding => `${finding.level} ${finding.rule}${finding.path ? ` ${finding.path}` : ''}`,
  );

describe('guards', () => {
  it('hold where nothing is wrong', () => {
    expect(check([change('src/a.ts'), change('docs/ü n.md')])).toEqual([]);
  });

  it('keep to the allowed paths', () => {
    const allow = ['src/**', 'tests'];
    expect(check([change('src/deep/a.ts'), change('tests/a.ts')], { allow })).toEqual([]);
    expect(check([change('src/a.ts'), change('srcs/a.ts')], { allow })).toEqual(['block allowed-paths srcs/a.ts']);
    expect(check([change('src/.hidden')], { allow })).toEqual([]);
  });

  it('keep out of forbidden paths, deletions too', () => {
    const forbid = ['data/**', '*.lock'];
    expect(check([change('data/x', { kind: 'deleted' })], { forbid })).toEqual(['block forbidden-paths data/x']);
    expect(check([change('a.lock')], { forbid })).toEqual(['block forbidden-paths a.lock']);
    expect(check([change('database/x')], { forbid })).toEqual([]);
    expect(check([change('data/.git-keep')], { forbid })).toEqual(['block forbidden-paths data/.git-keep']);
  });

  it('let write-once files be added, not changed or removed', () => {
    const writeOnce = ['docs/_archive/**'];
    expect(check([change('docs/_archive/new.md')], { writeOnce })).toEqual([]);
    for (const kind of ['modified', 'deleted', 'type-changed'] as const) {
      expect(check([change('docs/_archive/old.md', { kind })], { writeOnce })).toContain(
        'block write-once docs/_archive/old.md',
      );
    }
  });

  it('warn at 10 files or 500 net lines and block at 60 or 5,000', () => {
    const files = (count: number) => Array.from({ length: count }, (_, index) => change(`f${index}`));
    const lines = (added: number, deleted = 0) => [change('f', { added, deleted })];
    expect(check(files(10))).toEqual([]);
    expect(check(files(11))).toEqual(['warn size']);
    expect(check(files(60))).toEqual(['warn size']);
    expect(check(files(61))).toEqual(['block size']);
    expect(check(lines(500))).toEqual([]);
    expect(check(lines(501))).toEqual(['warn size']);
    expect(check(lines(5001))).toEqual(['block size']);
    expect(check(lines(6000, 5900))).toEqual([]);
    expect(check(files(3), { files: 2, warnFiles: 1 })).toEqual(['block size']);
  });

  it('let nothing point out of the work tree', () => {
    const link = (path: string, target: string) => check([change(path, { mode: '120000' })], {}, { [path]: target });
    expect(link('a/link', '../b')).toEqual([]);
    expect(link('a/link', '../../b')).toEqual(['block inside-only a/link']);
    expect(link('link', '/etc/passwd')).toEqual(['block inside-only link']);
    expect(link('link', '.git/config')).toEqual(['block inside-only link']);
    expect(link('link', 'sub/../../x')).toEqual(['block inside-only link']);
    expect(check([change('vendor', { mode: '160000' })])).toEqual(['block inside-only vendor']);
  });
});
