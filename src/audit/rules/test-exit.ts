/**
 * Tests and set-up files that end the process with success, or change what the runner reports.
 *
 *     - test('adds', ...);
 *     + afterAll(() => process.exit(0)); test('adds', ...);
 */

import { places } from '../../util/text.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { closing, partsOf } from '../tests/brackets.ts';
import { ownTestLibraries } from './replaced-test-library.ts';
import { type Found, quote, type Rule } from './rule.ts';
import { runnerHooks } from './runner-hooks.ts';

const EXITS =
  /(?<![\w$.'"])(?:process\.exit\s*\(\s*0?\s*\)|process\.exitCode\s*=\s*0\b|process\.reallyExit\(|(?:sys\.|os\.)_?exit\s*\(\s*0?\s*\)|os\.Exit\s*\(\s*0\s*\)|std::process::exit\s*\(\s*0\s*\)|System\.exit\s*\(\s*0\s*\)|Runtime\.getRuntime\(\)\.halt\(\s*0|exit!?\s*\(?\s*(?:0|true)\s*\)?\s*$|Deno\.exit\s*\(\s*0?\s*\)|quit\(\s*0?\s*\)|pytest\.exit\([^)]*(?:returncode|0))/m;

export const testExit: Rule = {
  id: 'test-exit',
  level: 'block',
  protects: 'tests',
  about: 'A test, its set-up or the code it loads exits the process with status 0.',
  check: ({ files }) =>
    files.flatMap((file): readonly Found[] => {
      if (!/^(?:production|test|test-support)$/.test(file.role) || !EXITS.test(file.after.bare)) return [];
      if (file.role === 'production') return file.added.flatMap(line => loadedExit(file, line));
      return file.added.flatMap((line): readonly Found[] => {
        if (!EXITS.test(line.bare) || isEntry(file, line)) return [];
        const message = `${quote(line.text)} ends the tests as if they had passed`;
        return [{ message, path: file.path, line: line.number }];
      });
    }),
};

/** A module that ends the process while it is loaded ends every importing process, tests first. */
function loadedExit(file: LookFile, { number, text, bare }: Line): readonly Found[] {
  if (/^\s/.test(text) || !EXITS.test(bare) || file.after.text.startsWith('#!')) return [];
  if (!/^(?:export\b|module\.exports|exports\.|def |class )/m.test(file.after.code)) return [];
  return [{ message: `${quote(text)} ends every process that loads this file`, path: file.path, line: number }];
}

/** Scripts that tests start are separate programs. */
function isEntry(file: LookFile, { number, bare }: Line): boolean {
  if (file.after.text.startsWith('#!')) return true;
  const around = file.after.lines.slice(Math.max(0, number - 8), number).join('\n');
  if (/__name__\s*==|require\.main\s*===|import\.meta\.main/.test(around)) return true;
  if (/spyOn|mock|stub|expect|assert|raises|SystemExit/i.test(bare)) return true;
  return file.after.tests.length === 0 && file.role === 'test' && file.change.kind === 'added';
}

const HOOKS: readonly (readonly [RegExp, string])[] = [
  [
    /\bpytest_runtest_makereport\b|\bpytest_runtest_logreport\b|\bpytest_report_teststatus\b/,
    'changes what pytest reports',
  ],
  [
    /\b(?:rep|report|outcome|result)\.outcome\s*=\s*['"]passed|\.force_result\(|\bsession\.exitstatus\s*=|\bpytest_sessionfinish\b/,
    'changes what pytest reports',
  ],
  [
    /\bpytest_collection_modifyitems\b|\bpytest_ignore_collect\b|\bpytest_deselected\b|\bitems\[:\]\s*=|\bitems\.clear\(/,
    'takes tests away from pytest',
  ],
  [/\bpytest_(?:runtest_call|runtest_protocol|pyfunc_call|assertrepr_compare)\b/, 'takes over how pytest runs tests'],
  [
    /\b(?:unittest\.)?TestCase\.(?:assert\w+|fail|run)\s*=|setattr\(\s*(?:unittest\.)?TestCase\b/,
    'replaces an assertion',
  ],
  [
    /\bbuiltins\.(?:assert|AssertionError|__import__)\b.*=|sys\.modules\[['"](?:pytest|unittest)/,
    'replaces an assertion',
  ],
  [/\b(?:global|globalThis|window)\.(?:expect|assert|it|test|describe)\s*=(?!=)/, 'replaces what tests are made of'],
  [/\bassert(?:\.\w+)?\s*=\s*(?:\(\)|\(?\w*\)?\s*=>|function|jest\.fn|vi\.fn|\(\.\.\.)/, 'replaces an assertion'],
  [/\b(?:expect|chai)\.(?:extend|use)\(\s*\{[^}]*\b(?:toBe|toEqual|toStrictEqual|toThrow)\b/, 'replaces an assertion'],
  [/\bAssertion\.(?:overwriteMethod|overwriteProperty|prototype\.\w+\s*=)/, 'replaces an assertion'],
  [
    /\bTestResult\b.*\bwasSuccessful\b|\bdef\s+wasSuccessful\b|\baddFailure\s*=|\bdef\s+addFailure\b/,
    'changes what the runner reports',
  ],
  [/\bt\s*:?=\s*(?:&testing\.T\{\}|new\(testing\.T\))/, 'fails a test that nobody runs'],
  [
    /\bconfig\.around\b.*\brescue\b|\bexample\.run\s+rescue\b|instance_variable_set\(\s*:@exception\b/,
    'forgets what failed',
  ],
  [/\badd_marker\(\s*(?:pytest\.mark\.)(?:xfail|skip)\b/, 'expects every test to fail, or skips it'],
  [
    /(?:setattr|patch)\(\s*["'](?:unittest\.)?(?:case\.)?TestCase\.(?:assert|fail)|(?:setattr|patch\.object)\(\s*(?:unittest\.)?TestCase\b/,
    'replaces an assertion',
  ],
  [
    /\bprocess\.on\(\s*['"](?:unhandledRejection|uncaughtException)['"]\s*,\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void 0)/,
    'keeps errors from being heard',
  ],
  [/\bfunc\s+TestMain\b/, 'takes over how Go runs tests'],
  [
    /\bmodule\s+(?:Minitest|RSpec)::?\w*Assertions?\b|\bMinitest::Assertions\.(?:class_eval|prepend)|RSpec::Core::Example\b.*(?:class_eval|prepend|define_method)/,
    'replaces an assertion',
  ],
  [/\bjest\.(?:setMock)\(['"]expect|\bprocess\.on\(\s*['"]exit['"].*exitCode\s*=\s*0/, 'changes how the run ends'],
  [/\bat_exit\s*(?:\{|do).*exit!?\s*\(?\s*(?:0|true)/, 'changes how the run ends'],
];

/** A cheap test: without one of these words nothing is hooked, and most files contain none. */
const HOOKING =
  /pytest_|outcome|force_result|exitstatus|items\[:|items\.clear|TestCase|setattr|builtins\.|sys\.modules|\b(?:global|globalThis|window)\.|assert(?:\.\w+)?\s*=|\.(?:extend|use)\(|Assertion\b|wasSuccessful|addFailure|&testing\.T\{|new\(testing\.T|\baround\b|example\.run|instance_variable_set|add_marker|patch|process\.on|TestMain|Minitest|RSpec|setMock|at_exit/;

const START_FILES = /(^|\/)(?:sitecustomize|usercustomize)\.py$|\.pth$/;

export const testRunner: Rule = {
  id: 'test-runner',
  level: 'block',
  protects: 'tests',
  about: 'The test runner or its assertions are patched or replaced.',
  check: look => [
    ...ownTestLibraries(look),
    ...look.files.flatMap((file): readonly Found[] => {
      if (START_FILES.test(file.path) && file.change.kind !== 'deleted') {
        return [
          {
            message: `${file.path} runs inside every Python program, the test runner included`,
            path: file.path,
            line: 1,
          },
        ];
      }
      if (file.role !== 'test' && file.role !== 'test-support' && !/(^|\/)(?:setup|conftest)/.test(file.path))
        return [];
      const always = alwaysPassing(file);
      if (always.length > 0) return always;
      const set = runnerHooks(file);
      const hooks = HOOKING.test(file.after.code) ? HOOKS.filter(([pattern]) => pattern.test(codeOf(file.added))) : [];
      if (hooks.length === 0 || set.length > 0) return set;
      return file.added.flatMap((line): readonly Found[] => {
        const hit = hooks.find(([pattern]) => pattern.test(line.code));
        if (!hit || isHarmlessHook(file, line)) return [];
        return [{ message: `${quote(line.text)} ${hit[1]}`, path: file.path, line: line.number }];
      });
    }),
  ],
};

/** A hook that only adds options or marks, and a TestMain that passes the result on, change nothing. */
function isHarmlessHook(file: LookFile, { number, code }: Line): boolean {
  const lines = file.after.codeLines;
  const body: string[] = [];
  const indent = code.length - code.trimStart().length;
  for (const line of lines.slice(number, number + 60)) {
    if (line.trim() !== '' && line.length - line.trimStart().length <= indent && !/^\s*[)\]}]/.test(line)) break;
    body.push(line);
  }
  const text = body.join('\n');
  if (/TestMain/.test(code))
    return (
      /os\.Exit\(\s*m\.Run\(\)\s*\)|:?=\s*m\.Run\(\)[\s\S]*os\.Exit\(\s*\w+\s*\)|^[^\S\n]*m\.Run\(\)/m.test(text) ||
      /goleak|VerifyTestMain/.test(text)
    );
  if (/pytest_collection_modifyitems/.test(code)) {
    return (
      !/items\[:\]|items\.(?:remove|clear|pop)|del items|mark\.(?:skip\b(?!if)|xfail)|deselected/.test(text) ||
      /getoption|config\.option/.test(text)
    );
  }
  // A wrapper that passes everything on.
  if (/pytest_(?:runtest_call|runtest_protocol|pyfunc_call)/.test(code))
    return /\byield\b/.test(text) && !/\bexcept\b|suppress|force_result|force_exception/.test(text);
  if (/add_marker/.test(code)) {
    const around = lines.slice(Math.max(0, number - 12), number).join('\n');
    return /getoption|config\.option|\bif\b[^\n]*(?:platform|sys\.|environ|keywords|nodeid|get_closest_marker|version)/.test(
      around,
    );
  }
  if (/pytest_runtest_makereport/.test(code))
    return !/outcome\s*=\s*['"]passed|excinfo\s*=\s*None|force_result|\.result\s*=/.test(text);
  if (/pytest_runtest_logreport|pytest_report_teststatus|pytest_sessionfinish|pytest_assertrepr_compare/.test(code))
    return !/outcome\s*=|exitstatus\s*=\s*0|exitstatus\s*=(?!=)/.test(text);
  return false;
}

// The project's own matchers that always pass.

const KNOWN =
  /^(?:toBe|toEqual|toStrictEqual|toThrow|toThrowError|toMatch|toMatchObject|toMatchSnapshot|toContain|toContainEqual|toHaveLength|toHaveProperty|toHaveBeenCalled\w*|toBeDefined|toBeNull|toBeTruthy|toBeFalsy|toBeCloseTo|toBeGreaterThan\w*|toBeLessThan\w*|toBeInstanceOf|toHaveReturned\w*)$/;

/** The result does not depend on the input. */
const PASSES = /\bpass\s*:\s*(?:true|!0|1)\b/;
const FAILS = /\bpass\s*:(?!\s*(?:true\b|!0|1\b))|\bpass\b(?!\s*:)/;
const RUBY =
  /^[^\S\n]*match\s*(?:\{\s*(?:\|[^|]*\|)?\s*true\s*\}|do\s*(?:\|[^|]*\|)?\s*\n\s*true\s*\n\s*end)|^[^\S\n]*def\s+matches\?\s*\(?[^)\n]*\)?\s*\n\s*true\s*\n\s*end/gm;
const HAMCREST =
  /\b(?:boolean\s+matches(?:Safely)?|Matches|public\s+function\s+matches|fun\s+test|function\s+evaluate)\s*\([^)]*\)\s*(?::\s*\??\w+\s*)?(?:\{\s*return\s+true\s*;?\s*\}|=>?\s*true\b)/g;

const WORDS = /\bpass\b|matches|\bmatch\b|extend|evaluate|Matches/;

function alwaysPassing(file: LookFile): readonly Found[] {
  if (!WORDS.test(file.after.code) || !WORDS.test(codeOf(file.added))) return [];
  const added = new Set(file.added.map(({ number }) => number));
  const place = places(file.after.code);
  const lineAt = (at: number) => place(at).line;
  const found: Found[] = [];
  const add = (name: string, at: number, to: number, why: string) => {
    const [first, last] = [lineAt(at), lineAt(to)];
    for (let line = first; line <= last; line++) {
      if (!added.has(line)) continue;
      found.push({ message: `the matcher ${quote(name)} ${why}`, path: file.path, line });
      return;
    }
  };
  const { bare } = file.after;
  for (const match of bare.matchAll(/\bexpect\.extend\(\s*\{/g)) {
    const open = match.index + match[0].length - 1;
    for (const [from, to] of partsOf(bare, open, closing(bare, open))) {
      const text = bare.slice(from, to);
      const name = /^\s*(?:async\s+)?(?:function\s+)?(\w+)\s*(?=[:(<])/.exec(text)?.[1] ?? '';
      if (name === '') continue;
      if (PASSES.test(text) && !FAILS.test(text)) add(name, from, to, 'passes whatever it is given');
      else if (KNOWN.test(name)) add(name, from, to, 'takes the place of a known one');
    }
  }
  for (const pattern of [RUBY, HAMCREST]) {
    for (const match of file.after.code.matchAll(pattern))
      add(
        match[0].trim().split('\n')[0] ?? '',
        match.index,
        match.index + match[0].length,
        'passes whatever it is given',
      );
  }
  return found;
}
