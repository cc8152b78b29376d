/** Reads the dependencies of a manifest, in the notations of many package managers. */

import { listsOf, settingsOf } from './config-values.ts';
import { languageOf } from './language.ts';

export const isManifest = (path: string): boolean =>
  /(^|\/)(?:package\.json|pyproject\.toml|requirements[^/]*\.(?:txt|in)|Pipfile|setup\.py|Cargo\.toml|go\.mod|Gemfile|[^/]*\.gemspec|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|[^/]*\.csproj|mix\.exs|Package\.swift|pubspec\.yaml|deno\.jsonc?)$/.test(
    path,
  );

/** Maps names to versions; empty if the format is not understood. */
export function dependenciesOf(path: string, text: string): ReadonlyMap<string, string> {
  if (text === '') return new Map();
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(?:package|composer|deno)\.jsonc?$/.test(name)) return fromJson(text);
  if (name === 'go.mod') return matches(text, /^[^\S\n]*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+(v[\w.+-]+)/gm);
  if (name === 'Gemfile' || name.endsWith('.gemspec'))
    return matches(
      text,
      /^[^\S\n]*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[ (]+["']([\w-]+)["'](?:\s*,\s*["']([^"']+)["'])?/gm,
    );
  if (/^requirements/.test(name))
    return matches(text, /^[^\S\n]*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>!~]=?|@)[^#;\n]*)?/gm);
  if (name === 'pom.xml') return matches(text, /<artifactId>([^<]+)<\/artifactId>\s*(?:<version>([^<]+)<)?/g);
  if (/gradle/.test(name))
    return matches(
      text,
      /\b(?:implementation|api|compileOnly|runtimeOnly|testImplementation|annotationProcessor|kapt)[ (]+["']([\w.-]+:[\w.-]+)(?::([^"']+))?["']/g,
    );
  if (/csproj$/.test(name)) return matches(text, /<PackageReference\s+Include="([^"]+)"(?:\s+Version="([^"]+)")?/g);
  if (name === 'mix.exs') return matches(text, /\{\s*:(\w+)\s*,\s*"([^"]+)"/g);
  return fromToml(path, text);
}

function matches(text: string, pattern: RegExp): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(pattern)].map(match => [match[1] ?? '', (match[2] ?? '').trim()]));
}

function fromJson(text: string): ReadonlyMap<string, string> {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const groups = [
      'dependencies',
      'devDependencies',
      'peerDependencies',
      'optionalDependencies',
      'require',
      'require-dev',
      'imports',
    ];
    return new Map(
      groups.flatMap(group => {
        const entries = value[group];
        if (typeof entries !== 'object' || entries === null) return [];
        return Object.entries(entries).flatMap(([key, version]) =>
          typeof version === 'string' ? [[key, version] as const] : [],
        );
      }),
    );
  } catch {
    return new Map();
  }
}

const DEPENDENCY_TABLE =
  /(?:^|\.)(?:dependencies|dev-dependencies|build-dependencies|dev_dependencies|packages|dev-packages|group\.[\w-]+\.dependencies)\.[\w-]+$/;

function fromToml(path: string, text: string): ReadonlyMap<string, string> {
  const language = languageOf(path) === 'text' ? 'toml' : languageOf(path);
  const table = settingsOf(text, language)
    .filter(setting => DEPENDENCY_TABLE.test(setting.path) && setting.key !== 'python' && setting.key !== 'version')
    .map(({ key, value }) => [key, value] as const);
  const inline = [...text.matchAll(/^([\w-]+)\s*=\s*\{[^}\n]*version\s*=\s*"([^"]+)"/gm)].map(
    match => [match[1] ?? '', match[2] ?? ''] as const,
  );
  const list = /pyproject\.toml$|setup\.py$/.test(path)
    ? listsOf(text, language, /^(?:dependencies|install_requires|dev|test|docs|tests_require)$/).map(({ entry }) => {
        const parts = /^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(.*)$/.exec(entry);
        return [parts?.[1] ?? entry, parts?.[2] ?? ''] as const;
      })
    : [];
  return new Map([...table, ...inline, ...list]);
}

const LOCKS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/package\.json$/, ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock']],
  [/pyproject\.toml$/, ['uv.lock', 'poetry.lock', 'pdm.lock']],
  [/Pipfile$/, ['Pipfile.lock']],
  [/Cargo\.toml$/, ['Cargo.lock']],
  [/go\.mod$/, ['go.sum']],
  [/Gemfile$/, ['Gemfile.lock']],
  [/composer\.json$/, ['composer.lock']],
  [/mix\.exs$/, ['mix.lock']],
];

/** Where the lockfile of a manifest may be: beside it, or at the root of a workspace. */
export function lockfilesOf(path: string): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const names = LOCKS.find(([pattern]) => pattern.test(path))?.[1] ?? [];
  return [...new Set(names.flatMap(name => [`${folder}${name}`, name]))];
}
