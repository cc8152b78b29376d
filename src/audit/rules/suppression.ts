/**
 * Comments that silence a tool. One with a reason is normal; one for a whole file is not.
 *
 *     - total = sum(items)
 *     + total = sum(items)  # noqa   and "# mypy: ignore-errors" at the top of the file
 */
import { oncePer } from '../../util/once.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { type Found, quote, type Rule } from './rule.ts';

const ONE_LINE =
  /eslint-disable-(?:next-)?line|eslint-disable\b|@ts-(?:ignore|expect-error|nocheck)|biome-ignore|oxlint-disable|stylelint-disable|tslint:disable|#\s*noqa\b|#\s*type:\s*ignore|#\s*pyright:\s*ignore|#\s*ty:\s*ignore|pylint:\s*disable|#\s*nosec|#\s*pyre-(?:ignore|fixme)|\/\/\s*nolint\b|\/\/nolint\b|\/\/\s*lint:ignore|#\[allow\(|#\[expect\(|@SuppressWarnings|@Suppress\b|@SuppressLint|#pragma warning disable|\[SuppressMessage|\/\/\s*NOSONAR|rubocop:disable|@phpstan-ignore|@psalm-suppress|\/\/\s*swiftlint:disable|#\s*credo:disable|@dialyzer|#\s*sorbet:|\/\*\s*istanbul ignore|\/\*\s*(?:c8|v8) ignore|#\s*pragma:\s*no\s*cover|:nocov:|coverage:ignore|@codeCoverageIgnore|LCOV_EXCL|GCOVR_EXCL|#\[coverage\(off\)\]|#\[cfg\(not\(tarpaulin|ExcludeFromCodeCoverage|shellcheck disable|hadolint ignore|prettier-ignore|@Generated/;

export const suppression: Rule = {
  id: 'suppression',
  level: 'warn',
  about: 'A comment suppresses a linter, type checker or coverage tool for one line.',
  check: ({ files }) =>
    files.flatMap(file => {
      const lines = netLines(file);
      if (lines.length === 0) return [];
      const blanket = new Set(blankets(file).map(found => found.line));
      return lines
        .filter(line => !blanket.has(line.number) && !/prettier-ignore/.test(line.text))
        .map(line => ({ message: `${quote(line.text, 100)} keeps a tool quiet`, path: file.path, line: line.number }));
    }),
};

const MANY = 3;

export const suppressionBlanket: Rule = {
  id: 'suppression-blanket',
  level: 'block',
  about: 'A tool is suppressed for a whole file, a function or many lines.',
  check: ({ files }) => {
    const code = files.filter(file => file.role === 'production' && concerns(file));
    const lines = code.flatMap(file => netLines(file).map(line => ({ file, line })));
    const [first] = lines;
    // A long change may need a few; in a short change they are the main content.
    const many = lines.length > MANY && lines.length * 20 > code.reduce((sum, file) => sum + file.added.length, 0);
    return [
      ...files.flatMap(blankets),
      ...(many && first
        ? [
            {
              message: `${lines.length} comments that keep tools quiet in one change`,
              path: first.file.path,
              line: first.line.number,
            },
          ]
        : []),
    ];
  },
};

const WORDS =
  /disable|[iI]gnore|nocheck|noqa|no\s*cover|nocov|\[\s*allow|allow-|-expect|\[\s*expect|nolint|[sS]uppress|pragma|skip-file|EXCL|[cC]overage|NOSONAR|nosec|pyre-fixme|dialyzer|sorbet|tarpaulin|Generated|pyright|typed:|CHECKSTYLE/g;

const concerns = (file: LookFile): boolean =>
  !/^(?:docs|generated|snapshot|lockfile|fixture)$/.test(file.role) &&
  file.language !== 'json' &&
  file.language !== 'text';

/** Added lines that contain such a word; there are few. */
const spoken = oncePer((file: LookFile): readonly Line[] =>
  concerns(file) ? linesWith(file.added, WORDS, textOf) : [],
);

/** Added suppressions minus those removed from the same file, so that a move counts as nothing. */
function netLines(file: LookFile) {
  // Inside a string it is only an example: it has to be a comment, which is blanked in the code, or an attribute.
  const came = spoken(file).filter(
    line => ONE_LINE.test(line.text) && (!ONE_LINE.test(line.code) || /^\s*(?:#\[|@|\[|#pragma)/.test(line.code)),
  );
  if (came.length === 0) return [];
  const gone = file.removed.filter(line => ONE_LINE.test(line.text)).length;
  return came.slice(Math.min(gone, came.length));
}

const WHOLE_FILE: readonly RegExp[] = [
  /\/\*\s*eslint-disable\s*\*\//,
  /^\s*\/\/\s*eslint-disable\s*$/,
  /@ts-nocheck\b/,
  /biome-ignore-all\b/,
  /\/\*\s*(?:tslint|stylelint|jshint|oxlint|jslint)[-:]\s*(?:disable|ignore)(?:\s*(?:all)?)?\s*\*\//,
  /#\s*mypy:\s*ignore-errors/,
  /^\s*#\s*type:\s*ignore\s*$/,
  /#\s*(?:flake8|ruff):\s*noqa\s*$/,
  /#\s*pylint:\s*(?:skip-file|disable\s*=\s*all)/,
  /^\s*#\s*pyright:\s*(?:basic|strict\s*=\s*false|ignore\s*$)/,
  /#!\[allow\(\s*(?:warnings|clippy::all|unused|dead_code|clippy::pedantic|clippy::\w+|unused_\w+|\w+)/,
  /\/\/\s*nolint:\s*all\b/,
  /@file:Suppress/,
  /@SuppressWarnings\(\s*(?:\{\s*)?"(?:all|ALL)/,
  /#pragma warning disable\s*$/,
  /#\s*rubocop:disable\s+(?:all|Lint(?:\s|$)|Style(?:\s|$))/,
  /swiftlint:disable\s+all\b/,
  /@phpstan-ignore-file|phpcs:ignoreFile|phpcs:disable\s*$/,
  /istanbul ignore file|(?:c8|v8) ignore (?:start|file)|coverage:\s*ignore-file/,
  /#!\[cfg\(not\((?:tarpaulin|coverage)/,
  /#!\[feature\(coverage_attribute\)\]\s*#!\[coverage\(off\)/,
  /^\s*#\s*shellcheck disable=all/,
  /^\s*\/\*\s*jshint ignore:\s*start/,
  /^\s*\/\/\s*CHECKSTYLE:?\s*OFF\s*$/,
  /^\s*\/\/\s*nolint\s*$/,
];
/** Excluding code from coverage falsifies the number. */
const COVERAGE =
  /#\s*pragma:\s*no\s*cover|istanbul ignore (?:next|if|else)|(?:c8|v8) ignore (?:next|if|else|start)|:nocov:|@codeCoverageIgnore(?:Start)?|LCOV_EXCL_START|#\[coverage\(off\)\]|ExcludeFromCodeCoverage|coverage:ignore|#\[cfg\(not\(tarpaulin/;
const EXCUSED =
  /TYPE_CHECKING|ImportError|ModuleNotFoundError|__name__|NotImplementedError|@abstract|@overload|abstract|sys\.(?:platform|version)|platform\.|win32|darwin|version_info|\bdebug|__repr__|__str__|unreachable|assertNever|never\b|exhaustive|default:|KeyboardInterrupt|SIGTERM|^\s*\.\.\.\s*#|Protocol/i;

/** All patterns in one, because most lines match none, and one search is cheaper than two dozen. */
const ANY = new RegExp([...WHOLE_FILE, COVERAGE].map(({ source }) => source).join('|'), 'm');

function blankets(file: LookFile): readonly Found[] {
  return spoken(file).flatMap((line): readonly Found[] => {
    const { text, number } = line;
    if (!ANY.test(text)) return [];
    const where = { path: file.path, line: number };
    const inComment = (pattern: RegExp) =>
      pattern.test(text) && (!pattern.test(line.code) || /^\s*(?:#!?\[|@|#pragma)/.test(line.code));
    if (WHOLE_FILE.some(inComment)) {
      // In Python, a bare `type: ignore` covers the whole file only before its first statement.
      if (
        /#\s*type:\s*ignore\s*$/.test(text) &&
        file.after.codeLines.slice(0, number - 1).some(code => code.trim() !== '')
      )
        return [];
      if (file.before.text.includes(text.trim())) return [];
      return [{ message: `${quote(text)} hides a whole file, or many lines of it, from a tool`, ...where }];
    }
    if (inComment(COVERAGE) && file.role === 'production') {
      const around = file.after.lines.slice(Math.max(0, number - 2), number + 2).join('\n');
      if (EXCUSED.test(around) || file.removed.some(old => COVERAGE.test(old.text))) return [];
      return [{ message: `${quote(text)} takes code out of the coverage; test it instead`, ...where }];
    }
    return [];
  });
}
