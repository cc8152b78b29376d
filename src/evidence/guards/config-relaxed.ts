/** Settings of linters, compilers and test runners that ask for less than before. */
import { type ListEntry, listsOf, type Setting, settingsOf } from '../config-values.ts';
import type { LookFile } from '../look.ts';
import { isToolConfig } from '../roles.ts';
import { lostFlags } from './lost-flags.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const configRelaxed: Rule = {
  id: 'config-relaxed',
  level: 'block',
  about: 'A linter, compiler or test runner is told to look away.',
  check: ({ files }) =>
    files.flatMap((file): readonly Found[] => {
      if (file.added.length === 0 && file.removed.length === 0) return [];
      const source = file.role === 'production' ? strictLines(file) : [];
      if (isIgnoreFile(file.path)) return [...source, ...newIgnores(file)];
      // A new file of settings has nothing to be compared with.
      if (!isToolConfig(file.path) || file.before.text === '' || file.after.text === '') return source;
      const elsewhere = files.filter(other => other !== file && isToolConfig(other.path) && other.after.text !== '');
      return [
        ...source,
        ...switches(file, elsewhere),
        ...(isBuildFile(file.path) ? [] : lists(file)),
        ...(HAS_FLAGS.test(file.path) ? lostFlags(file) : []),
        ...(/eslint/.test(file.path) ? lostRules(file) : []),
        ...(isBuildFile(file.path) ? leftOutTests(file) : []),
      ];
    }),
};

const STRICT =
  /^(?:strict\w*|noImplicit\w+|noUnused\w+|noUnchecked\w+|exactOptionalPropertyTypes|noFallthrough\w+|noPropertyAccess\w+|useUnknownInCatchVariables|alwaysStrict|checkJs|forceConsistentCasingInFileNames|noEmitOnError|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|extra_checks|strict_\w+|allWarningsAsErrors|TreatWarningsAsErrors|warningsAsErrors|warnings_as_errors|failOn\w+|failFast|failsOnError|EnableNETAnalyzers|EnforceCodeStyleInBuild|treatWarningsAsErrors|restoreMocks|failOnConsole|forbid-?[oO]nly|forbid-?[pP]ending|recommended|typecheck|xfail_strict|report(?:Optional|General|Unused|Missing|Private|Untyped|Unknown)\w*|errorOnDeprecated|strictPort|abortOnError)$/;
const RELAXED =
  /^(?:skipLibCheck|noCheck|suppressImplicitAnyIndexErrors|suppressExcessPropertyErrors|ignore_errors|ignore_missing_imports|allow_untyped_\w+|allow_redefinition|implicit_reexport|ignoreFailures|testFailureIgnore|maven\.test\.failure\.ignore|maven\.test\.skip|skipTests|passWithNoTests|dangerouslyIgnoreUnhandledErrors|ignoreBuildErrors|ignoreDuringBuilds|allowUnreachableCode|allowUnusedLabels|allowOnly|ignoreTestFiles|quiet|disable-all|exit-zero|ignore-unused|allow-dirty|failure-ignore|skip_covered|suppressWarnings|isIgnoreExitValue|follow_imports_skip)$/;
/** What `strict` itself brings along. */
const IMPLIED =
  /^(?:strict\w+|noImplicitAny|noImplicitThis|alwaysStrict|useUnknownInCatchVariables|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|extra_checks|strict_\w+)$/;
const YES = /^(?:true|yes|on|1|error|strict|all)$/i;
const NO = /^(?:false|no|off|0|none|warning|warn|information|skip|silent)$/i;
const SEVERE = /^(?:error|2|deny|forbid|fatal)$/;
const MILD = /^(?:warn|1|warning|info|off|0|allow|none|suggestion|silent|hint)$/;

/** Their lists are about what is built and shipped. */
const isBuildFile = (path: string): boolean =>
  /(?:Cargo\.toml|pom\.xml|gradle(?:\.kts)?|csproj|composer\.json|lerna\.json|nx\.json|turbo\.json|deno\.jsonc?|[Mm]akefile|justfile|Rakefile|mix\.exs)$/.test(
    path,
  );

function switches(file: LookFile, elsewhere: readonly LookFile[]): readonly Found[] {
  const [before, after] = [settingsOf(file.before.text, file.language), settingsOf(file.after.text, file.language)];
  const old = new Map(before.map(setting => [setting.path, setting]));
  const now = new Map(after.map(setting => [setting.path, setting]));
  const found: Found[] = [];
  const add = (message: string, line: number) => found.push({ message, path: file.path, line });
  for (const setting of after) {
    const was = old.get(setting.path)?.value;
    if (was === setting.value) continue;
    const { key, path, value, line } = setting;
    if (isStrict(file, setting) && NO.test(value) && (was === undefined || YES.test(was)) && !isOverride(path))
      add(`${quote(path)} was turned off`, line);
    else if (RELAXED.test(key) && YES.test(value) && !isThirdParty(path, key))
      add(`${quote(path)} was turned on`, line);
    else if (
      isRule(file, setting) &&
      MILD.test(value) &&
      was !== undefined &&
      SEVERE.test(was) &&
      !(/^(?:off|0)$/.test(value) && isReplaced(key, after))
    )
      add(`the rule ${quote(key)} went from ${was} to ${value}`, line);
    else if (
      isRule(file, setting) &&
      /^(?:off|0|allow|none)$/.test(value) &&
      was === undefined &&
      !STYLE.test(key) &&
      !isReplaced(key, after) &&
      !isForTests(file.after.text, line)
    )
      add(`the rule ${quote(key)} was turned off`, line);
    else if (
      key === 'Enabled' &&
      /^false$/.test(value) &&
      /rubocop|detekt|swiftlint|reek/.test(file.path) &&
      was !== 'false'
    )
      add(`${quote(path)} was turned off`, line);
    else if (
      /^enabled$/i.test(key) &&
      value === 'false' &&
      /biome|oxlint|eslint|gradle|detekt|stylelint|vitest|jest/.test(file.path) &&
      (was === 'true' || /(?:linter|rules|typecheck|thresholds?)\b|^enabled$/.test(path))
    )
      add(`${quote(path)} was turned off`, line);
    else if (key === 'active' && value === 'false' && /detekt/.test(file.path))
      add(`${quote(path)} was turned off`, line);
    else if (
      /per-file-ignores/.test(path) &&
      was === undefined &&
      !isHarmless(key) &&
      !TESTS_ONLY.test(key) &&
      /ruff|pyproject/.test(file.path)
    )
      add(`rules are ignored for ${quote(key)}`, line);
    else if (/^follow_imports$/.test(key) && /^(?:skip|silent)$/.test(value))
      add(`${quote(path)} was set to ${value}`, line);
    else if (/^(?:typeCheckingMode|level|analysisLevel)$/.test(key) && lowered(was, value))
      add(`${quote(path)} went from ${was} to ${value}`, line);
  }
  for (const { key, path, value, line } of before) {
    if (now.has(path) || !STRICT.test(key) || !YES.test(value)) continue;
    if (
      after.some(other => other.key === key || (other.key === 'strict' && YES.test(other.value) && IMPLIED.test(key)))
    )
      continue;
    // It may have moved to another file, or come from one that this one extends now.
    if (
      elsewhere.some(other =>
        settingsOf(other.after.text, other.language).some(found => found.key === key && YES.test(found.value)),
      )
    )
      continue;
    if (
      after.some(
        other => other.key === 'extends' && !before.some(was => was.key === 'extends' && was.value === other.value),
      )
    )
      continue;
    add(`${quote(path)} (${value}) was taken away`, line);
  }
  return found;
}

const TESTS_ONLY = /(?:^|[/*._-])(?:tests?|specs?|__tests__|e2e|stories|conftest|scripts?|config|setup)(?:[/*._-]|$)/;

/** An entry of a list of settings that is only about tests, scripts and the like. */
function isForTests(text: string, line: number): boolean {
  const lines = text.split('\n');
  let indent = Number.POSITIVE_INFINITY;
  for (let at = line - 1; at >= Math.max(0, line - 60); at--) {
    const own = lines[at] ?? '';
    if (own.trim() === '') continue;
    const globs = /["']?files["']?\s*:\s*\[([^\]]*)\]/.exec(own)?.[1];
    if (globs !== undefined && own.search(/\S/) <= indent)
      return globs.split(',').every(glob => glob.trim() === '' || TESTS_ONLY.test(glob.replace(/["'\s]/g, '')));
    indent = Math.min(indent, own.search(/\S/));
    // Out of the entry again.
    if (/^\s*\},?\s*$/.test(own) && at < line - 1 && own.search(/\S/) <= indent) return false;
  }
  return false;
}

/** Words that mean something only where they stand. */
const isStrict = (file: LookFile, { key, path }: Setting): boolean =>
  STRICT.test(key) ||
  (key === 'branch' && /coverage/.test(path + file.path)) ||
  (key === 'tests' && /golangci/.test(file.path));

const isOverride = (path: string): boolean => /overrides/.test(path) && /ignore_missing/.test(path);
const isThirdParty = (path: string, key: string): boolean =>
  key === 'ignore_missing_imports' && /overrides|mypy-\S+\.\*/.test(path);

function lowered(was: string | undefined, value: string): boolean {
  const order = ['off', 'basic', 'standard', 'recommended', 'strict', 'all'];
  return was !== undefined && order.includes(was) && order.includes(value) && order.indexOf(value) < order.indexOf(was);
}

/** A linter's rule: in its own file, under `rules`, or in Cargo's lint tables. */
const isRule = (file: LookFile, { path }: Setting): boolean =>
  /eslint|tslint|stylelint|oxlint|jshint|biome|commitlint|markdownlint|yamllint|analysis_options/.test(file.path) ||
  /(^|\.)(?:rules|eslintConfig|lints?|severity)\./.test(path);

/** `no-unused-vars: off` beside `@typescript-eslint/no-unused-vars: error` turns nothing off. */
const isReplaced = (key: string, after: readonly Setting[]): boolean => {
  const base = key.slice(key.lastIndexOf('/') + 1);
  return after.some(other => other.key !== key && other.key.endsWith(base) && SEVERE.test(other.value));
};

const LOOKS_AWAY =
  /^(?:ignore|ignores|ignored|exclude|excludes|excluded|extend-ignore|extend-exclude|per-file-ignores|extend-per-file-ignores|ignorePatterns|testPathIgnorePatterns|coveragePathIgnorePatterns|modulePathIgnorePatterns|watchPathIgnorePatterns|omit|exclude_lines|exclude_also|disable|disabled|disabled_rules|skip|skips|norecursedirs|collect_ignore|Exclude|exclude-rules|exclude-dirs|exclude-files|skip-dirs|skip-files|ignoreFiles|ignore_patterns|ignore-paths|ignore-patterns|globalIgnores|suppressions|disable_error_code|opt_out_rules|ignored_classes|ignored_modules|coverageExclude|excludedFiles|allow)$/;
const LOOKS_AT =
  /^(?:select|extend-select|enable|enabled|enable_error_code|testpaths|testMatch|testRegex|include|collectCoverageFrom|opt_in_rules|checks|linters|projects)$/;

function lists(file: LookFile): readonly Found[] {
  const of = (side: 'before' | 'after', keys: RegExp) => listsOf(file[side].text, file.language, keys);
  const has = (entries: readonly ListEntry[], { key, entry }: ListEntry) =>
    entries.some(other => other.key === key && other.entry === entry);
  const [away, wasAway] = [of('after', LOOKS_AWAY), of('before', LOOKS_AWAY)];
  const [at, wasAt] = [of('after', LOOKS_AT), of('before', LOOKS_AT)];
  const dropped = (entry: ListEntry) =>
    !(entry.key === 'include' && !/(?:tsconfig|jsconfig|pyrightconfig|jest|vitest|vite)[^/]*$/.test(file.path)) &&
    !has(at, entry) &&
    !at.some(({ key, entry: other }) => key === entry.key && (other === 'ALL' || entry.entry.startsWith(other)));
  return [
    ...away
      .filter(
        entry =>
          !has(wasAway, entry) &&
          !isHarmless(entry.entry) &&
          !(entry.key === 'exclude-rules' && TESTS_ONLY.test(entry.entry.replaceAll('\\', ''))) &&
          !(entry.key === 'allow' && !/clippy|deny\.toml/.test(file.path)),
      )
      .filter(entry => !(/package\.json$/.test(file.path) && /^(?:ignore|skip|exclude|disabled?)$/.test(entry.key)))
      .map(({ key, entry, line }) => ({
        message: `${quote(entry)} was added to ${quote(key)}, so nobody looks at it any more`,
        path: file.path,
        line,
      })),
    ...at
      .filter(
        entry =>
          entry.entry.startsWith('!') &&
          !has(wasAt, entry) &&
          !isHarmless(entry.entry.slice(1)) &&
          !TESTS_ONLY.test(entry.entry),
      )
      .map(({ key, entry, line }) => ({
        message: `${quote(entry)} was added to ${quote(key)}, so nobody looks at it any more`,
        path: file.path,
        line,
      })),
    ...wasAt
      .filter(entry => dropped(entry) && !OUTDATED.test(entry.entry) && !entry.entry.startsWith('!'))
      .filter(
        old =>
          at.length < wasAt.length ||
          at.some(
            ({ key, entry }) =>
              key === old.key && entry !== old.entry && entry.startsWith(`${old.entry.replace(/\/?\**$/, '')}/`),
          ),
      )
      .map(({ key, entry, line }) => ({
        message: `${quote(entry)} was taken out of ${quote(key)}`,
        path: file.path,
        line,
      })),
  ];
}

/** `strict-type-checked` that became `recommended`, and rules that are simply gone. */
function lostRules(file: LookFile): readonly Found[] {
  const best = (text: string) => Math.max(-1, ...PRESETS.map((preset, rank) => (preset.test(text) ? rank : -1)));
  const [was, now] = [best(file.before.code), best(file.after.code)];
  const first = file.removed[0]?.number ?? 1;
  if (was > now && now >= 0)
    return [{ message: 'the linter follows a less strict set of rules', path: file.path, line: first }];
  // A new set of rules may well bring them along.
  if (file.added.some(line => /extends|configs|plugin|preset|prettier|\.\.\./.test(line.code))) return [];
  const after = settingsOf(file.after.text, file.language);
  const gone = settingsOf(file.before.text, file.language).filter(
    setting =>
      SEVERE.test(setting.value) &&
      isRule(file, setting) &&
      !STYLE.test(setting.key) &&
      !after.some(({ key }) => key === setting.key || isReplaced(setting.key, after)),
  );
  // Many at once is another way to configure it.
  if (gone.length === 0 || gone.length > 3) return [];
  return gone.map(({ key, value, line }) => ({
    message: `the rule ${quote(key)} (${value}) was taken away`,
    path: file.path,
    line,
  }));
}

const PRESETS: readonly RegExp[] = [
  /\brecommended\b/,
  /recommended-?(?:TypeChecked|type-checked|requiring-type-checking)/,
  /\bconfigs\.strict\b|\/strict['"]/,
  /strict-?(?:TypeChecked|type-checked)/,
  /\bconfigs\.all\b|eslint:all/,
];
/** A formatter looks after these. */
const STYLE =
  /(?:^|\/)(?:indent|quotes|semi|comma-\w+|space-\w+|\w+-spacing|max-len|eol-last|brace-style|linebreak-style|padded-blocks|no-trailing-spaces|no-multi\w*|no-mixed-spaces-and-tabs|arrow-parens|object-curly\w*|array-bracket\w*|keyword-spacing|prettier|sort-\w+|import\/order|operator-linebreak|function-paren\w*|quote-props|no-tabs)$/;

/** Tests that a build file leaves out by their names. */
const leftOutTests = (file: LookFile): readonly Found[] =>
  file.added
    .filter(({ code }) =>
      /^\s*(?:exclude(?:TestsMatching|Test)?\b[\s(]*["'][^"'\n]*(?:Test|Spec|IT)\b|<exclude>[^<\n]*(?:Test|Spec|IT)\b|<excludedGroups>|.*\bexclude(?:Tags|Category|Categories)\b)/.test(
        code.replace(/\*/g, ' '),
      ),
    )
    .map(({ text, number }) => ({ message: `${quote(text)} keeps tests from running`, path: file.path, line: number }));

/** Linters that their authors gave up. */
const OUTDATED =
  /^(?:golint|interfacer|maligned|scopelint|deadcode|structcheck|varcheck|ifshort|exhaustivestruct|nosnakecase|exportloopref|gomnd|execinquery|gosimple|stylecheck|tenv|typecheck)$/;

/** What nobody wrote by hand, and rules that only a formatter is about. */
const isHarmless = (entry: string): boolean =>
  /node_modules|(^|[/*.])(?:dist|build|coverage|vendor|\.?venv|env|migrations|_?_?generated_?_?|__pycache__|\.git|\.next|\.nuxt|out|target|third[-_]party|fixtures?|testdata|__snapshots__|storybook|docs?|\.tox|\.cache|examples?|\.yarn|public|static|assets|tmp|temp|\.idea|\.vscode|typings|protos?|bench(?:marks?)?|db)(?:[/*.]|$)|\.d\.ts$|_pb2|\.pb\.|\.min\.|\.gen\.|\.generated\.|\.config\.|\.stories\.|\.mdx?$|^(?:E501|E203|E701|E704|W503|W504|COM812|ISC001|D\d+|Q00\d|W191|E1\d\d)$|TYPE_CHECKING|__main__|NotImplementedError|pragma: no cover|abstractmethod|@overload|if 0:|^\.\.\.$|^\*\*\/\*\.(?:json|css|svg)$|package-lock|\.lock$|Protocol/.test(
    entry,
  );

const isIgnoreFile = (path: string): boolean =>
  /(^|\/)\.(?:eslintignore|stylelintignore|nycignore|c8ignore|pylintignore|rubocopignore|flake8ignore|swiftlintignore|biomeignore|oxlintignore|mypyignore|testignore|jestignore|coverageignore)$/.test(
    path,
  );

const newIgnores = (file: LookFile): readonly Found[] =>
  file.added
    .filter(line => line.text.trim() !== '' && !/^\s*[#!]/.test(line.text) && !isHarmless(line.text.trim()))
    .map(line => ({ message: `${quote(line.text)} is not looked at any more`, path: file.path, line: line.number }));

const HAS_FLAGS =
  /makefile|\.mk$|justfile|CMakeLists|package\.json|tox\.ini|setup\.cfg|pytest\.ini|pyproject\.toml|noxfile|gradle|pom\.xml|composer|Rakefile/i;

const DENIED = /^\s*#!\[\s*(?:deny|forbid)\s*\(([^)]*)\)/;

/** Rust's own settings stand in the code. */
function strictLines(file: LookFile): readonly Found[] {
  if (file.language !== 'rust') return [];
  return file.removed.flatMap(line => {
    const lints =
      DENIED.exec(line.code)?.[1]
        ?.split(',')
        .map(lint => lint.trim()) ?? [];
    const lost = lints.filter(
      lint =>
        lint !== '' && !new RegExp(`(?:deny|forbid)\\s*\\([^)]*${lint.replace(/[^\w:]/g, '.')}`).test(file.after.code),
    );
    return lost.map(lint => ({ message: `${quote(lint)} is no longer an error`, path: file.path, line: line.number }));
  });
}
