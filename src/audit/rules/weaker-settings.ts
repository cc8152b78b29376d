/**
 * Settings of single tools: their files, their keys, and the weaker values.
 *
 *     - level: 8
 *     + level: 2   in phpstan.neon
 */
import type { Setting } from '../config-values.ts';
import type { LookFile } from '../look.ts';
import { type Found, quote } from './rule.ts';

interface Words {
  readonly file: RegExp;
  readonly key: RegExp;
  /** Compares the value with the former one, if there was one. */
  readonly isLess: (value: string, was: string | undefined) => boolean;
}

const on = (value: string): boolean => /^(?:true|yes|on|1)$/i.test(value);
const off = (value: string): boolean => /^(?:false|no|off|0|null|none)$/i.test(value);
const lowerNumber = (value: string, was: string | undefined): boolean => was !== undefined && rank(value) < rank(was);
const higherNumber = (value: string, was: string | undefined): boolean => was !== undefined && rank(value) > rank(was);
const rank = (value: string): number => (value === 'max' ? 99 : Number(value));
const changed = (value: string, was: string | undefined): boolean => value !== '' && was === undefined;

/** Severities from which on a finding counts: a higher one lets the others pass. */
const SEVERITIES = [
  'any',
  'all',
  'ignore',
  'style',
  'info',
  'note',
  'low',
  'minor',
  'convention',
  'refactor',
  'warning',
  'warn',
  'moderate',
  'medium',
  'error',
  'major',
  'high',
  'critical',
  'fatal',
  'blocker',
  'never',
  'none',
  'off',
];
export const isMoreTolerant = (value: string, was: string | undefined): boolean => {
  const [now, before] = [value, was ?? ''].map(word => SEVERITIES.indexOf(word.toLowerCase()));
  return now !== undefined && before !== undefined && before >= 0 && now > before;
};

const WORDS: readonly Words[] = [
  {
    file: /csproj$|props$/,
    key: /^Analysis(?:Level|Mode)$/i,
    isLess: (value, was) => /none|minimum/i.test(value) || (/all/i.test(was ?? '') && !/all/i.test(value)),
  },
  {
    file: /checkstyle/,
    key: /^severity$/,
    isLess: (value, was) => isMoreTolerant(was ?? '', value) || value === 'ignore',
  },
  { file: /golangci/, key: /^(?:new|exclude-use-default|fast)$/, isLess: on },
  { file: /golangci/, key: /^new-from-(?:rev|merge-base|patch)$/, isLess: changed },
  { file: /golangci|staticcheck/, key: /^issues-exit-code$/, isLess: off },
  { file: /phpstan/, key: /^level$/, isLess: lowerNumber },
  { file: /psalm/, key: /^errorLevel$/, isLess: higherNumber },
  { file: /psalm|phpunit/, key: /^(?:suppress\w*|allow\w*|ignore\w+)$/, isLess: on },
  { file: /rubocop/, key: /^DisabledByDefault$/, isLess: on },
  { file: /Cargo\.toml$/, key: /^(?:test|doctest|autotests|autobenches)$/, isLess: value => value === 'false' },
  { file: /jest|package\.json/, key: /^testFailureExitCode$/, isLess: off },
  { file: /vitest|vite\./, key: /^(?:allowOnly|dangerouslyIgnoreUnhandledErrors|passWithNoTests)$/, isLess: on },
  { file: /jest|package\.json/, key: /^diagnostics$/, isLess: off },
  { file: /sonar/, key: /^sonar\.qualitygate\.wait$/, isLess: off },
  { file: /sonar/, key: /^sonar\.(?:skip|coverage\.skip)$/, isLess: on },
  {
    file: /pom\.xml$/,
    key: /^(?:skipITs|skipExec|jacoco\.skip|checkstyle\.skip|pmd\.skip|spotbugs\.skip)$/,
    isLess: on,
  },
  { file: /pom\.xml$/, key: /^(?:failOnViolation|failsOnError|failOnError|haltOnFailure|failIfNoTests)$/, isLess: off },
  { file: /codecov/, key: /^(?:informational|if_ci_failed_ignore)$/, isLess: on },
  { file: /codecov/, key: /^(?:project|patch|require_ci_to_pass)$/, isLess: off },
  { file: /nycrc|c8rc|package\.json|vitest|jest/, key: /^(?:check-coverage|checkCoverage)$/, isLess: off },
  { file: /nycrc|c8rc|vitest/, key: /^(?:all|perFile|per-file)$/, isLess: (value, was) => off(value) && on(was ?? '') },
  { file: /detekt/, key: /^maxIssues$/, isLess: (value, was) => value === '-1' || higherNumber(value, was) },
  { file: /detekt/, key: /^(?:ignoreFailures|excludeCorrectable)$/, isLess: on },
  { file: /lint-?staged|lefthook|\.lefthook/, key: /^skip$/, isLess: on },
  { file: /pyright|pyproject/, key: /^report[A-Z]\w+$/, isLess: value => /^(?:false|none|information)$/.test(value) },
  {
    file: /ruff|pyproject/,
    key: /^(?:exit-zero|exit-non-zero-on-fix)$/,
    isLess: (value, was) => on(value) && was !== 'true',
  },
  { file: /xunit\.runner\.json$|runsettings$/, key: /^(?:failSkips|failWarns|TreatNoTestsAsError)$/, isLess: off },
  {
    file: /csproj$|props$|globalconfig$|editorconfig$/,
    key: /^(?:RunAnalyzers|RunAnalyzersDuringBuild|Nullable)$/,
    isLess: value => /^(?:false|disable)$/.test(value),
  },
  { file: /swiftlint/, key: /^(?:lenient|allow_zero_lintable_files)$/, isLess: on },
  { file: /swiftlint/, key: /^strict$/, isLess: off },
  { file: /infection/, key: /^(?:minMsi|minCoveredMsi)$/, isLess: lowerNumber },
  {
    file: /./,
    key: /^(?:violationSeverity|audit-?level|fail[-_]?on[-_]?severity|failOnSeverity|failure-threshold|severity[-_]threshold|min(?:imum)?[-_]?severity|fail[-_]?level|failure[-_]?level|fail[-_]on|failOn|reportLevel|effort|failThreshold)$/i,
    isLess: isMoreTolerant,
  },
];

export function ownWords(
  file: LookFile,
  came: readonly Setting[],
  old: ReadonlyMap<string, Setting>,
): readonly Found[] {
  const words = WORDS.filter(({ file: pattern }) => pattern.test(file.path));
  return came.flatMap(({ path, key, value, line }): readonly Found[] => {
    const was = old.get(path)?.value;
    if (!words.some(word => word.key.test(key) && word.isLess(value, was))) return [];
    const change =
      was === undefined ? `${quote(path)} was set to ${value}` : `${quote(path)} went from ${was} to ${value}`;
    return [{ message: `${change}, which asks for less`, path: file.path, line }];
  });
}
