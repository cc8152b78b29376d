/** What a repository says about itself when the config is silent: the gates it already has. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../util/files.ts';

/** Commands that prove the repository healthy, cheapest first. Empty when nothing is certain. */
export function detectGates(root: string): readonly string[] {
  const found = [nodeGates, makeGates, cargoGates, goGates, pythonGates].map(detect => detect(root));
  return found.find(gates => gates.length > 0) ?? [];
}

function nodeGates(root: string): readonly string[] {
  const scripts = packageScripts(root);
  const runner = existsSync(join(root, 'pnpm-lock.yaml'))
    ? 'pnpm'
    : existsSync(join(root, 'yarn.lock'))
      ? 'yarn'
      : 'npm';
  return ['typecheck', 'lint', 'test'].flatMap(name => {
    const script = scripts[name];
    // What `npm init` writes is a placeholder, not a test.
    if (!script || /no test specified/.test(script)) return [];
    return name === 'test' ? [`${runner} test`] : [`${runner} run ${name}`];
  });
}

function packageScripts(root: string): Readonly<Record<string, string>> {
  try {
    const { scripts } = JSON.parse(readText(join(root, 'package.json')) ?? '{}') as { scripts?: unknown };
    if (typeof scripts !== 'object' || scripts === null) return {};
    return Object.fromEntries(Object.entries(scripts).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

function makeGates(root: string): readonly string[] {
  const makefile = readText(join(root, 'Makefile')) ?? '';
  const target = ['ci', 'check', 'test'].find(name => new RegExp(`^${name}\\s*:`, 'm').test(makefile));
  return target ? [`make ${target}`] : [];
}

const cargoGates = (root: string): readonly string[] => (existsSync(join(root, 'Cargo.toml')) ? ['cargo test'] : []);

const goGates = (root: string): readonly string[] =>
  existsSync(join(root, 'go.mod')) ? ['go vet ./...', 'go test ./...'] : [];

function pythonGates(root: string): readonly string[] {
  const project = readText(join(root, 'pyproject.toml')) ?? '';
  const tested = /\[tool\.pytest|pytest/.test(project) || existsSync(join(root, 'pytest.ini'));
  return tested ? [existsSync(join(root, 'uv.lock')) ? 'uv run pytest' : 'pytest'] : [];
}
