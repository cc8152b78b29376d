/** `ralph audit` on real repositories. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ralph } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const TEST = `it('adds up', () => {
  expect(total([1, 2])).toBe(3);
});
`;
const files = { 'src/cart.js': 'export const total = items => items.length;\n', 'test/cart.test.js': TEST };
/** Made up here, so that nobody's scanner takes this file for a leak. */
const TOKEN = ['ghp', 'q7RkT2vWx9LmN4pZs8BcD6fGh3JyKe5AuQ1r'].join('_');

function commit(repo: Repo, changes: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(changes)) repo.write(path, text);
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'Change');
}

const skipped = { 'test/cart.test.js': TEST.replace('it(', 'it.skip(') };

describe.concurrent('ralph audit', () => {
  test('says that a clean range is clean', async () => {
    const repo = makeRepo({ files });
    commit(repo, { 'src/cart.js': 'export const total = items => items.reduce((a, b) => a + b, 0);\n' });
    const { code, stdout } = await repo.ralph(['audit', 'HEAD~1..HEAD']);
    expect(stdout).toBe('HEAD~1..HEAD: 1 file, +1 -1\nclean\n');
    expect(code).toBe(0);
  });

  test('names rule, file and line, and ends with 1', async () => {
    const repo = makeRepo({ files });
    commit(repo, skipped);
    const { code, stdout } = await repo.ralph(['audit', 'HEAD~1..HEAD']);
    expect(code).toBe(1);
    expect(stdout).toContain('block  test-skip  test/cart.test.js:1\n');
    expect(stdout).toContain('1 to block');
  });

  test('compares the current branch with main where no range is named', async () => {
    const repo = makeRepo({ files });
    repo.git('switch', '-q', '-c', 'work');
    commit(repo, skipped);
    repo.git('switch', '-q', 'main');
    commit(repo, { 'other.txt': 'other\n' });
    repo.git('switch', '-q', 'work');
    const { code, stdout } = await repo.ralph(['audit']);
    expect(stdout).toMatch(/^main\.\.HEAD: 1 file/);
    expect(code).toBe(1);
  });

  test('needs neither a config nor a work tree', async () => {
    const repo = makeRepo({ files });
    commit(repo, skipped);
    repo.git('clone', '-q', '--bare', repo.root, join(repo.outside, 'bare'));
    const { code } = await ralph(['audit', 'HEAD~1..HEAD'], { cwd: join(repo.outside, 'bare'), home: repo.home });
    expect(code).toBe(1);
    const nowhere = await ralph(['audit'], { cwd: repo.outside, home: repo.home });
    expect([nowhere.code, nowhere.stdout]).toEqual([4, '']);
    expect(nowhere.stderr).toContain('not inside a git repository');
  });

  test('prints JSON, SARIF and Markdown', async () => {
    const repo = makeRepo({ files });
    commit(repo, skipped);
    const json = JSON.parse((await repo.ralph(['audit', 'HEAD~1..HEAD', '--json'])).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({ base: 'HEAD~1', head: 'HEAD', files: 1, counts: { block: 1, warn: 0 } });
    expect(json['findings']).toMatchObject([{ rule: 'test-skip', level: 'block', path: 'test/cart.test.js', line: 1 }]);
    const sarif = JSON.parse((await repo.ralph(['audit', 'HEAD~1..HEAD', '--sarif'])).stdout) as {
      runs: {
        tool: { driver: { rules: { id: string }[] } };
        results: { ruleId: string; ruleIndex: number; level: string; locations: unknown[] }[];
      }[];
    };
    const [run] = sarif.runs;
    const [result] = run?.results ?? [];
    expect(result).toMatchObject({ ruleId: 'test-skip', level: 'error' });
    expect(run?.tool.driver.rules[result?.ruleIndex ?? -1]?.id).toBe('test-skip');
    expect(result?.locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: 'test/cart.test.js' }, region: { startLine: 1 } } },
    ]);
    const markdown = await repo.ralph(['audit', 'HEAD~1..HEAD', '--markdown']);
    expect(markdown.stdout).toContain('| block | test-skip | test/cart.test.js:1 |');
    const both = await repo.ralph(['audit', '--json', '--sarif']);
    expect([both.code, both.stderr]).toEqual([2, 'ralph: --json and --sarif exclude each other\n']);
  });

  test.each([
    ['mian..HEAD', 'range "mian..HEAD", character 1: there is no commit, branch or tag "mian"\n  Did you mean "main"?'],
    ['main..nowhere', 'range "main..nowhere", character 7: there is no commit, branch or tag "nowhere"'],
    ['main...nowhere', 'range "main...nowhere", character 8: there is no commit'],
    ['deadbeef', 'range "deadbeef", character 1: there is no commit'],
    ['--output=/tmp/x..HEAD', 'has no flag --output'],
  ])('refuses the range %s with its exact place', async (range, said) => {
    const repo = makeRepo({ files });
    const { code, stderr, stdout } = await repo.ralph(['audit', range]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });

  test('lifts a guard that is named, for the paths that are named', async () => {
    const repo = makeRepo({ files });
    commit(repo, skipped);
    const codes = async (allow: string) => (await repo.ralph(['audit', 'HEAD~1..HEAD', '--allow', allow])).code;
    expect(await codes('test-skip:test/**')).toBe(0);
    expect(await codes('test-focus, test-skip')).toBe(0);
    expect(await codes('test-skip:spec/**')).toBe(1);
    const { code, stderr } = await repo.ralph(['audit', 'HEAD~1..HEAD', '--allow', 'test-skp']);
    expect([code, stderr]).toEqual([2, 'ralph: --allow: there is no guard "test-skp"; did you mean "test-skip"?\n']);
    expect((await repo.ralph(['audit', 'HEAD~1..HEAD', '--allow', 'size:src/[a'])).code).toBe(2);
  });

  test('obeys the config of the base, not one that came with the change', async () => {
    const off = '{"guards": {"rules": {"test-skip": "off"}}}\n';
    const repo = makeRepo({ files });
    commit(repo, { ...skipped, 'ralph.json': off });
    const smuggled = await repo.ralph(['audit', 'HEAD~1..HEAD']);
    expect(smuggled.code).toBe(1);
    expect(smuggled.stdout).toContain('agent-control  ralph.json');
    const known = makeRepo({ files: { ...files, 'ralph.json': off } });
    commit(known, skipped);
    expect((await known.ralph(['audit', 'HEAD~1..HEAD'])).code).toBe(0);
    const loud = makeRepo({ files: { ...files, 'ralph.json': '{"guards": {"rules": {"todo": "block"}}}\n' } });
    commit(loud, { 'src/cart.js': '// TODO more\nexport const total = items => items.length;\n' });
    expect((await loud.ralph(['audit', 'HEAD~1..HEAD'])).code).toBe(1);
  });

  test.each([
    [
      'guards: {rules: {test-skp: off}}',
      'ralph.yaml:1:18: guards.rules: unknown key "test-skp"\n  Did you mean "test-skip"?',
    ],
    ['guards:\n  forbid: ["data/["]', 'ralph.yaml:2:'],
    ['guards: {rules: {size: loud}}', 'ralph.yaml:1:18: guards.rules.size must be off, note, warn or block'],
  ])('refuses the config %j with its place', async (config, said) => {
    const repo = makeRepo({ files: { ...files, 'ralph.yaml': config } });
    commit(repo, skipped);
    const { code, stderr } = await repo.ralph(['audit', 'HEAD~1..HEAD']);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  test('never shows a secret', async () => {
    const repo = makeRepo({ files });
    commit(repo, { 'src/cart.js': `export const token = '${TOKEN}';\n`, 'docs/a.md': `Use ${TOKEN}.\n` });
    for (const format of [[], ['--json'], ['--sarif'], ['--markdown']]) {
      const { code, stdout, stderr } = await repo.ralph(['audit', 'HEAD~1..HEAD', ...format]);
      expect(code).toBe(1);
      expect(stdout).toContain('secret');
      expect(stdout + stderr).not.toContain(TOKEN.slice(4, 16));
    }
  });

  test('sees what an attribute hides from a patch', async () => {
    const repo = makeRepo({ files: { ...files, '.gitattributes': '*.test.js binary\n' } });
    commit(repo, skipped);
    expect((await repo.ralph(['audit', 'HEAD~1..HEAD'])).stdout).toContain('test-skip  test/cart.test.js:1');
  });

  test('lives with any name and any kind of file', async () => {
    const odd = ['test/a "b" \u00fc.test.js', 'test/new\nline.test.js', 'test/tab\there.test.js', 'test/-dash.test.js'];
    const repo = makeRepo({ files: Object.fromEntries(odd.map(path => [path, TEST])) });
    for (const path of odd) repo.write(path, TEST.replace('it(', 'it.skip('));
    repo.write('src/data.js', 'a\0b');
    repo.write('empty.js', '');
    symlinkSync('../../etc/passwd', join(repo.root, 'link'));
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'Change');
    const { code, stdout } = await repo.ralph(['audit', 'HEAD~1..HEAD', '--json']);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; path: string }[] };
    expect(
      findings
        .filter(({ rule }) => rule === 'test-skip')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(odd.toSorted());
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'inside-only', path: 'link' }));
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'binary', path: 'src/data.js' }));
  });

  test('looks for answers in tests that did not change', async () => {
    const fib = 'export function fib(n) {\n  return n;\n}\n';
    const repo = makeRepo({
      files: { 'src/fib.js': fib, 'test/fib.test.js': "it('knows', () => {\n  expect(fib(10)).toBe(55);\n});\n" },
    });
    commit(repo, { 'src/fib.js': fib.replace('  return n;', '  if (n === 10) return 55;\n  return n;') });
    expect((await repo.ralph(['audit', 'HEAD~1..HEAD'])).stdout).toContain('block  hard-coded  src/fib.js:2');
  });

  test('holds a manifest against the lockfile beside it', async () => {
    const manifest = (more: string) => `{\n  "dependencies": {\n    "zod": "^3.0.0"${more}\n  }\n}\n`;
    const lock = '{ "packages": { "": { "dependencies": { "zod": "^3.0.0" } } } }\n';
    const repo = makeRepo({ files: { 'package.json': manifest(''), 'package-lock.json': lock } });
    commit(repo, { 'package.json': manifest(',\n    "left-pad": "^1.0.0"') });
    expect((await repo.ralph(['audit', 'HEAD~1..HEAD'])).stdout).toContain('block  manifest-lock  package.json:4');
  });
});
