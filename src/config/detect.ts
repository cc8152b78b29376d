/** What a repository says about itself when the config is silent: the gates it already has. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../util/files.ts';
import { jsonFields } from '../util/json.ts';

/** Commands that prove the repository healthy, cheapest first. Empty when nothing is certain. */
export function detectGates(root: string): readonly string[] {
  const places = [nodeGates, makeGates, cargoGates, goGates, pythonGates, javaGates, phpGates];
  const found = places.map(detect => detect(root));
  return found.find(gates => gates.length > 0) ?? [];
}

/** Files that give a language away; the first that is there counts. */
const LANGUAGES: readonly (readonly [language: string, ...files: readonly string[]])[] = [
  ['TypeScript', 'tsconfig.json', 'deno.json'],
  ['JavaScript', 'package.json'],
  ['Rust', 'Cargo.toml'],
  ['Go', 'go.mod'],
  ['Python', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'pytest.ini'],
  ['Java or Kotlin', 'build.gradle', 'build.gradle.kts', 'pom.xml'],
  ['PHP', 'composer.json'],
  ['Ruby', 'Gemfile'],
  ['Elixir', 'mix.exs'],
];

/** What the repository is written in, for people. */
export const detectLanguage = (root: string): string | undefined =>
  LANGUAGES.find(([, ...files]) => files.some(file => existsSync(join(root, file))))?.[0];

/** Scripts by what they are for, the cheapest first; of several names the first that is there counts. */
const SCRIPTS = [['typecheck', 'type-check', 'check-types'], ['lint'], ['test']] as const;

function nodeGates(root: string): readonly string[] {
  const { scripts, manager } = readPackage(root);
  return SCRIPTS.flatMap(names => {
    // What `npm init` writes is a placeholder, not a test; what watches does not end.
    const name = names.find(each => scripts[each] && !/no test specified|--watch\b/.test(scripts[each] ?? ''));
    if (name === undefined) return [];
    // `bun test` is a test runner of its own, not the script.
    return name === 'test' && manager !== 'bun' ? [`${manager} test`] : [`${manager} run ${name}`];
  });
}

const LOCKS: readonly (readonly [manager: string, lock: string])[] = [
  ['pnpm', 'pnpm-lock.yaml'],
  ['yarn', 'yarn.lock'],
  ['bun', 'bun.lock'],
  ['bun', 'bun.lockb'],
  ['npm', 'package-lock.json'],
];

function readPackage(root: string): { scripts: Readonly<Record<string, string>>; manager: string } {
  const { scripts, packageManager } = readJson(join(root, 'package.json'));
  const named = /^(npm|pnpm|yarn|bun)@/.exec(typeof packageManager === 'string' ? packageManager : '')?.[1];
  const locked = LOCKS.find(([, lock]) => existsSync(join(root, lock)))?.[0];
  return { scripts: textsIn(scripts), manager: named ?? locked ?? 'npm' };
}

function makeGates(root: string): readonly string[] {
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].map(name => readText(join(root, name))).find(Boolean) ?? '';
  const target = ['ci', 'check', 'test'].find(name => new RegExp(`^${name}\\s*::?(?!=)`, 'm').test(makefile));
  return target ? [`make ${target}`] : [];
}

const cargoGates = (root: string): readonly string[] => (existsSync(join(root, 'Cargo.toml')) ? ['cargo test'] : []);

const goGates = (root: string): readonly string[] =>
  existsSync(join(root, 'go.mod')) ? ['go vet ./...', 'go test ./...'] : [];

function pythonGates(root: string): readonly string[] {
  const has = (name: string) => existsSync(join(root, name));
  const says = (name: string, pattern: RegExp) => pattern.test(readText(join(root, name)) ?? '');
  const tested =
    says('pyproject.toml', /pytest/) ||
    says('setup.cfg', /^\[tool:pytest\]/m) ||
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some(has);
  if (!tested) return [];
  if (has('uv.lock')) return ['uv run pytest'];
  return [has('poetry.lock') ? 'poetry run pytest' : 'pytest'];
}

function javaGates(root: string): readonly string[] {
  const has = (name: string) => existsSync(join(root, name));
  if (has('gradlew') && (has('build.gradle') || has('build.gradle.kts'))) return ['./gradlew check'];
  if (!has('pom.xml')) return [];
  return [has('mvnw') ? './mvnw -q verify' : 'mvn -q verify'];
}

function phpGates(root: string): readonly string[] {
  const { scripts } = readJson(join(root, 'composer.json'));
  return typeof scripts === 'object' && scripts !== null && 'test' in scripts ? ['composer test'] : [];
}

const readJson = (file: string): { readonly scripts?: unknown; readonly packageManager?: unknown } =>
  jsonFields(readText(file));

function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
}
