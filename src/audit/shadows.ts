/**
 * New files that a tool reads instead of an existing one: a `GNUmakefile` beside a `Makefile`, a `vite.config.js` beside a
 * `vite.config.ts`. The old file stays as it is but no longer has any effect.
 */
import type { Change } from '../protocol.ts';

/** Names in the order in which a tool looks for them; the first existing one wins. */
const FAMILIES: readonly (readonly string[])[] = [
  ['GNUmakefile', 'makefile', 'Makefile'],
  ['rakefile', 'Rakefile', 'rakefile.rb', 'Rakefile.rb'],
  ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml', 'Taskfile.dist.yaml'],
  ['.justfile', 'justfile', 'Justfile'],
  ['pytest.toml', '.pytest.toml', 'pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'],
  ['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist'],
  ['phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon'],
  ['deno.json', 'deno.jsonc'],
  ['biome.json', 'biome.jsonc'],
  ['ruff.toml', '.ruff.toml', 'pyproject.toml'],
  ['mypy.ini', '.mypy.ini', 'pyproject.toml', 'setup.cfg'],
  ['.flake8', 'setup.cfg', 'tox.ini'],
  ['clippy.toml', '.clippy.toml'],
  ['rustfmt.toml', '.rustfmt.toml'],
  ['.cargo/config', '.cargo/config.toml'],
  ['build.gradle', 'build.gradle.kts'],
  ['settings.gradle', 'settings.gradle.kts'],
  ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'],
];

const SCRIPTS = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts', 'json', 'jsonc', 'yaml', 'yml', 'toml'];
/** `vite.config.ts`, `.eslintrc.json`: the same name with another file extension belongs to the same tool. */
const CONFIG = /^(.*?(?:\.(?:config|conf|workspace|setup)|rc))(?:\.([cm]?[jt]s|jsonc?|ya?ml|toml))?$/;
/** `eslint.config.js` overrides `.eslintrc.json`; `vitest.config.ts` takes precedence over `vite.config.ts`. */
const OLDER: Readonly<Record<string, readonly string[]>> = {
  'eslint.config': ['.eslintrc'],
  'stylelint.config': ['.stylelintrc'],
  'prettier.config': ['.prettierrc'],
  'vitest.config': ['vite.config'],
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The existing files that a new file of this name would override. */
export function shadowed(path: string): readonly string[] {
  const family = FAMILIES.flatMap(names => {
    const at = names.findIndex(name => path === name || path.endsWith(`/${name}`));
    const own = names[at];
    if (own === undefined) return [];
    const folder = path.slice(0, path.length - own.length);
    return names.slice(at + 1).map(name => folder + name);
  });
  const folder = folderOf(path);
  const [, stem] = CONFIG.exec(path.slice(folder.length)) ?? [];
  if (stem === undefined) return family;
  const stems = [stem, ...(OLDER[stem] ?? [])];
  const others = stems.flatMap(each => [each, ...SCRIPTS.map(end => `${each}.${end}`)]).map(name => folder + name);
  return [...family, ...others.filter(other => other !== path)];
}

/** Files to look for, because new files may override them. */
export function shadowedWanted(changes: readonly Change[]): readonly string[] {
  const changed = new Set(changes.map(({ path }) => path));
  const added = changes.filter(({ kind }) => kind === 'added');
  return [...new Set(added.flatMap(({ path }) => shadowed(path)))].filter(path => !changed.has(path));
}
