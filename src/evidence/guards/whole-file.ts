/** Comments that name rules and turn them off from their line to the end of the file. */
import type { Line, LookFile } from '../look.ts';

interface Way {
  readonly pattern: RegExp;
  /** What turns them on again; without it, only what stands before the code counts. */
  readonly ends?: RegExp;
}

const NOTHING = /(?!)/;

const WAYS: readonly Way[] = [
  { pattern: /^\s*\/\*\s*eslint-disable\s+(?!-)([^*]+?)(?:\s--.*)?\*\//, ends: /eslint-enable/ },
  {
    pattern: /^\s*\/\*\s*(?:oxlint|stylelint)-disable\s+(?!-)([^*]+?)(?:\s--.*)?\*\//,
    ends: /(?:oxlint|stylelint)-enable/,
  },
  { pattern: /^\s*\/\*\s*tslint:disable:?\s*([\w\s-]+)\*\//, ends: /tslint:enable/ },
  { pattern: /^#\s*mypy:\s*(?:disable-error-code\s*=\s*|disable-error-code:\s*)["']?([\w\s,-]+)/ },
  { pattern: /^#\s*mypy:\s*(allow-untyped-\w+|no-strict\S*|allow-any\S*|no-check-untyped\S*|no-warn-\S+)/ },
  { pattern: /^#\s*pylint:\s*disable\s*=\s*([\w\s,-]+)/, ends: /pylint:\s*enable/ },
  { pattern: /^#\s*(?:ruff|flake8):\s*noqa:\s*([\w\s,]+)/ },
  { pattern: /^#\s*pyright:\s*(report\w+\s*=\s*(?:false|none|"none"))/ },
  { pattern: /^#\s*rubocop:disable\s+([\w/,\s]+)/, ends: /rubocop:enable/ },
  { pattern: /^\/\/\s*swiftlint:disable\s+(?!:|next|this|previous)([\w\s]+)/, ends: /swiftlint:enable/ },
  { pattern: /^\/\/\s*nolint:\s*([\w,]+)/ },
  { pattern: /^#pragma warning disable\s+([\w,\s]+)/, ends: /#pragma warning restore/ },
  { pattern: /^#\s*typed:\s*(ignore|false)/ },
  { pattern: /^\s*(?:\/\/|\/\*)\s*phpcs:disable\s+([\w.,\s]+)/, ends: /phpcs:enable/ },
  // On a class, an annotation is about all of it.
  { pattern: /^@Suppress(?:Warnings)?\(\s*\{?\s*((?:["']\w+["']\s*,\s*)+["']\w+["'])/, ends: NOTHING },
  { pattern: /^@(SuppressFBWarnings)\s*(?:\(\s*\))?$/, ends: NOTHING },
  { pattern: /^\s*\*?\s*@psalm-suppress\s+(\w+(?:\s*,\s*\w+)+)/, ends: NOTHING },
  { pattern: /^@file:(?:OptIn|Suppress)\(([^)]*)\)/ },
];

/** To be asked before anything else. */
export const RULES_OFF: readonly RegExp[] = WAYS.map(({ pattern }) => pattern);

/** Rules whose breach is a bug, or hides one; the others are a matter of taste, of size or of names. */
const BUGS =
  /no-explicit-any|no-unsafe|ban-ts|ban-types|non-null|floating-promises|misused-promises|await-thenable|restrict-|no-unnecessary|no-unused|no-undef|no-eval|no-implied-eval|unreachable|eqeqeq|fallthrough|no-empty\b|no-empty-function|exhaustive|rules-of-hooks|react-hooks|security\/|no-cond-assign|no-dupe|no-redeclare|no-const-assign|no-self|use-isnan|valid-typeof|require-await|no-unhandled|promise\/|no-async|complexity|sonarjs|jsx-a11y|no-only-tests|no-disabled-tests|no-focused-tests|expect-expect|no-conditional-expect|strict-boolean|switch-exhaustive/i;
const CODES =
  /^(?:F\d*|B\d*|S\d*|BLE\d*|E7[12]\d|E9\d*|ANN(?!401|10[12])\d*|ARG\d*|PGH\d*|TRY(?!003)\d*|RUF\d*|PL[EW]\d*|E0\d+|W06\d+|W07\d+|W01\d+|PT\d*|ASYNC\d*|TCH\d*|UP\d*|ALL|CS\d+|CA\d+|IDE\d+)$/;
const NAMES =
  /^(?:arg-type|return-value|no-untyped-(?:def|call)|attr-defined|assignment|union-attr|index|call-arg|operator|override|misc|var-annotated|name-defined|valid-type|no-any-return|broad-except|broad-exception-caught|bare-except|unused-\w+(?:-\w+)*|undefined-variable|no-member|not-callable|unsubscriptable-object|unreachable|possibly-used-before-assignment|inconsistent-return-statements|dangerous-default-value|redefined-outer-name|protected-access|errcheck|govet|staticcheck|gosec|ineffassign|unused|typecheck|false|ignore|force_cast|force_try|force_unwrapping|allow-untyped-\w+|no-strict\S*|allow-any\S*|no-check-untyped\S*|no-warn-\S+|report\w+\s*=.*|unchecked|rawtypes|NullAway|SuppressFBWarnings|Mixed\w+|Possibly\w+|Null\w+|Undefined\w+|Invalid\w+|UNCHECKED_CAST|null|resource|try|cast)$/;
const COPS =
  /^(?:Lint|Security|Rails\/(?:SkipsModelValidations|OutputSafety)|Performance|RSpec\/(?:Focus|NoExpectationExample))\b/;

/** The rules that a comment turns off for the rest of a file, where these are more than taste. */
export function rulesOff(file: LookFile, { text, number }: Line): readonly string[] {
  for (const { pattern, ends } of WAYS) {
    const named = pattern.exec(text)?.[1];
    if (named === undefined) continue;
    const isOnAgain = ends !== undefined && file.after.lines.slice(number).some(line => ends.test(line));
    const isFirst = !file.after.codeLines
      .slice(0, number - 1)
      .some(line => line.trim() !== '' && !/^\s*(?:["']{3}|["']use |<\?php|package\b)/.test(line));
    if (isOnAgain || (!isFirst && ends === undefined)) return [];
    // Linters of Go are silenced for a file before its package clause only.
    if (
      /nolint/.test(text) &&
      !/^\s*package\b/.test(file.after.lines.slice(number).find(line => line.trim() !== '') ?? '')
    )
      return [];
    return named
      .split(/[,\s]+/)
      .map(rule => rule.replace(/["']/g, '').trim())
      .filter(rule => BUGS.test(rule) || CODES.test(rule) || NAMES.test(rule) || COPS.test(rule));
  }
  return [];
}
