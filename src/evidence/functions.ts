/** Functions of a file, found by shape: name, parameters and body. */
import type { Language } from './language.ts';
import type { Side } from './look.ts';
import { closing } from './tests/brackets.ts';

export interface FunctionFound {
  readonly name: string;
  readonly parameters: readonly string[];
  /** 1-based line of its head. */
  readonly line: number;
  /** 1-based line it ends in. */
  readonly end: number;
  /** Lines of its body without comments, brackets alone and blank lines. */
  readonly body: readonly string[];
}

const memo = new WeakMap<Side, readonly FunctionFound[]>();

/** Asked for by many rules, worked out once. */
export function functionsIn(side: Side, language: Language): readonly FunctionFound[] {
  const known = memo.get(side);
  if (known) return known;
  const found = /^(?:python|ruby|elixir)$/.test(language) ? byIndent(side, language) : byBraces(side);
  memo.set(side, found);
  return found;
}

/** Those of each name. */
export function byName(functions: readonly FunctionFound[]): ReadonlyMap<string, readonly FunctionFound[]> {
  const named = new Map<string, FunctionFound[]>();
  for (const found of functions) {
    const same = named.get(found.name);
    if (same) same.push(found);
    else named.set(found.name, [found]);
  }
  return named;
}

/** The innermost one around a line. */
export const functionAround = (functions: readonly FunctionFound[], line: number): FunctionFound | undefined =>
  functions.findLast(found => found.line <= line && line <= found.end);

const HEADS = [
  // function f(…) {, func (r *T) F(…) error {, fn f(…) -> T {, public int f(…) throws E {, async f(…): T {
  /^[ \t]*(?:[\w@#<>[\],.?*&:]+[ \t]+){0,7}?(?:\([^()\n]*\)[ \t]*)?(?!(?:func|function|fun|fn)\b)([A-Za-z_$][\w$]*)[ \t]*(?:<[^<>\n]*>)?\(([^()]*(?:\([^()]*\)[^()]*)*)\)[^\n{};=]*(?:<\{[^{}\n]*\}[^\n{};=]*)?\s*(?<!<)\{/gm,
  // const f = async (…): T => {
  /^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[^=\n]*=[ \t]*(?:async[ \t]*)?(?:function\b[^(\n]*)?\(([^()]*)\)[^\n{};]*\{/gm,
];
/** `fun f(…): T = …`, `public T F(…) => …;`, `const f = (…) => …;`, in one line. */
const ONE_EXPRESSION = [
  /^[ \t]*(?:[a-z]+[ \t]+){0,5}fun[ \t]+(?:<[^<>\n]*>[ \t]*)?(?:[\w<>?]+\.)?(\w+)\(([^()\n]*)\)(?:[ \t]*:[ \t]*[\w<>?., ]+?)?[ \t]*=[ \t]*(\S[^\n]*)$/gm,
  /^[ \t]*(?:(?:public|private|protected|internal|static|override|virtual|async|sealed|readonly)[ \t]+)+[\w<>?[\],. ]+?[ \t](\w+)\(([^()\n]*)\)[ \t]*=>[ \t]*(\S[^\n]*);[ \t]*$/gm,
  /^[ \t]*(?:export[ \t]+)?const[ \t]+(\w+)[ \t]*=[ \t]*(?:async[ \t]*)?\(((?:[^()\n]|\([^()\n]*\))*)\)(?:[ \t]*:[ \t]*[\w<>[\]|., ]+?)?[ \t]*=>[ \t]*([^\s{][^\n]*?);?[ \t]*$/gm,
];
const NO_NAME =
  /^(?:if|for|foreach|while|switch|catch|return|else|match|with|using|lock|when|synchronized|new|throw|await)$/;

function byBraces({ bare, code }: Side): readonly FunctionFound[] {
  const starts = lineStarts(bare);
  const found: FunctionFound[] = [];
  for (const head of HEADS) {
    for (const match of bare.matchAll(head)) {
      const [text, name = '', parameters = ''] = match;
      if (NO_NAME.test(name) || /^\s*(?:return|else|new|throw|await|if|for|while)\b/.test(text)) continue;
      const open = match.index + text.length - 1;
      const close = closing(bare, open);
      const body = code.slice(open + 1, close).split('\n');
      const line = lineAt(starts, match.index + text.length - text.trimStart().length);
      found.push({ name, parameters: namesOf(parameters), line, end: lineAt(starts, close), body: statements(body) });
    }
  }
  for (const head of ONE_EXPRESSION) {
    for (const match of bare.matchAll(head)) {
      const [text, name = '', parameters = '', expression = ''] = match;
      const at = match.index + text.lastIndexOf(expression);
      const line = lineAt(starts, match.index + text.length - text.trimStart().length);
      const body = statements([`return ${code.slice(at, at + expression.length)}`]);
      found.push({ name, parameters: namesOf(parameters), line, end: line, body });
    }
  }
  return found.toSorted((a, b) => a.line - b.line);
}

const DEF = /^([ \t]*)(?:async[ \t]+)?defp?[ \t]+(?:self\.)?(\w+[?!]?)[ \t]*(?:\(([^)]*)|([^\n(:]*))/;

function byIndent({ codeLines }: Side, language: Language): readonly FunctionFound[] {
  const found: FunctionFound[] = [];
  for (const [at, line] of codeLines.entries()) {
    const head = DEF.exec(line);
    if (!head) continue;
    const indent = (head[1] ?? '').length;
    let from = at + 1;
    // A head may need more than one line.
    if (language === 'python')
      while (from < codeLines.length && from < at + 20 && !/:\s*$/.test(codeLines[from - 1] ?? '')) from += 1;
    let end = from;
    for (; end < codeLines.length; end++) {
      const text = codeLines[end] ?? '';
      if (text.trim() !== '' && text.length - text.trimStart().length <= indent) break;
    }
    const text = codeLines.slice(at, from).join(' ');
    const parameters = text.includes('(') ? text.replace(/^[^(]*\(/, '') : (head[4] ?? '');
    const body = statements(codeLines.slice(from, end));
    found.push({ name: head[2] ?? '', parameters: namesOf(parameters.split(')')[0] ?? ''), line: at + 1, end, body });
  }
  return found;
}

const statements = (lines: readonly string[]): readonly string[] =>
  lines.map(line => line.trim()).filter(line => /\w|^(?:""|''|\[\])$/.test(line) && line !== 'end');

const KEYWORDS = /^(?:self|cls|this|mut|ref|final|const|var|val|let|out|in|int|string|str|bool|void)$/;

/** `int width`, `width: number`, `width = 3`, `width int`: whatever could be the name. */
function namesOf(parameters: string): readonly string[] {
  return parameters.split(',').flatMap(part => {
    const words = part.split(/[=:]/)[0]?.match(/[A-Za-z_$]\w*/g) ?? [];
    return words.filter(word => !KEYWORDS.test(word));
  });
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
