/** Tests that are calls with a body: Ginkgo's `It`, Pest's `it`, Kotest's `test` and `"name" { … }`. */
import { places } from '../../util/text.ts';
import type { Language } from '../language.ts';
import type { Masked } from '../mask.ts';
import { allMatches } from '../matches.ts';
import { closing, partsOf, pastSpace } from './brackets.ts';
import { mostSkipped, normalName, type Skip, type TestCase } from './test-case.ts';

/** One call: what it is called, its title, what marks it, and where its body is. */
interface Call {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly isGroup: boolean;
  readonly skip: Skip;
  readonly focus: boolean;
  readonly head: string;
  /** Nothing where it only has a name. */
  readonly body: readonly [number, number] | undefined;
  readonly cases: number;
}

/** How a body ends early, which the caller knows. */
type Cut = (open: number, close: number) => { readonly to: number; readonly skip: Skip };

export function closureTests({ code, bare }: Masked, language: Language, cut: Cut): readonly TestCase[] {
  const calls = callsIn({ code, bare }, language);
  if (calls.length === 0) return [];
  const place = places(bare);
  const groups = calls.filter(({ isGroup }) => isGroup);
  return calls.flatMap((call): readonly TestCase[] => {
    if (call.isGroup) return [];
    const around = groups.filter(group => group.start < call.start && group.end > call.start);
    const [open, close] = call.body ?? [call.end, call.end];
    const end = call.body ? cut(open, close) : { to: close, skip: 'todo' as const };
    return [
      {
        name: normalName(call.name),
        group: around.map(({ name }) => normalName(name)).join(' > '),
        line: place(call.start).line,
        skip: mostSkipped(call.skip, end.skip, ...around.map(({ skip }) => skip)),
        focus: call.focus || around.some(({ focus }) => focus),
        head: call.head,
        code: code.slice(open, end.to),
        bare: bare.slice(open, end.to),
        bodyLine: place(open).line,
        cases: call.cases,
      },
    ];
  });
}

function callsIn(source: Masked, language: Language): readonly Call[] {
  const { bare } = source;
  if (language === 'go') return /\b(?:It|Specify|Convey)\(/.test(bare) ? ginkgo(source) : [];
  if (language === 'php') return /^[ \t]*(?:it|test|todo)\s*\(/m.test(bare) ? pest(source) : [];
  if (language === 'kotlin') return /\b\w*Spec\s*\(/.test(bare) ? kotest(source) : [];
  return [];
}

const title = (code: string): string => /["'`]((?:\\.|[^"'`\\])*)["'`]/.exec(code)?.[1] ?? code.trim().slice(0, 60);

const GINKGO =
  /(?<![\w.])([FPX]?)(It|Specify|Describe|Context|When|DescribeTable|DescribeTableSubtree|Convey|SkipConvey|FocusConvey)\s*\(/g;
const PENDING_ENTRY = /(?<![\w.])[PX]Entry\s*\(|(?<![\w.])Entry\s*\([^;\n]*,\s*Pending\b/;

function ginkgo({ code, bare }: Masked): readonly Call[] {
  return allMatches(bare, GINKGO).map(match => {
    const open = match.index + match[0].length - 1;
    const end = closing(bare, open);
    const word = match[2] ?? '';
    const parts = partsOf(bare, open, end);
    const named = parts[0] ? code.slice(...parts[0]) : '';
    const body = bodyOf(bare, /\bfunc\s*\([^)]*\)[^{]*\{/g, [open, end]);
    const isTable = word.startsWith('DescribeTable');
    const marks = bare.slice(open, body?.[0] ?? end) + (isTable ? bare.slice(body?.[1] ?? end, end) : '');
    const pending =
      /[PX]/.test(match[1] ?? '') || word === 'SkipConvey' || /,\s*Pending\b/.test(marks) || PENDING_ENTRY.test(marks);
    return {
      start: match.index,
      end,
      name: title(named),
      isGroup: /^(?:Describe|Context|When)$/.test(word),
      skip: pending ? 'yes' : 'no',
      focus: match[1] === 'F' || word === 'FocusConvey' || /,\s*Focus\b|(?<![\w.])FEntry\s*\(/.test(marks),
      head: code.slice(open + 1, body?.[0] ?? end) + (isTable ? code.slice(body?.[1] ?? end, end) : ''),
      body,
      cases: isTable ? allMatches(marks, /(?<![\w.])F?Entry\s*\(/g).length : 0,
    };
  });
}

const PEST = /^[ \t]*(it|test|todo|describe|arch)\s*\(/gm;
const PEST_LINK = /\s*->\s*(\w+)\s*(?=\()/y;

function pest({ code, bare }: Masked): readonly Call[] {
  return allMatches(bare, PEST).map(match => {
    const open = match.index + match[0].length - 1;
    const end = closing(bare, open);
    const links = chainAfter(bare, end + 1);
    const chain = code.slice(end + 1, links.end);
    const body = bodyOf(bare, /\bfunction\s*\([^)]*\)[^{]*\{/g, [open, end]) ?? arrowOf(bare, [open, end]);
    const has = (name: RegExp) => links.found.some(link => name.test(link.name));
    const skips = links.found.filter(({ name }) => name === 'skip').map(link => code.slice(link.open + 1, link.close));
    const rows = links.found.flatMap(({ name, open: from }) => (name === 'with' ? [rowsIn(bare, from)] : []));
    return {
      start: match.index,
      end: links.end,
      name: title(code.slice(open + 1, end)),
      isGroup: match[1] === 'describe',
      skip:
        match[1] === 'todo' || has(/^todo$/)
          ? 'todo'
          : skips.some(isPlainSkip)
            ? 'yes'
            : has(/^(?:skip|skip(?:On|Locally)\w*)$/)
              ? 'conditional'
              : 'no',
      focus: has(/^only$/),
      head: chain,
      // `test('x')->expect(…)->toBe(…)` says all it has to say in its chain.
      body: body ?? (links.found.length > 0 && match[1] !== 'todo' ? [end + 1, links.end] : undefined),
      cases: rows.reduce((sum, count) => sum + count, 0),
    };
  });
}

/** `skip()`, `skip('why')`, `skip(true)`: nothing decides. */
const isPlainSkip = (inside: string): boolean => /^\s*(?:(["'])(?:(?!\1).)*\1\s*|true\b[^)]*)?$/s.test(inside);

interface Link {
  readonly name: string;
  readonly open: number;
  readonly close: number;
}

function chainAfter(bare: string, from: number): { readonly end: number; readonly found: readonly Link[] } {
  const found: Link[] = [];
  let end = from;
  for (;;) {
    PEST_LINK.lastIndex = end;
    const match = PEST_LINK.exec(bare);
    if (!match) return { end, found };
    const open = end + match[0].length;
    const close = closing(bare, open);
    found.push({ name: match[1] ?? '', open, close });
    end = close + 1;
  }
}

/** Rows of `->with([[…], […]])`. */
function rowsIn(bare: string, open: number): number {
  const list = pastSpace(bare, open + 1);
  return bare[list] === '[' ? partsOf(bare, list).length : 0;
}

/** The body of the last closure with braces among the arguments. */
function bodyOf(
  bare: string,
  pattern: RegExp,
  [open, end]: readonly [number, number],
): readonly [number, number] | undefined {
  pattern.lastIndex = open;
  const match = pattern.exec(bare);
  if (!match || match.index > end) return undefined;
  const brace = match.index + match[0].length - 1;
  return [brace, closing(bare, brace)];
}

function arrowOf(bare: string, [open, end]: readonly [number, number]): readonly [number, number] | undefined {
  const at = bare.indexOf('=>', open);
  return at < 0 || at > end || !/\bfn\s*\([^)]*\)\s*$/.test(bare.slice(open, at)) ? undefined : [at + 2, end];
}

const KOTEST =
  /^[ \t]*`?(x|f)?(test|should|it|then|Then|scenario|expect|context|describe|given|Given|feature|Feature|when|When|and|And|Should|Scenario)`?\s*\(\s*(?=")/gm;
const STRING_NAME = /^[ \t]*"(?:\\.|[^"\\\n])*"\s*(?=\{|-\s*\{|\.config\s*\(|(?:should|When|when|Should)\s*\{)/gm;
const DATA = /^[ \t]*(?:withData|forAll|table)\s*(?:<[^<>\n]*>)?\s*(?=\()/gm;
const GROUP = /^(?:context|describe|given|Given|feature|Feature|when|When|and|And)$/;

function kotest({ code, bare }: Masked): readonly Call[] {
  const calls: Call[] = [];
  const add = (
    start: number,
    after: number,
    { name, word, mark = '' }: { name: string; word: string; mark?: string },
  ) => {
    const found = braceAfter(bare, after);
    if (!found) return;
    const head = code.slice(after, found.brace);
    const skipped = mark === 'x' || name.startsWith('!') || /\benabled\s*=\s*false\b/.test(head);
    const end = closing(bare, found.brace);
    calls.push({
      start,
      end,
      name: name.replace(/^!|^f:/, ''),
      isGroup: GROUP.test(word),
      skip: skipped
        ? 'yes'
        : /\benabledIf\s*=|\benabledOrReasonIf\s*=|\benabled\s*=\s*(?!true)/.test(head)
          ? 'conditional'
          : 'no',
      focus: mark === 'f' || name.startsWith('f:'),
      head,
      body: [found.brace, end],
      cases: word === 'withData' ? found.rows : 0,
    });
  };
  for (const match of allMatches(bare, KOTEST)) {
    const open = match.index + match[0].lastIndexOf('(');
    const end = closing(bare, open);
    const name = title(code.slice(open, end));
    add(match.index, end + 1, { name, word: match[2] ?? '', ...(match[1] && { mark: match[1] }) });
  }
  for (const match of allMatches(bare, STRING_NAME)) {
    const after = match.index + match[0].length;
    const isGroup = /^(?:-|should|when|When|Should)/.test(bare.slice(after, after + 8));
    add(match.index, after, { name: title(code.slice(match.index, after)), word: isGroup ? 'context' : 'test' });
  }
  for (const match of allMatches(bare, DATA)) {
    add(match.index, match.index + match[0].length, { name: 'with data', word: 'withData' });
  }
  return calls;
}

/** The brace of a body, past what configures it. */
function braceAfter(bare: string, from: number): { readonly brace: number; readonly rows: number } | undefined {
  let at = pastSpace(bare, from);
  let rows = 0;
  for (let step = 0; step < 4; step++) {
    const rest = bare.slice(at, at + 40);
    const word = /^(?:\.\s*config\s*|-\s*|(?:should|when|When|Should)\s*)/.exec(rest)?.[0] ?? '';
    at = pastSpace(bare, at + word.length);
    if (bare[at] === '{') return { brace: at, rows };
    if (bare[at] !== '(') return undefined;
    rows = partsOf(bare, at).length;
    at = pastSpace(bare, closing(bare, at) + 1);
  }
  return undefined;
}
