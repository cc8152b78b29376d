/**
 * Lists in settings that define which files or rules a tool checks.
 *
 *     - exclude = []
 *     + exclude = ["src/payments"]   in pyproject.toml
 */
import { type ListEntry, listsOf } from '../config-values.ts';
import { isNoLoss, isNoLossOfCoverage, isOfTests } from '../harmless-exclusions.ts';
import type { LookFile } from '../look.ts';
import { type Found, quote } from './rule.ts';

const AWAY =
  /^(?:ignore|ignores|ignored|exclude|excludes|excluded|extend-ignore|extend-exclude|per-file-ignores|extend-per-file-ignores|ignorePatterns|testPathIgnorePatterns|coveragePathIgnorePatterns|modulePathIgnorePatterns|watchPathIgnorePatterns|omit|exclude_lines|exclude_also|disable|disabled|disabled_rules|skip|skips|norecursedirs|collect_ignore(?:_glob)?|Exclude|exclude-dirs|exclude-files|skip-dirs|skip-files|ignoreFiles|ignore_patterns|ignore-paths|ignore-patterns|ignorePaths|globalIgnores|suppressions|disable_error_code|opt_out_rules|ignored_classes|ignored_modules|coverageExclude|excludedFiles|excludePaths|excludes?_paths|ignoreErrors|excludeFiles|testIgnore|exclude_patterns|excludeSpecPattern|allow|sonar\.(?:coverage\.|cpd\.|test\.)?exclusions|sonar\.issue\.ignore\.\S+)$/;
const AT =
  /^(?:select|extend-select|enable|enabled|enable_error_code|testpaths|testMatch|testRegex|include|collectCoverageFrom|opt_in_rules|checks|linters|projects|roots|spec|files|source|mutate|paths|testDir|specPattern|packages|python_files|disallowed[-_]\w+|banned[-_]\w+|source_pkgs|sonar\.(?:sources|tests))$/;
/** Keys that mean a list of checked files only in these files. */
const AT_HERE: Readonly<Record<string, RegExp>> = {
  include: /(?:tsconfig|jsconfig|pyrightconfig|jest|vitest|vite|biome|nycrc|c8rc)[^/]*$/,
  roots: /jest|package\.json/,
  spec: /mocharc|package\.json|jasmine/,
  files: /mypy|pyproject\.toml|setup\.cfg|tsconfig|ava\./,
  source: /coveragerc|pyproject\.toml|setup\.cfg|tox\.ini/,
  mutate: /stryker/,
  paths: /phpstan|psalm/,
  packages: /mypy|pyproject\.toml|setup\.cfg/,
  linters: /golangci/,
  python_files: /pytest|pyproject|tox|setup\.cfg/,
};
/** Linters that are no longer maintained. */
const OUTDATED =
  /^(?:golint|interfacer|maligned|scopelint|deadcode|structcheck|varcheck|ifshort|exhaustivestruct|nosnakecase|exportloopref|gomnd|execinquery|gosimple|stylecheck|tenv|typecheck)$/;

export function lookedAt(file: LookFile): readonly Found[] {
  const of = (side: 'before' | 'after', keys: RegExp) => listsOf(file[side].text, file.language, keys).flatMap(apart);
  const [away, wasAway] = [of('after', AWAY), of('before', AWAY)];
  const isHere = ({ key }: ListEntry) => AT_HERE[key]?.test(file.path) ?? true;
  const [at, wasAt] = [of('after', AT).filter(isHere), of('before', AT).filter(isHere)];
  return [
    ...away
      .filter(entry => !has(wasAway, entry) && isLoss(file, entry))
      .filter(({ key }) => key !== 'allow' || /clippy|deny\.toml/.test(file.path))
      .filter(({ key }) => !(/package\.json$/.test(file.path) && /^(?:ignore|skip|exclude|disabled?)$/.test(key)))
      .map(entry => notLookedAt(file, entry)),
    ...at
      .filter(({ entry }) => entry.startsWith('!'))
      .filter(entry => !has(wasAt, entry) && isLoss(file, { ...entry, entry: entry.entry.slice(1) }))
      .filter(({ entry }) => !isOfTests(entry))
      .map(entry => notLookedAt(file, entry)),
    ...wasAt
      .filter(old => !old.entry.startsWith('!') && !OUTDATED.test(old.entry) && isDropped(old, at))
      .filter(old => at.length < wasAt.length || at.some(now => isPart(now, old)))
      .map(({ key, entry, line }) => ({
        message: `${quote(entry)} was taken out of ${quote(key)}`,
        path: file.path,
        line,
      })),
  ];
}

const has = (entries: readonly ListEntry[], { key, entry }: ListEntry): boolean =>
  entries.some(other => other.key === key && other.entry === entry);

const notLookedAt = (file: LookFile, { key, entry, line }: ListEntry): Found => ({
  message: `${quote(entry)} was added to ${quote(key)}, so it is no longer checked`,
  path: file.path,
  line,
});

/** Splits a value that contains several entries. */
const apart = (one: ListEntry): readonly ListEntry[] =>
  one.key.startsWith('sonar.') ? one.entry.split(',').map(entry => ({ ...one, entry: entry.trim() })) : [one];

const isDropped = (old: ListEntry, at: readonly ListEntry[]): boolean =>
  !at.some(
    ({ key, entry }) =>
      key === old.key && (entry === old.entry || entry === 'ALL' || old.entry.startsWith(entry) || covers(entry, old)),
  );

/** `src/**` up to its first wildcard. */
const baseOf = (entry: string): string => entry.replace(/[*{(].*$/, '').replace(/\/$/, '');
const covers = (entry: string, old: ListEntry): boolean =>
  /[/*]/.test(entry + old.entry) && `${baseOf(old.entry)}/`.startsWith(`${baseOf(entry)}/`);
/** Whether an entry is a narrower part of an old one. */
const isPart = ({ key, entry }: ListEntry, old: ListEntry): boolean =>
  key === old.key && entry !== old.entry && !entry.startsWith('!') && entry.startsWith(`${baseOf(old.entry)}/`);

const OF_COVERAGE =
  /^(?:omit|exclude_lines|exclude_also|coveragePathIgnorePatterns|collectCoverageFrom|coverageExclude|mutate|sonar\.coverage\.exclusions)$/;

function isLoss(file: LookFile, { key, entry }: ListEntry): boolean {
  if (OF_COVERAGE.test(key) || /nycrc|c8rc|coveragerc|codecov|stryker/.test(file.path))
    return !isNoLossOfCoverage(entry);
  if (isNoLoss(entry)) return false;
  if ((/tsconfig|jsconfig/.test(file.path) || key === 'per-file-ignores') && isOfTests(entry)) return false;
  // Another runner handles these.
  return !(
    /jest|vitest|vite\.|mocharc|ava\./.test(file.path) && /(?:^|[/*])(?:e2e|playwright|cypress)(?:[/*]|$)/.test(entry)
  );
}
