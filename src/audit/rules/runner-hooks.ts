/**
 * Set-up code that decides which tests run and whether a failure is reported.
 *
 *     + RSpec.configure { |config| config.failure_exit_code = 0 }   in spec_helper.rb
 */
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { type Found, quote } from './rule.ts';

const WORDS =
  /config\.|RSpec|Cypress\.on|cy\.on|\.option|addopts|removeAllListeners|unhandledRejection|uncaughtException|EqualityTester|\.state\s*=|state\s*:|set_exception|runtest_setup|Minitest|unittest\.main|suite\s*=|load_tests/;

/** Checked line by line; a condition on the platform or a user's option makes a line harmless. */
const SETTINGS: readonly (readonly [RegExp, string])[] = [
  [
    /\bconfig\.(?:filter_run_excluding|exclusion_filter\s*=|exclude_pattern\s*=|filter_run(?:_including)?\b(?!\s*\(?\s*:?focus)|inclusion_filter\s*=|pattern\s*=)/,
    'keeps examples from running',
  ],
  [/\b(?:failure_exit_code|error_exit_code)\s*=\s*0\b|\bdry_run\s*=\s*true\b/, 'lets the run pass when examples fail'],
  [/\bconfig\.default_retry_count\s*=\s*[1-9]/, 'runs failing examples again until they pass'],
  [/\b(?:meta|metadata|m)\[:(?:skip|pending)\]\s*(?:\|\|)?=\s*(?!false|nil)/, 'skips examples'],
  [/\bset_exception\(\s*nil|\bdisplay_exception\s*=\s*nil/, 'forgets what failed'],
  [
    /\bconfig\.option\.(?:keyword|markexpr|deselect|ignore(?:_glob)?|collectonly|maxfail)\s*=|\bsetattr\(\s*config\.option\s*,\s*['"](?:keyword|markexpr|deselect|ignore|collectonly)|\bconfig\.args\s*=|addinivalue_line\(\s*['"]addopts/,
    'takes tests away from pytest',
  ],
  [
    /\bprocess\.removeAllListeners\(\s*(?:\)|['"](?:unhandledRejection|uncaughtException))/,
    'keeps errors from being heard',
  ],
  [
    /\b(?:addEqualityTesters|addCustomEqualityTester)\(\s*\[?\s*(?:\([^)]*\)|\w+)\s*=>\s*(?:true\b|\{\s*return true)/,
    'makes everything equal',
  ],
  [/\.state\s*=\s*['"]pass(?:ed)?['"]|\bresult\s*=\s*\{\s*state\s*:\s*['"]pass/, 'changes what the runner reports'],
  [/\bunittest\.main\([^)]*\bexit\s*=\s*False/, 'lets the run pass when tests fail'],
];
const CHOSEN = /\b(?:ENV|if|unless|lambda|getoption|environ|RUBY_\w+|Gem\.|platform)\b|->/;

export function runnerHooks(file: LookFile): readonly Found[] {
  if (!WORDS.test(file.after.code) || !WORDS.test(codeOf(file.added))) return [];
  const made = ({ number, text }: Pick<Line, 'number' | 'text'>, why: string): Found => ({
    message: `${quote(text)} ${why}`,
    path: file.path,
    line: number,
  });
  return file.added.flatMap((line): readonly Found[] => {
    const hit = SETTINGS.find(([pattern]) => pattern.test(line.code));
    return hit && !CHOSEN.test(line.bare) ? [made(line, hit[1])] : [];
  });
}
