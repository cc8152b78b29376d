/** What a repository says about itself. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { detectGates } from '../../src/config/detect.ts';
import { parseConfig } from '../../src/config/read.ts';
import { askFor, type Guess, guessed } from '../../src/init/choices.ts';
import { configText } from '../../src/init/config-text.ts';
import { survey } from '../../src/init/survey.ts';

const top = mkdtempSync(join(tmpdir(), 'ralph-init-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let made = 0;
function folderWith(files: Readonly<Record<string, string>>): string {
  const root = join(top, String(made++));
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const scripts = (names: Readonly<Record<string, string>>, more = {}) => JSON.stringify({ scripts: names, ...more });
const all = scripts({ typecheck: 'tsc', lint: 'eslint .', test: 'vitest' });

describe('gates', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing', {}, []],
    ['npm', { 'package.json': all }, ['npm run typecheck', 'npm run lint', 'npm test']],
    ['pnpm', { 'package.json': all, 'pnpm-lock.yaml': '' }, ['pnpm run typecheck', 'pnpm run lint', 'pnpm test']],
    ['yarn', { 'package.json': scripts({ test: 'jest' }), 'yarn.lock': '' }, ['yarn test']],
    [
      'bun, whose own `bun test` is something else',
      { 'package.json': scripts({ test: 'x' }), 'bun.lock': '' },
      ['bun run test'],
    ],
    [
      'the named manager',
      { 'package.json': scripts({ test: 'x' }, { packageManager: 'pnpm@9.1.0' }), 'yarn.lock': '' },
      ['pnpm test'],
    ],
    ['other names for the same', { 'package.json': scripts({ 'check-types': 'tsc' }) }, ['npm run check-types']],
    [
      'neither a placeholder nor a watcher',
      { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1', lint: 'eslint --watch' }) },
      [],
    ],
    ['a broken package.json', { 'package.json': '{' }, []],
    ['make', { Makefile: 'test: build\n\ttrue\ncheck:\n\ttrue\n' }, ['make check']],
    ['no target of make, only a variable', { Makefile: 'test := x\n' }, []],
    ['cargo', { 'Cargo.toml': '[package]' }, ['cargo test']],
    ['go', { 'go.mod': 'module x' }, ['go vet ./...', 'go test ./...']],
    ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, ['pytest']],
    ['pytest by uv', { 'pyproject.toml': 'dev = ["pytest"]', 'uv.lock': '' }, ['uv run pytest']],
    ['pytest by poetry', { 'tests/conftest.py': '', 'poetry.lock': '' }, ['poetry run pytest']],
    ['python without tests', { 'pyproject.toml': '[project]' }, []],
    ['gradle by its wrapper', { 'build.gradle.kts': '', gradlew: '' }, ['./gradlew check']],
    ['maven', { 'pom.xml': '' }, ['mvn -q verify']],
    ['composer', { 'composer.json': '{"scripts": {"test": ["phpunit"]}}' }, ['composer test']],
  ])('%s', (_, files, gates) => {
    expect(detectGates(folderWith(files))).toEqual(gates);
  });
});

describe('the first config', () => {
  test('is read back as what was found, whatever it holds', () => {
    const gates = ['npm test', 'true', 'no', 'a: b # c', '- x', '"q"', '{x}', '1', ' y ', 'sh -c \'echo "$A" && b\''];
    const read = parseConfig(configText({ plan: 'docs/my plan.md', agent: './agent', gates }), 'ralph.yaml');
    expect(read).toMatchObject({ ok: true, value: { plan: 'docs/my plan.md', agent: './agent', gates } });
    const bare = parseConfig(configText({ plan: 'prd.json', agent: undefined, gates: [] }), 'ralph.yaml');
    expect(bare.ok && Object.keys(bare.value)).toEqual(['plan', 'limits']);
  });
});

describe('asking', () => {
  const surveyOf = (files: Readonly<Record<string, string>>) => {
    const found = survey(folderWith(files));
    if (!found.ok) throw new Error(found.error.message);
    return found.value;
  };
  const guess = (files: Readonly<Record<string, string>>, more: Partial<Guess> = {}): Guess => ({
    format: undefined,
    agent: undefined,
    agents: [],
    found: surveyOf(files),
    ...more,
  });
  /** Answers in turn, and remembers what was asked. */
  const answers = (...given: readonly string[]) => {
    const asked: string[] = [];
    return { asked, question: async (text: string) => given[asked.push(text) - 1] ?? '' };
  };

  test('is for what cannot be known, and again for an answer that is none', async () => {
    const { asked, question } = answers('grups', ' groups ', 'codex', 'make it');
    const chosen = await askFor(guess({}, { agents: ['claude', 'codex'] }), question);
    expect(chosen).toEqual({ format: 'groups', agent: 'codex', gates: ['make it'] });
    expect(asked).toHaveLength(4);
  });

  test('takes what is offered where the answer is empty', async () => {
    const { question } = answers();
    const open = guess({}, { agents: ['claude', 'codex'] });
    expect(await askFor(open, question)).toEqual({ format: 'prd', agent: 'claude', gates: [] });
    expect(guessed(open)).toEqual({ format: 'prd', agent: 'claude', gates: [] });
  });

  test('is left out where everything is known', async () => {
    const { asked, question } = answers();
    const known = guess({ 'TODO.md': '- [ ] a\n', 'Cargo.toml': '' }, { agents: ['claude'] });
    expect(await askFor(known, question)).toEqual({ format: 'checklist', agent: 'claude', gates: ['cargo test'] });
    expect(asked).toEqual([]);
  });
});
