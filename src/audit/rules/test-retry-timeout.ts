/**
 * Tests that are retried until they pass, or get so much time that they never fail.
 *
 *     - test('answers', { timeout: 1000 }, ...);
 *     + test('answers', { timeout: 600000, retry: 5 }, ...);
 */
import type { LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { isCi } from '../roles.ts';
import { compareTests, type Placed } from '../tests/compare.ts';
import { longestWait } from '../tests/durations.ts';
import { untilItHolds } from '../tests/retry-loops.ts';
import type { TestCase } from '../tests/test-case.ts';
import { type Found, quote, type Rule } from './rule.ts';

const RETRY_OPTION =
  /\b(?:retry|retries|retryTimes|reruns|max_runs|rerunFailingTestsCount|maxRetries|max_retries|repeatEach|retry_count)["']?\s*(?:[:=(]|=>|>)\s*(?:\{\s*(?:count|limit|runMode)\s*:\s*)?(\d+)/;
const RETRY_MARK =
  /@(?:pytest\.mark\.)?flaky\b|@(?:tenacity\.)?retry(?:ing)?\b|@backoff\.|@(?:Retry|Retries|RetryingTest|Flaky|FlakyTest|RetryTest|RepeatedIfExceptionsTest|TestRetry)\b|\bretryAnalyzer\s*=|\bmark\.flaky\b|[[,]\s*(?:Retry|RetryTest|RetryFact|RetryTheory|RetryAttribute|Flaky)\b|#\[(?:flaky\w*|retry\w*)|\bFlakeAttempts\(|\.config\([^)]*\bretries\b|:flaky\b/;
const RETRY_CALL =
  /\b(?:jest\.retryTimes|this\.retries|describe\.configure|Cypress\.config|ctx\.retries|t\.retries)\s*\(/;
const RETRY_FLAG =
  /--(?:retries|reruns|retry|rerun-fails|rerun-failed|flaky-test-attempts|only-rerun|force-flaky)(?:[= ]"?(\d+))?/;
const RUNNER_CONFIG =
  /(^|\/)(?:(?:jest|vitest|vite|playwright|cypress|wdio|karma|ava)\.config[^/]*|\.mocharc[^/]*|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|package\.json|nextest\.toml|\.config\/nextest\.toml|pom\.xml|build\.gradle(?:\.kts)?|\.rspec|spec_helper\.rb|cypress\.json)$|(^|\/)nextest\.toml$/;

export const testRetry: Rule = {
  id: 'test-retry',
  level: 'block',
  protects: 'tests',
  about: 'A failing test is retried, or loops, until it passes.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    return [
      ...pairs.flatMap(({ before, after }): readonly Found[] => {
        const loop = before.test.code === after.test.code ? undefined : untilItHolds(before.test, after.test);
        if (loop !== undefined) {
          const message = `the test ${quote(after.test.name)} tries until ${quote(loop.condition)}; ask once`;
          return [{ message, path: after.file.path, line: after.test.bodyLine + loop.at }];
        }
        if (before.test.head === after.test.head || !retried(after.test.head) || retried(before.test.head)) return [];
        const message = `the test ${quote(after.test.name)} is run again when it fails; find out why it does`;
        return [{ message, path: after.file.path, line: after.test.line }];
      }),
      ...fresh.flatMap(({ file, test }): readonly Found[] => {
        if (!retried(test.head)) return [];
        return [
          {
            message: `the new test ${quote(test.name)} is run again when it fails`,
            path: file.path,
            line: test.line,
            level: 'warn',
          },
        ];
      }),
      ...look.files.flatMap(inFile),
    ];
  },
};

const retried = (head: string): boolean => RETRY_MARK.test(head) || Number(RETRY_OPTION.exec(head)?.[1] ?? 0) > 0;

function inFile(file: LookFile): readonly Found[] {
  const isTest = file.role === 'test' || file.role === 'test-support';
  const isConfig = RUNNER_CONFIG.test(file.path);
  if (!isTest && !isConfig && !isCi(file.path)) return [];
  const code = codeOf(file.added);
  if (![RETRY_FLAG, RETRY_CALL, RETRY_OPTION].some(pattern => pattern.test(code))) return [];
  const most = (text: string) =>
    Math.max(0, ...[...text.matchAll(new RegExp(RETRY_OPTION, 'g'))].map(match => Number(match[1])));
  return file.added.flatMap((line): readonly Found[] => {
    const where = { path: file.path, line: line.number };
    const message = `${quote(line.text)} runs failing tests again until they pass`;
    const flag = RETRY_FLAG.exec(line.code);
    if (
      flag &&
      Number(flag[1] ?? 1) > 0 &&
      !file.removed.some(old => Number(RETRY_FLAG.exec(old.code)?.[1] ?? 0) >= Number(flag[1] ?? 1))
    ) {
      return /\b(?:curl|wget|apt|npm (?:ci|install)|pip|docker)\b/.test(line.code) ? [] : [{ message, ...where }];
    }
    if (isTest && RETRY_CALL.test(line.code)) {
      const times = Number(
        /\((?:\s*\{[^}]*retries\s*:)?\s*(\d+)/.exec(line.code)?.[1] ?? RETRY_OPTION.exec(line.code)?.[1] ?? 0,
      );
      return times > 0 ? [{ message, ...where }] : [];
    }
    // Cypress accepts it as an option of a group.
    const group = isTest && /^\s*(?:describe|context|it|suite)(?:\.\w+)?\(/.test(line.code) && file.language === 'js';
    const raised = Number(RETRY_OPTION.exec(line.code)?.[1] ?? 0);
    if ((isConfig || group) && raised > 0 && raised > most(file.before.code) && inTestSection(file, line.number))
      return [{ message, ...where }];
    return [];
  });
}

/** A package.json or pyproject.toml contains many things; only its test settings count. */
function inTestSection(file: LookFile, number: number): boolean {
  if (!/(?:package\.json|pyproject\.toml|setup\.cfg|pom\.xml|gradle(?:\.kts)?)$/.test(file.path)) return true;
  const above = file.after.lines.slice(Math.max(0, number - 15), number).join('\n');
  return /jest|vitest|mocha|pytest|ava|test|surefire|failsafe/i.test(above);
}

const TIMEOUT_OPTION =
  /\b(?:testTimeout|hookTimeout|timeout|setTimeout|asyncUtilTimeout|defaultTimeout|defaultCommandTimeout|expectTimeout|actionTimeout|timeout_func_only|faulthandler_timeout)["']?\s*(?:[:=(]|=>)\s*(\d[\d_]*|Infinity|false|None)/;
const TIMEOUT_CALL =
  /\b(?:jest\.setTimeout|this\.timeout|vi\.setConfig|test\.setTimeout|t\.timeout|mocha\.timeout|Timeout)\s*\(\s*(?:\{[^}]*?:\s*)?(?:value\s*=\s*)?(\d[\d_]*|Infinity)/;
/** Beyond this factor it is no longer patience with a slow machine. */
const TOO_MUCH = 5;
const USUAL_MS = 5000;
const PLAYWRIGHT_MS = 30_000;
/** Too long for a single wait that did not exist before. */
const ENDLESS_MS = 120_000;

export const testTimeout: Rule = {
  id: 'test-timeout',
  level: 'block',
  protects: 'tests',
  about: 'A test gets a much longer timeout than before, or none.',
  check: look => [
    ...compareTests(look).pairs.flatMap(({ before, after }): readonly Found[] => {
      const longer = before.test.code === after.test.code ? undefined : waitsLonger(before.test, after.test);
      if (longer) {
        const message = `the test ${quote(after.test.name)} waits up to ${longer.to / 1000} s instead of ${longer.from / 1000} s`;
        return [{ message, path: after.file.path, line: after.test.line }];
      }
      if (before.test.head === after.test.head) return [];
      const gone = lostLimit(before.test, after);
      if (gone !== undefined) {
        const message = `the test ${quote(after.test.name)} may take as long as it likes: ${quote(gone)} is gone`;
        return [{ message, path: after.file.path, line: after.test.line }];
      }
      const [from, to] = [limitOf(before.test.head), limitOf(after.test.head)];
      if (to === undefined || to === from) return [];
      return patience(from, to, {
        path: after.file.path,
        line: after.test.line,
        what: `the test ${quote(after.test.name)}`,
        file: after.file,
      });
    }),
    ...look.files.flatMap(file => {
      if (file.role !== 'test' && file.role !== 'test-support' && !RUNNER_CONFIG.test(file.path)) return [];
      if (![TIMEOUT_OPTION, TIMEOUT_CALL].some(pattern => pattern.test(codeOf(file.added)))) return [];
      return file.added.flatMap((line): readonly Found[] => {
        const pattern = file.role === 'test' ? TIMEOUT_CALL : TIMEOUT_OPTION;
        const found = pattern.exec(line.code)?.[1] ?? TIMEOUT_CALL.exec(line.code)?.[1];
        if (found === undefined || !inTestSection(file, line.number) || isOfServer(file, line.number)) return [];
        const old = file.removed
          .flatMap(({ code }) => {
            const value = (pattern.exec(code) ?? TIMEOUT_OPTION.exec(code))?.[1];
            return value === undefined ? [] : [valueOf(value) * unitOf(code)];
          })
          .at(0);
        const usual = JUNIT.test(line.code) ? USUAL_MS * 12 : undefined;
        return patience(old === undefined ? usual : old, valueOf(found) * unitOf(line.code), {
          path: file.path,
          line: line.number,
          what: quote(line.text),
          file,
        });
      });
    }),
  ],
};

const JUNIT = /@Timeout\(/;

/** JUnit counts in seconds by default; all others use milliseconds. */
const unitOf = (code: string): number => {
  if (!JUNIT.test(code) || /MILLIS/.test(code)) return 1;
  return /MINUTES/.test(code) ? 60_000 : /HOURS/.test(code) ? 3_600_000 : 1000;
};

const LIMIT =
  /\btimeout\s*=\s*[\w.]+|\btimeOut\s*=\s*\w+|@Timeout\([^)]*\)|\bTimeout\s*=\s*\w+|[[,]\s*(?:Timeout|MaxTime|CancelAfter)\([^)]*\)|#\[timeout\([^\]]*|\b(?:SpecTimeout|NodeTimeout)\([^)]*\)/;

/** The limit that a test lost, in languages where a test without a limit may run forever. */
function lostLimit(before: TestCase, { file, test }: Placed): string | undefined {
  if (file.language === 'js' || file.language === 'python' || file.language === 'ruby' || test.skip !== 'no')
    return undefined;
  const had = LIMIT.exec(before.head)?.[0];
  if (had === undefined || /time_?out|deadline|MaxTime|CancelAfter|Duration/i.test(test.head + test.code))
    return undefined;
  // A timeout for all tests of the file may replace it.
  return /time_?out/i.test(codeOf(file.added)) ? undefined : had;
}

/** A timeout for starting a server is not a timeout of a test. */
function isOfServer(file: LookFile, number: number): boolean {
  const lines = file.after.codeLines;
  let indent = (lines[number - 1] ?? '').search(/\S/);
  if (SERVER.test(lines[number - 1] ?? '')) return true;
  for (let at = number - 2; at >= Math.max(0, number - 12); at--) {
    const depth = (lines[at] ?? '').search(/\S/);
    if (depth < 0 || depth >= indent) continue;
    indent = depth;
    if (SERVER.test(lines[at] ?? '')) return true;
  }
  return false;
}

const SERVER = /\b(?:webServer|launchOptions|connectOptions|devServer|server|launch)["']?\s*:/;

/** Whether a test now waits many times as long for the same things. */
function waitsLonger(before: TestCase, after: TestCase): { readonly from: number; readonly to: number } | undefined {
  const [from, to] = [longestWait(before), longestWait(after)];
  if (from === 0) return to >= ENDLESS_MS ? { from: USUAL_MS, to } : undefined;
  return to >= from * TOO_MUCH && to >= USUAL_MS ? { from, to } : undefined;
}

const valueOf = (text: string): number =>
  /^\d/.test(text) ? Number(text.replaceAll('_', '')) : Number.POSITIVE_INFINITY;

/** A test's limit: its third argument, an option, a mark or an annotation. */
function limitOf(head: string): number | undefined {
  const option =
    TIMEOUT_OPTION.exec(head)?.[1] ?? TIMEOUT_CALL.exec(head)?.[1] ?? /,\s*(\d[\d_]{2,})\s*,?\s*$/.exec(head)?.[1];
  return option === undefined ? undefined : valueOf(option) * unitOf(head);
}

function patience(
  from: number | undefined,
  to: number,
  {
    path,
    line,
    what,
    file,
  }: { readonly path: string; readonly line: number; readonly what: string; readonly file: LookFile },
): readonly Found[] {
  const endless = to === Number.POSITIVE_INFINITY || to === 0;
  // Without a former value, the unit is unknown; a small number means seconds.
  const seconds = to < 1000 && file.language !== 'js';
  const usual = from ?? (seconds ? 60 : file.after.code.includes('@playwright/test') ? PLAYWRIGHT_MS : USUAL_MS);
  if (usual === 0 || usual === Number.POSITIVE_INFINITY || (!endless && to <= usual)) return [];
  const much = endless || to >= usual * TOO_MUCH;
  const message = `${what} is given ${endless ? 'endless time' : `${to} instead of ${from ?? 'the usual limit'}`}`;
  return [{ message, path, line, ...(!much && { level: 'warn' as const }) }];
}
