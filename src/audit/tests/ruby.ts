/** Finds the tests of RSpec, minitest and ExUnit: blocks that end where their indentation ends. */
import type { Language } from '../language.ts';
import type { Masked } from '../mask.ts';
import { mostSkipped, normalName, type Skip, type TestCase } from './test-case.ts';

const HEAD =
  /^([ \t]*)(?:RSpec\.)?([xf]?)(it|specify|example|scenario|test|should|its|describe|context|feature|property)\b(?!\s*=)([ \t(].*)?$/;
const METHOD = /^([ \t]*)def\s+(test_\w+|_test_\w+)/;

interface Block {
  readonly indent: number;
  readonly name: string;
  readonly skip: Skip;
  readonly focus: boolean;
}

export function rubyTests({ code, bare }: Masked, language: Language): readonly TestCase[] {
  const lines = bare.split('\n');
  const codeLines = code.split('\n');
  const stack: Block[] = [];
  const tests: TestCase[] = [];
  let tags: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === '__END__') break;
    if (line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    while (stack.length > 0 && indent <= (stack.at(-1)?.indent ?? 0)) stack.pop();
    if (language === 'elixir' && /^\s*@(?:module|describe)?tag\b/.test(line)) {
      const text = codeLines[at] ?? '';
      if (/@(?:module|describe)tag\b/.test(line))
        stack.push({ indent: indent - 1, name: '', skip: tagSkip(text), focus: false });
      else tags.push(text);
      continue;
    }
    const method = METHOD.exec(line);
    const head = method ? null : HEAD.exec(line);
    const own = tags;
    tags = [];
    if (!method && !head) continue;
    const text = codeLines[at] ?? '';
    if (head && /describe|context|feature/.test(head[3] ?? '')) {
      stack.push({
        indent,
        name: titleOf(text),
        skip: headSkip(head[2] ?? '', text),
        focus: isFocused(head[2] ?? '', text),
      });
      continue;
    }
    const oneLine = head !== null && !/\bdo\b\s*(?:\|[^|]*\|)?\s*$/.test(line) && /\{.*\}\s*$/.test(line);
    const opens =
      method !== null || /\bdo\b\s*(?:\|[^|]*\|)?\s*$|\{\s*(?:\|[^|]*\|)?\s*$/.test(line) || /->\s*$/.test(line);
    if (head && !oneLine && !opens && language === 'elixir' && !/\bdo:/.test(line)) continue;
    const end = opens ? endOf(lines, at + 1, indent) : at + 1;
    const cut = cutAtReturn(lines, { from: at + 1, to: end });
    const from = oneLine || !opens ? at : at + 1;
    const to = Math.max(from, opens ? cut.to : at + 1);
    const title = method ? (method[2] ?? '') : titleOf(text);
    const nothing: Skip = head && !oneLine && !opens && /^\s*\w+[ (]+['"]/.test(text) ? 'todo' : 'no';
    tests.push({
      name: normalName(title),
      group: stack
        .map(block => block.name)
        .filter(Boolean)
        .join(' > '),
      line: at + 1,
      skip: mostSkipped(
        head ? headSkip(head[2] ?? '', text) : method?.[2]?.startsWith('_') ? 'yes' : 'no',
        cut.skip,
        nothing,
        ...own.map(tagSkip),
        ...stack.map(({ skip }) => skip),
      ),
      focus: isFocused(head?.[2] ?? '', text) || stack.some(({ focus }) => focus),
      head: [...own, text].join('\n'),
      code: codeLines.slice(from, to).join('\n'),
      bare: lines.slice(from, to).join('\n'),
      bodyLine: from + 1,
      cases: 0,
    });
  }
  const own = tests.filter(test => !test.name.startsWith('_test_'));
  // Within one class, a method replaces an earlier one of the same name.
  const last = new Map(own.map(test => [test.name, test.line]));
  const replaced = (test: TestCase) => /^test_\w+$/.test(test.name) && last.get(test.name) !== test.line;
  if (last.size === own.length || (bare.match(/^[^\S\n]*(?:class|describe|context)\b/gm)?.length ?? 0) > 1) return own;
  return own.map(test => (replaced(test) ? { ...test, skip: 'yes' } : test));
}

function endOf(lines: readonly string[], from: number, indent: number): number {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.length - line.trimStart().length > indent) continue;
    // A block continues after `rescue`, `ensure` or `else`.
    if (!/^\s*(?:rescue|ensure|else)\b/.test(line)) return at;
  }
  return lines.length;
}

const titleOf = (text: string): string =>
  /(['"])((?:\\.|(?!\1).)*)\1/.exec(text)?.[2] ?? text.trim().replace(/\s*(?:do|\{).*$/, '');

function headSkip(prefix: string, text: string): Skip {
  if (prefix === 'x') return 'yes';
  const metadata = text.replace(/(['"])(?:\\.|(?!\1).)*\1/g, '""');
  if (/[,(]\s*:(?:skip|pending|disabled)\b|\b(?:skip|pending):\s*(?:true|"")/.test(metadata)) return 'yes';
  return /\b(?:skip|pending|if|unless):\s*\S/.test(metadata) && !/\b(?:skip|pending):\s*(?:false|nil)/.test(metadata)
    ? 'conditional'
    : 'no';
}

const isFocused = (prefix: string, text: string): boolean =>
  prefix === 'f' || /[,(]\s*:focus\b|\bfocus:\s*true/.test(text.replace(/(['"])(?:\\.|(?!\1).)*\1/g, '""'));

const tagSkip = (tag: string): Skip => (/:skip\b|\bskip:\s*(?:true|")/.test(tag) ? 'yes' : 'no');

function cutAtReturn(lines: readonly string[], { from, to }: { from: number; to: number }): { to: number; skip: Skip } {
  const first = lines.slice(from, to).find(line => line.trim() !== '');
  const indent = first === undefined ? 0 : first.length - first.trimStart().length;
  let skip: Skip = 'no';
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? '';
    const own = line.length - line.trimStart().length === indent;
    if (/^\s*(?:skip|pending)\b(?!\s*[=.:])/.test(line)) {
      if (own && !/\b(?:if|unless)\b/.test(line)) return { to: at, skip: 'yes' };
      skip = 'conditional';
    }
    if (own && /^\s*(?:return|next)\s*$/.test(line)) return { to: at, skip };
  }
  return { to, skip };
}
