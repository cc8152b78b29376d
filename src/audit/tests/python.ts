/** Finds the tests of pytest and unittest. */
import { indentOf } from '../../util/text.ts';
import type { Masked } from '../mask.ts';
import { closing, depthAt, hasTables, partsOf, tableRows } from './brackets.ts';
import { mostSkipped, normalName, type Skip, type TestCase } from './test-case.ts';

interface Block {
  readonly name: string;
  readonly indent: number;
  readonly skip: Skip;
}

export function pythonTests({ code, bare }: Masked): readonly TestCase[] {
  const lines = bare.split('\n');
  const starts = startsOf(lines);
  const between = (text: string, from: number, to: number) =>
    text.slice(starts[from], (starts[to] ?? text.length + 1) - 1);
  const aliases = skipAliases(code);
  const file = SKIPS_MODULE.test(bare) ? moduleSkip(lines, code.split('\n')) : 'no';
  // A cheap test on the whole file: what is not in the file is in none of its tests.
  const [ends, tables] = [/skip|xfail|SkipTest|return/.test(bare), hasTables(bare)];
  const stack: Block[] = [];
  const tests: TestCase[] = [];
  const skipped = new Set<string>();
  /** The line where a name was last defined; the earlier definition of the same name never runs. */
  const defined = new Map<string, number>();
  const replaced = new Set<number>();
  let decorators: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    while (stack.length > 0 && indent <= (stack.at(-1)?.indent ?? 0)) stack.pop();
    if (line[indent] === '@') {
      const end = endOfStatement(lines, at);
      decorators.push(...range(at, end));
      at = end;
      continue;
    }
    const group = /^\s*class\s+(\w+)/.exec(line);
    const test = group ? null : /^\s*(?:async\s+)?def\s+(\w+)\s*\(/.exec(line);
    if (!group && !test) {
      decorators = [];
      continue;
    }
    // Decorators are on consecutive lines, perhaps with blank lines in between.
    const head = decorators.map(number => between(code, number, number + 1)).join('\n');
    const bareHead = decorators.map(number => lines[number] ?? '').join('\n');
    const start = decorators[0] ?? at;
    decorators = [];
    if (group) {
      const off = /^[^\S\n]*__test__\s*=\s*False/m.test(lines.slice(at + 1, at + 12).join('\n')) ? 'yes' : 'no';
      stack.push({ name: group[1] ?? '', indent, skip: mostSkipped(decoratedSkip(head, aliases), off) });
      continue;
    }
    const name = test?.[1] ?? '';
    const endOfHead = endOfStatement(lines, at);
    const end = endOfBlock(lines, endOfHead + 1, indent);
    if (SET_UP.test(name) && cutAtReturn(lines, { from: endOfHead + 1, to: end }).skip === 'yes')
      skipped.add(stack.map(block => block.name).join(' > '));
    if (/^test/.test(name)) {
      const cut = ends ? cutAtReturn(lines, { from: endOfHead + 1, to: end }) : { to: end, skip: 'no' as const };
      const isEmpty = endOfHead + 1 >= cut.to;
      const body = isEmpty ? '' : between(code, endOfHead + 1, cut.to);
      const bareBody = isEmpty ? '' : between(bare, endOfHead + 1, cut.to);
      // The body may be on the line of its head.
      const opening = lines[endOfHead] ?? '';
      const inline = opening.endsWith(':') ? '' : opening.replace(/^.*?\)\s*(?:->[^:]*)?:/, '').trim();
      tests.push({
        name: normalName(name),
        group: stack.map(block => block.name).join(' > '),
        line: start + 1,
        skip: mostSkipped(decoratedSkip(head, aliases), cut.skip, file, ...stack.map(({ skip }) => skip)),
        focus: head !== '' && /\bpytest\.mark\.(?:only|focus)\b/.test(head),
        head,
        code: inline ? `${inline}\n${body}` : body,
        bare: inline ? `${inline}\n${bareBody}` : bareBody,
        bodyLine: inline ? endOfHead + 1 : endOfHead + 2,
        cases: parametrized(bareHead) + (tables ? tableRows(bareBody) : 0),
      });
    }
    const last = tests.at(-1);
    // The branches of an `if` may each define a test of the same name.
    const branch = indent > (stack.at(-1)?.indent ?? -1) + 4;
    if (last?.line === start + 1 && !branch) {
      const earlier = defined.get(keyOf(last));
      if (earlier !== undefined) replaced.add(earlier);
      defined.set(keyOf(last), last.line);
    }
    at = end - 1;
    // Functions in a class are tests of their own; a function nested in a function is part of it.
  }
  const shadowed = new Set(
    [
      ...code.matchAll(
        /^[^\S\n]*(?:del (?:\w+\.)?(test\w*)|(test\w*)\s*=\s*(?:None|lambda|pass)|delattr\(\s*\w+,\s*["'](test\w*))/gm,
      ),
    ].map(match => match[1] ?? match[2] ?? match[3]),
  );
  const never = (test: TestCase) => shadowed.has(test.name) || skipped.has(test.group) || replaced.has(test.line);
  return tests.some(never) ? tests.map(test => (never(test) ? { ...test, skip: 'yes' } : test)) : tests;
}

/** Offsets of the lines; they are the same in both texts. */
function startsOf(lines: readonly string[]): readonly number[] {
  let at = 0;
  return lines.map(line => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

const keyOf = ({ group, name }: Pick<TestCase, 'group' | 'name'>): string => `${group}\n${name}`;

/** Methods that run before every test of their class. */
const SET_UP = /^(?:setUp(?:Class|Module)?|asyncSetUp|setup_(?:method|class|module|function)|setup)$/;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The last line of the statement that starts at `at`: brackets or a backslash continue it. */
function endOfStatement(lines: readonly string[], at: number): number {
  let depth = 0;
  for (let index = at; index < Math.min(lines.length, at + 400); index++) {
    const line = lines[index] ?? '';
    depth += depthAt(line, 0, line.length);
    if (depth <= 0 && !/\\\s*$/.test(line)) return index;
  }
  return at;
}

function endOfBlock(lines: readonly string[], from: number, indent: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const own = line.search(/\S/);
    if (own < 0) continue;
    if (own <= indent && !/[)\]}]/.test(line[own] ?? '')) break;
    end = at + 1;
  }
  return end;
}

function skipAliases(code: string): RegExp | undefined {
  const names = [...code.matchAll(/^(\w+)\s*=\s*(?:pytest\.mark\.skip\b(?!if)|unittest\.skip\b(?!If|Unless))/gm)].map(
    match => match[1],
  );
  return names.length > 0 ? new RegExp(`@(?:${names.join('|')})\\b`) : undefined;
}

function decoratedSkip(head: string, aliases: RegExp | undefined): Skip {
  if (head === '') return 'no';
  if (/@(?:pytest\.)?mark\.skip\b|@(?:unittest\.)?skip\b(?!\s*_?if)|expectedFailure\b|@disabled\b/i.test(head))
    return 'yes';
  if (aliases?.test(head)) return 'yes';
  const condition = /(?:skipif|skipIf)\s*\(\s*(?:condition\s*=\s*)?([^,)]*)/.exec(head)?.[1]?.trim();
  if (condition !== undefined)
    return /^(?:True|1|not False|["'](?:True|1)["'])$/.test(condition) ? 'yes' : 'conditional';
  const unless = /skipUnless\s*\(\s*([^,)]*)/.exec(head)?.[1]?.trim();
  if (unless !== undefined) return /^(?:False|0|None|not True)$/.test(unless) ? 'yes' : 'conditional';
  const xfail = /mark\.xfail\b(?:\s*\(([\s\S]*))?/.exec(head);
  if (!xfail) return 'no';
  // A condition is the first argument, without a keyword.
  return /^\s*(?!reason\b|strict\b|raises\b|run\b|condition\s*=\s*True|True\b)[\w(]/.test(xfail[1] ?? '')
    ? 'conditional'
    : 'yes';
}

/** A cheap test: without one of these words no module skips itself. */
const SKIPS_MODULE = /pytestmark|pytest\.skip|SkipTest|__test__|importorskip/;

function moduleSkip(lines: readonly string[], code: readonly string[]): Skip {
  let skip: Skip = 'no';
  for (const [index, line] of lines.entries()) {
    if (/^pytestmark\s*=/.test(line)) {
      const text = code
        .slice(index, endOfStatement(lines, index) + 1)
        .join('\n')
        .replace(/pytest\.mark\./g, '@pytest.mark.');
      skip = mostSkipped(skip, decoratedSkip(text, undefined));
    }
    if (/^(?:pytest\.skip\(|raise\s+(?:unittest\.)?SkipTest|__test__\s*=\s*False)/.test(line)) skip = 'yes';
    if (
      /^\s+(?:pytest\.skip\(.*allow_module_level|raise\s+(?:unittest\.)?SkipTest)/.test(line) &&
      /^(?:if|try|except)\b/.test(lines[index - 1] ?? '')
    ) {
      skip = mostSkipped(skip, 'conditional');
    }
    if (/^\w+\s*=\s*pytest\.importorskip\(|^pytest\.importorskip\(/.test(line)) skip = mostSkipped(skip, 'conditional');
  }
  return skip;
}

/** The body up to where it unconditionally returns or skips itself. */
function cutAtReturn(lines: readonly string[], { from, to }: { from: number; to: number }): { to: number; skip: Skip } {
  const first = lines.slice(from, to).find(line => line.trim() !== '');
  const indent = first === undefined ? 0 : indentOf(first);
  let skip: Skip = 'no';
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? '';
    const own = indentOf(line) === indent;
    if (
      /^\s*(?:pytest\.(?:skip|xfail)\(|self\.skipTest\(|raise\s+(?:unittest\.|pytest\.)?(?:SkipTest|skip\.Exception))/.test(
        line,
      )
    ) {
      if (own) return { to: at, skip: 'yes' };
      skip = 'conditional';
    }
    if (own && /^\s*return\s*(?:None\s*)?$/.test(line)) return { to: at, skip };
  }
  return { to, skip };
}

function parametrized(bareHead: string): number {
  let rows = 0;
  if (bareHead === '') return rows;
  for (const match of bareHead.matchAll(/\bparametrize\s*\(/g)) {
    const open = match.index + match[0].length - 1;
    const list = partsOf(bareHead, open).map(([from]) => bareHead.slice(from).search(/\S/) + from)[1];
    if (list !== undefined && /[[(]/.test(bareHead[list] ?? ''))
      rows += partsOf(bareHead, list, closing(bareHead, list)).length;
  }
  return rows;
}
