/**
 * Settings of linters, compilers and test runners that are less strict than before.
 *
 *     - "strict": true,
 *     + "strict": false,   in tsconfig.json
 */
import { type Setting, settingsOf } from '../config-values.ts';
import { isNoLoss } from '../harmless-exclusions.ts';
import type { LookFile } from '../look.ts';
import { isToolConfig } from '../roles.ts';
import { lookedAt } from './included-and-excluded.ts';
import { type Found, quote, type Rule } from './rule.ts';
import { ownWords } from './weaker-settings.ts';

export const configRelaxed: Rule = {
  id: 'config-relaxed',
  level: 'block',
  about: 'Settings of a linter, compiler or test runner were relaxed.',
  check: ({ files }) =>
    files.flatMap((file): readonly Found[] => {
      if (file.added.length === 0 && file.removed.length === 0) return [];
      if (isIgnoreFile(file.path)) return newIgnores(file);
      // A new settings file has nothing to compare with.
      if (!isToolConfig(file.path) || file.before.text === '' || file.after.text === '') return [];
      const elsewhere = files.filter(other => other !== file && isToolConfig(other.path) && other.after.text !== '');
      return [
        ...switches(file, elsewhere),
        ...(isBuildFile(file.path) ? leftOutTests(file) : lookedAt(file)),
        ...(/eslint/.test(file.path) ? lostRules(file) : []),
      ];
    }),
};

const STRICT =
  /^(?:strict\w*|noImplicit\w+|noUnused\w+|noUnchecked\w+|exactOptionalPropertyTypes|noFallthrough\w+|noPropertyAccess\w+|useUnknownInCatchVariables|alwaysStrict|checkJs|forceConsistentCasingInFileNames|noEmitOnError|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|extra_checks|strict_\w+|allWarningsAsErrors|TreatWarningsAsErrors|warningsAsErrors|warnings_as_errors|failOn\w+|failFast|failsOnError|EnableNETAnalyzers|EnforceCodeStyleInBuild|treatWarningsAsErrors|restoreMocks|failOnConsole|forbid-?[oO]nly|forbid-?[pP]ending|recommended|typecheck|xfail_strict|beStrictAbout\w+|displayDetails\w+|sonar\.qualitygate\.wait|report(?:Optional|General|Unused|Missing|Private|Untyped|Unknown)\w*|errorOnDeprecated|strictPort|abortOnError)$/;
const RELAXED =
  /^(?:skipLibCheck|noCheck|suppressImplicitAnyIndexErrors|suppressExcessPropertyErrors|ignore_errors|ignore_missing_imports|allow_untyped_\w+|allow_redefinition|implicit_reexport|ignoreFailures|testFailureIgnore|maven\.test\.failure\.ignore|maven\.test\.skip|skipTests|passWithNoTests|dangerouslyIgnoreUnhandledErrors|ignoreBuildErrors|ignoreDuringBuilds|allowUnreachableCode|allowUnusedLabels|allowOnly|ignoreTestFiles|quiet|disable-all|exit-zero|ignore-unused|allow-dirty|failure-ignore|suppressWarnings|isIgnoreExitValue|follow_imports_skip)$/;
/** Options that `strict` includes. */
const IMPLIED =
  /^(?:strict\w+|noImplicitAny|noImplicitThis|alwaysStrict|useUnknownInCatchVariables|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|extra_checks|strict_\w+)$/;
const YES = /^(?:true|yes|on|1|error|strict|all)$/i;
const NO = /^(?:false|no|off|0|none|warning|warn|information|skip|silent)$/i;
const SEVERE = /^(?:error|2|deny|forbid|fatal)$/;
const MILD = /^(?:warn|1|warning|info|off|0|allow|none|suggestion|silent|hint)$/;

/** Build files: their lists are about what is built and shipped. */
const isBuildFile = (path: string): boolean =>
  /(?:Cargo\.toml|pom\.xml|gradle(?:\.kts)?|csproj|composer\.json|lerna\.json|nx\.json|turbo\.json|deno\.jsonc?|[Mm]akefile|justfile|Rakefile|mix\.exs)$/.test(
    path,
  );

function switches(file: LookFile, elsewhere: readonly LookFile[]): readonly Found[] {
  const [before, after] = [settingsOf(file.before.text, file.language), settingsOf(file.after.text, file.language)];
  // A path may occur several times: only new values are compared, with the values removed from the same path.
  const [came, gone] = [without(after, before), without(before, after)];
  const old = new Map(gone.map(setting => [setting.path, setting]));
  const now = new Map(after.map(setting => [setting.path, setting]));
  const found: Found[] = [];
  const add = (message: string, line: number) => found.push({ message, path: file.path, line });
  for (const setting of came) {
    const was = old.get(setting.path)?.value;
    const { key, path, value, line } = setting;
    if (isRule(file, setting) && MILD.test(value) && isForTests(file.after.text, line)) continue;
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
    else if (value === 'false' && isSwitch(file.path, key) && (was === 'true' || isOfCheck(file.path, path)))
      add(`${quote(path)} was turned off`, line);
    else if (
      /per-file-ignores/.test(path) &&
      was === undefined &&
      !isNoLoss(key) &&
      !TESTS_ONLY.test(key) &&
      /ruff|pyproject/.test(file.path)
    )
      add(`rules are ignored for ${quote(key)}`, line);
  }
  const told = new Set(found.map(({ line }) => line));
  found.push(...ownWords(file, came, old).filter(({ line }) => !told.has(line)));
  for (const { key, path, value, line } of before) {
    if (now.has(path) || !STRICT.test(key) || !YES.test(value)) continue;
    if (
      after.some(other => other.key === key || (other.key === 'strict' && YES.test(other.value) && IMPLIED.test(key)))
    )
      continue;
    // The setting may have moved to another file, or come from one that this file extends now.
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
    add(`${quote(path)} (${value}) was removed`, line);
  }
  return found;
}

/** The settings of the first list that are not in the second, counting duplicates. */
function without(settings: readonly Setting[], others: readonly Setting[]): readonly Setting[] {
  const left = new Map<string, number>();
  for (const { path, value } of others) left.set(`${path}=${value}`, (left.get(`${path}=${value}`) ?? 0) + 1);
  return settings.filter(({ path, value }) => {
    const count = left.get(`${path}=${value}`) ?? 0;
    left.set(`${path}=${value}`, count - 1);
    return count <= 0;
  });
}

const TESTS_ONLY = /(?:^|[/*._-])(?:tests?|specs?|__tests__|e2e|stories|conftest|scripts?|config|setup)(?:[/*._-]|$)/;

/** Whether the entry around a line applies only to tests, scripts and the like. */
function isForTests(text: string, line: number): boolean {
  const lines = text.split('\n');
  let indent = Number.POSITIVE_INFINITY;
  for (let at = line - 1; at >= Math.max(0, line - 60); at--) {
    const own = lines[at] ?? '';
    if (own.trim() === '') continue;
    const globs = /["']?(?:files|includes?)["']?\s*:\s*\[([^\]]*)\]/.exec(own)?.[1];
    if (globs !== undefined && own.search(/\S/) <= indent)
      return globs.split(',').every(glob => {
        const name = glob.replace(/["'\s]/g, '');
        return name === '' || TESTS_ONLY.test(name) || isNoLoss(name);
      });
    indent = Math.min(indent, own.search(/\S/));
    // This line ends the entry.
    if (/^\s*\},?\s*$/.test(own) && at < line - 1 && own.search(/\S/) <= indent) return false;
  }
  return false;
}

/** `enabled`, or the tool's word for it. */
const isSwitch = (file: string, key: string): boolean =>
  /^enabled$/i.test(key)
    ? /rubocop|detekt|swiftlint|reek|biome|oxlint|eslint|gradle|stylelint|vitest|jest/.test(file)
    : key === 'active' && /detekt/.test(file);

/** Tools whose files contain only checks, and sections of other files that do. */
const isOfCheck = (file: string, path: string): boolean =>
  /rubocop|detekt|swiftlint|reek/.test(file) ||
  /(?:linter|rules|typecheck|thresholds?|coverage)\b|^enabled$/.test(path);

/** Includes keys that are strict settings only in one place. */
const isStrict = (file: LookFile, { key, path }: Setting): boolean =>
  STRICT.test(key) ||
  (key === 'branch' && /coverage/.test(path + file.path)) ||
  (key === 'tests' && /golangci/.test(file.path));

const isOverride = (path: string): boolean => /overrides/.test(path) && /ignore_missing/.test(path);
const isThirdParty = (path: string, key: string): boolean =>
  key === 'ignore_missing_imports' && /overrides|mypy-\S+\.\*/.test(path);

/** A linter's rule: in the linter's own file, under `rules`, or in Cargo's lint tables. */
const isRule = (file: LookFile, { path }: Setting): boolean =>
  /eslint|tslint|stylelint|oxlint|jshint|biome|commitlint|markdownlint|yamllint|analysis_options|lighthouserc|solhint|htmlhint|dependency-cruiser/.test(
    file.path,
  ) || /(^|\.)(?:rules|eslintConfig|lints?|severity)\./.test(path);

/** `no-unused-vars: off` beside `@typescript-eslint/no-unused-vars: error` turns nothing off. */
const isReplaced = (key: string, after: readonly Setting[]): boolean => {
  const base = key.slice(key.lastIndexOf('/') + 1);
  return after.some(other => other.key !== key && other.key.endsWith(base) && SEVERE.test(other.value));
};

/** `strict-type-checked` that became `recommended`, and rules that were removed. */
function lostRules(file: LookFile): readonly Found[] {
  const best = (text: string) => Math.max(-1, ...PRESETS.map((preset, rank) => (preset.test(text) ? rank : -1)));
  const [was, now] = [best(file.before.code), best(file.after.code)];
  const first = file.removed[0]?.number ?? 1;
  if (was > now && now >= 0)
    return [{ message: 'the linter follows a less strict set of rules', path: file.path, line: first }];
  // A new preset may include the removed rules.
  if (file.added.some(line => /extends|configs|plugin|preset|prettier|\.\.\./.test(line.code))) return [];
  const after = settingsOf(file.after.text, file.language);
  const gone = settingsOf(file.before.text, file.language).filter(
    setting =>
      SEVERE.test(setting.value) &&
      isRule(file, setting) &&
      !STYLE.test(setting.key) &&
      !after.some(({ key }) => key === setting.key || isReplaced(setting.key, after)),
  );
  // Removing many at once is a new way to configure the tool.
  if (gone.length === 0 || gone.length > 3) return [];
  return gone.map(({ key, value, line }) => ({
    message: `the rule ${quote(key)} (${value}) was removed`,
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
/** Rules that a formatter handles. */
const STYLE =
  /(?:^|\/)(?:indent|quotes|semi|comma-\w+|space-\w+|\w+-spacing|max-len|eol-last|brace-style|linebreak-style|padded-blocks|no-trailing-spaces|no-multi\w*|no-mixed-spaces-and-tabs|arrow-parens|object-curly\w*|array-bracket\w*|keyword-spacing|prettier|sort-\w+|import\/order|operator-linebreak|function-paren\w*|quote-props|no-tabs|module_name_repetitions|must_use_candidate|missing_\w+_doc|too_many_lines|similar_names|doc_markdown|items_after_statements|struct_excessive_bools|wildcard_imports|needless_pass_by_value|return_self_not_must_use|multiple_crate_versions|cargo_common_metadata|option_if_let_else|redundant_pub_crate)$/;

/** Tests that a build file excludes by name. */
const leftOutTests = (file: LookFile): readonly Found[] =>
  file.added
    .filter(({ code }) =>
      /^\s*(?:(?:filter\s*\{\s*)?exclude(?:TestsMatching|Test)?\b[\s(]*["'][^"'\n]*(?:Test|Spec|IT)\b|<exclude>[^<\n]*(?:Test|Spec|IT)\b|<excludedGroups>|.*\bexclude(?:Tags|Category|Categories)\b)/.test(
        code.replace(/\*/g, ' '),
      ),
    )
    .map(({ text, number }) => ({ message: `${quote(text)} keeps tests from running`, path: file.path, line: number }));

const isIgnoreFile = (path: string): boolean =>
  /(^|\/)\.(?:eslintignore|stylelintignore|nycignore|c8ignore|pylintignore|rubocopignore|flake8ignore|swiftlintignore|biomeignore|oxlintignore|mypyignore|testignore|jestignore|coverageignore)$/.test(
    path,
  );

const newIgnores = (file: LookFile): readonly Found[] =>
  file.added
    .filter(line => line.text.trim() !== '' && !/^\s*[#!]/.test(line.text) && !isNoLoss(line.text.trim()))
    .map(line => ({ message: `${quote(line.text)} is no longer checked`, path: file.path, line: line.number }));
