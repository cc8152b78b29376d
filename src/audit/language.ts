/** The language of a file, by its name; guards read many languages and parse none. */

export type Language =
  | 'js'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'kotlin'
  | 'csharp'
  | 'swift'
  | 'php'
  | 'c'
  | 'ruby'
  | 'elixir'
  | 'shell'
  | 'yaml'
  | 'toml'
  | 'json'
  | 'make'
  | 'xml'
  | 'text';

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  Object.entries({
    js: 'js mjs cjs jsx ts mts cts tsx vue svelte astro',
    python: 'py pyi pyw',
    go: 'go',
    rust: 'rs',
    java: 'java scala groovy gradle dart',
    kotlin: 'kt kts',
    csharp: 'cs',
    swift: 'swift',
    php: 'php',
    c: 'c h cc cpp cxx hpp hh m mm',
    ruby: 'rb rake gemspec ru',
    elixir: 'ex exs',
    shell: 'sh bash zsh fish bats',
    yaml: 'yml yaml neon',
    toml: 'toml ini cfg conf editorconfig properties bazelrc',
    json: 'json jsonc json5',
    xml: 'xml html htm csproj props targets fsproj vbproj dist runsettings',
  }).flatMap(([language, extensions]) => extensions.split(' ').map(end => [end, language as Language] as const)),
);

const BY_NAME: readonly (readonly [RegExp, Language])[] = [
  [/^(?:gnu)?makefile$|\.mk$|^justfile$|^\.justfile$/i, 'make'],
  [/^(?:rakefile|gemfile|guardfile|fastfile|\.simplecov|\.irbrc)$/i, 'ruby'],
  [/^jenkinsfile/i, 'java'],
  [/^(?:\.eslintrc|\.nycrc|\.c8rc|\.babelrc|\.swcrc|\.stylelintrc|\.prettierrc|\.jshintrc|\.oxlintrc)$/, 'json'],
  [/^(?:\.flake8|\.pylintrc|pylintrc|\.coveragerc|\.npmrc|\.gitconfig|\.gitmodules|setup\.cfg|tox\.ini)$/, 'toml'],
  [/^(?:dockerfile|containerfile)|^procfile$|^\.env/i, 'shell'],
];

/** The language of a path; `text` for files without code. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const byName = BY_NAME.find(([pattern]) => pattern.test(name));
  if (byName) return byName[1];
  const dot = name.lastIndexOf('.');
  const known = dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1).toLowerCase());
  if (known) return known;
  // Hooks are scripts without a file extension.
  return dot < 0 && /(^|\/)\.?(?:husky|githooks|hooks|bin|scripts)\//.test(path) ? 'shell' : 'text';
}

const CODE: ReadonlySet<Language> = new Set([
  'js',
  'python',
  'go',
  'rust',
  'java',
  'kotlin',
  'csharp',
  'swift',
  'php',
  'c',
  'ruby',
  'elixir',
]);

export const isCode = (language: Language): boolean => CODE.has(language);

/** Whether blocks are delimited by braces, not by indentation or `end`. */
export const hasBraces = (language: Language): boolean =>
  isCode(language) && language !== 'python' && language !== 'ruby' && language !== 'elixir';
