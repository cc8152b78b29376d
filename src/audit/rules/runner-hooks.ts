/** Settings and handlers, made in code, that decide which tests run and whether their failure is heard. */
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { closing } from '../tests/brackets.ts';
import { type Found, quote } from './rule.ts';

const WORDS =
  /config\.|RSpec|Cypress\.on|cy\.on|\.option|addopts|removeAllListeners|unhandledRejection|uncaughtException|EqualityTester|\.state\s*=|state\s*:|set_exception|runtest_setup|Minitest|unittest\.main|suite\s*=|load_tests/;

/** Each line by itself; a condition of the machine or an option of the user makes it harmless. */
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

/** What a handler has to do with a failure, or it is lost. */
const HANDLERS =
  /\b(?:cy|Cypress|process)\.(?:on|once)\(\s*['"](fail|uncaught:exception|unhandledRejection|uncaughtException)['"]\s*,/g;

export function runnerHooks(file: LookFile): readonly Found[] {
  if (!WORDS.test(file.after.code) || !WORDS.test(codeOf(file.added))) return [];
  const made = ({ number, text }: Pick<Line, 'number' | 'text'>, why: string): Found => ({
    message: `${quote(text)} ${why}`,
    path: file.path,
    line: number,
  });
  const settings = file.added.flatMap((line): readonly Found[] => {
    const hit = SETTINGS.find(([pattern]) => pattern.test(line.code));
    return hit && !CHOSEN.test(line.bare) ? [made(line, hit[1])] : [];
  });
  return [...settings, ...deafHandlers(file, made), ...lostExamples(file, made), ...skipsByName(file, made)];
}

type Make = (line: Pick<Line, 'number' | 'text'>, why: string) => Found;

/** Handlers of failures that hand nothing on. */
function deafHandlers(file: LookFile, made: Make): readonly Found[] {
  const { code, bare, lines } = file.after;
  const added = new Set(file.added.map(({ number }) => number));
  return [...code.matchAll(HANDLERS)].flatMap((match): readonly Found[] => {
    const number = code.slice(0, match.index).split('\n').length;
    const open = code.indexOf('(', match.index);
    const handler = bare.slice(match.index + match[0].length, closing(bare, open));
    const span = handler.split('\n').length;
    if (!Array.from({ length: span }, (_, index) => number + index).some(at => added.has(at))) return [];
    return isDeaf(match[1] ?? '', handler) ? [made({ number, text: lines[number - 1] ?? '' }, DEAF)] : [];
  });
}

const DEAF = 'keeps errors from being heard';

function isDeaf(event: string, handler: string): boolean {
  if (!/=>|\bfunction\b/.test(handler) || /\bthrow\b|\bexit(?:Code)?\b|\breject\b|\bdone\(|\bpush\(/.test(handler))
    return false;
  if (event === 'fail') return true;
  const asks = /\bif\b|\?|\.includes\(|\.test\(|\.match\(|&&|===?|!==?/.test(handler);
  if (event === 'uncaught:exception') return !asks && /(?:=>|\breturn)\s*\(?\s*(?:false|!1)\b/.test(handler);
  return (
    !asks &&
    /^\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>\s*(?:\{\s*\}|\{?\s*console\.\w+\([^)]*\);?\s*\}?)\s*$/.test(handler)
  );
}

/** RSpec's `around` that does not run its example, or forgets why it failed. */
function lostExamples(file: LookFile, made: Make): readonly Found[] {
  if (file.language !== 'ruby') return [];
  return file.added.flatMap((line): readonly Found[] => {
    if (!/^\s*(?:config\.)?around\b/.test(line.code)) return [];
    const body = blockOf(file.after.codeLines, line.number);
    const runs = /\.(?:run|call)\b|&\w+|\byield\b|run_with_retry/.test(body);
    const forgets = /\brescue\b/.test(body) && !/\braise\b/.test(body);
    return !runs || forgets ? [made(line, runs ? 'forgets what failed' : 'runs no example')] : [];
  });
}

/** A hook of pytest that skips tests by their name. */
function skipsByName(file: LookFile, made: Make): readonly Found[] {
  if (file.language !== 'python') return [];
  return file.added.flatMap((line): readonly Found[] => {
    if (!/^\s*def\s+pytest_runtest_setup\b/.test(line.code)) return [];
    const body = blockOf(file.after.codeLines, line.number);
    const asked = /getoption|config\.option|get_closest_marker|iter_markers|keywords|platform|environ|version/.test(
      body,
    );
    return /pytest\.skip|xfail/.test(body) && !asked ? [made(line, 'skips tests by their name')] : [];
  });
}

/** A line and what is indented deeper below it. */
function blockOf(lines: readonly string[], number: number): string {
  const head = lines[number - 1] ?? '';
  const indent = head.length - head.trimStart().length;
  const body: string[] = [head];
  for (const line of lines.slice(number, number + 60)) {
    const depth = line.length - line.trimStart().length;
    if (line.trim() !== '' && depth <= indent && !/^\s*(?:rescue|ensure|else)\b/.test(line)) break;
    body.push(line);
  }
  return body.join('\n');
}
