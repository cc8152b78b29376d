/** Finds the functions of a file by pattern: name, parameters and body. */
import type { Language } from './language.ts';
import type { Side } from './look.ts';
import { allMatches } from './matches.ts';
import { closing } from './tests/brackets.ts';

export interface FunctionFound {
  readonly name: string;
  readonly parameters: readonly string[];
  /** 1-based line of its head. */
  readonly line: number;
  /** 1-based number of its last line. */
  readonly end: number;
  /** Lines of its body without comments, blank lines and lines of brackets only. */
  readonly body: readonly string[];
  /** The first of these lines, which answers most questions about a body. */
  readonly first: string | undefined;
}

const memo = new WeakMap<Side, readonly FunctionFound[]>();

/** The functions of a file, cached because many rules need them. */
export function functionsIn(side: Side, language: Language): readonly FunctionFound[] {
  const known = memo.get(side);
  if (known) return known;
  const found = /^(?:python|ruby|elixir)$/.test(language) ? byIndent(side, language) : byBraces(side, language);
  memo.set(side, found);
  return found;
}

/** Groups functions by name. */
export function byName(functions: readonly FunctionFound[]): ReadonlyMap<string, readonly FunctionFound[]> {
  const named = new Map<string, FunctionFound[]>();
  for (const found of functions) {
    const same = named.get(found.name);
    if (same) same.push(found);
    else named.set(found.name, [found]);
  }
  return named;
}

/** The innermost function around a line. */
export const functionAround = (functions: readonly FunctionFound[], line: number): FunctionFound | undefined =>
  functions.findLast(found => found.line <= line && line <= found.end);

const HEADS = [
  // function f(…) {, func (r *T) F(…) error {, fn f(…) -> T {, public int f(…) throws E {, async f(…): T {
  /^[ \t]*(?:[\w@#<>[\],.?*&:]+[ \t]+){0,7}?(?:\([^()\n]*\)[ \t]*)?(?!(?:func|function|fun|fn)\b)([A-Za-z_$][\w$]*)[ \t]*(?:<[^<>\n]*>)?\(([^()]*(?:\([^()]*\)[^()]*)*)\)[^\n{};=]*(?:<\{[^{}\n]*\}[^\n{};=]*)?\s*(?<!<)\{/gm,
  // const f = async (…): T => {
  /^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[^=\n]*=[ \t]*(?:async[ \t]*)?(?:function\b[^(\n]*)?\(([^()]*)\)[^\n{};]*\{/gm,
];
/** `public T F(…) => …;` */
const MEMBER =
  /^[ \t]*(?:(?:public|private|protected|internal|static|override|virtual|async|sealed|readonly)[ \t]+)+[\w<>?[\],. ]+?[ \t](\w+)\(([^()\n]*)\)[ \t]*=>[ \t]*(\S[^\n]*);[ \t]*$/gm;
/** Functions that are one expression on one line, by language. */
const ONE_EXPRESSION: Partial<Record<Language, RegExp>> = {
  // fun f(…): T = …
  kotlin:
    /^[ \t]*(?:[a-z]+[ \t]+){0,5}fun[ \t]+(?:<[^<>\n]*>[ \t]*)?(?:[\w<>?]+\.)?(\w+)\(([^()\n]*)\)(?:[ \t]*:[ \t]*[\w<>?., ]+?)?[ \t]*=[ \t]*(\S[^\n]*)$/gm,
  csharp: MEMBER,
  java: MEMBER,
  // const f = (…) => …;
  js: /^[ \t]*(?:export[ \t]+)?const[ \t]+(\w+)[ \t]*=[ \t]*(?:async[ \t]*)?\(((?:[^()\n]|\([^()\n]*\))*)\)(?:[ \t]*:[ \t]*[\w<>[\]|., ]+?)?[ \t]*=>[ \t]*([^\s{][^\n]*?);?[ \t]*$/gm,
};
const NO_NAME =
  /^(?:if|for|foreach|while|switch|catch|return|else|match|with|using|lock|when|synchronized|new|throw|await)$/;

/** Lines that cannot be the head of a function, whatever follows. */
const NO_HEAD = /^\s*(?:return|else|new|throw|await|if|for|while)\b/;

function byBraces({ bare, code }: Side, language: Language): readonly FunctionFound[] {
  const text = new BraceText(bare, code);
  const found: (FunctionFound & { readonly at: number })[] = [];
  for (const head of HEADS) {
    for (const match of allMatches(bare, head)) {
      const [whole, name = '', parameters = ''] = match;
      if (NO_NAME.test(name) || NO_HEAD.test(whole)) continue;
      const open = match.index + whole.length - 1;
      found.push(new BraceFunction(text, { name, parameters, at: match.index, open }));
    }
  }
  const short = ONE_EXPRESSION[language];
  for (const match of short ? allMatches(bare, short) : []) {
    const [whole, name = '', parameters = '', expression = ''] = match;
    const from = match.index + whole.lastIndexOf(expression);
    const line = text.lineAt(match.index);
    const body = statements([`return ${code.slice(from, from + expression.length)}`]);
    const at = match.index;
    found.push({ name, parameters: namesOf(parameters), line, end: line, body, first: body[0], at });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** The text that all functions of one side share. */
class BraceText {
  readonly code: string;
  readonly #bare: string;
  #starts: readonly number[] | undefined;
  /** Offsets of the brackets that open bodies. */
  readonly #opens: number[] = [];
  #closes: ReadonlyMap<number, number> | undefined;

  constructor(bare: string, code: string) {
    this.#bare = bare;
    this.code = code;
  }

  hasBodyAt(open: number): void {
    this.#opens.push(open);
  }

  /** Computes all closing brackets at once: a call about another text in between would evict the cache of `closing`. */
  closeOf(open: number): number {
    this.#closes ??= new Map(this.#opens.map(at => [at, closing(this.#bare, at)]));
    return this.#closes.get(open) ?? this.#bare.length;
  }

  lineAt(offset: number): number {
    this.#starts ??= lineStarts(this.#bare);
    return lineAt(this.#starts, offset);
  }
}

/** A function whose head is known; everything else is computed on demand, because most rules never need it. */
class BraceFunction implements FunctionFound {
  readonly name: string;
  readonly at: number;
  readonly #text: BraceText;
  readonly #written: string;
  readonly #open: number;
  #parameters: readonly string[] | undefined;
  #body: readonly string[] | undefined;
  #first: string | undefined;
  #line = 0;
  #end = 0;

  constructor(
    text: BraceText,
    own: { readonly name: string; readonly parameters: string; readonly at: number; readonly open: number },
  ) {
    this.name = own.name;
    this.at = own.at;
    this.#text = text;
    this.#written = own.parameters;
    this.#open = own.open;
    text.hasBodyAt(own.open);
  }

  get parameters(): readonly string[] {
    return (this.#parameters ??= namesOf(this.#written));
  }

  get line(): number {
    return (this.#line ||= this.#text.lineAt(this.at));
  }

  get end(): number {
    return (this.#end ||= this.#text.lineAt(this.#text.closeOf(this.#open)));
  }

  get body(): readonly string[] {
    const { code } = this.#text;
    return (this.#body ??= statements(code.slice(this.#open + 1, this.#text.closeOf(this.#open)).split('\n')));
  }

  get first(): string | undefined {
    return (this.#first ??= this.#firstStatement());
  }

  #firstStatement(): string | undefined {
    const { code } = this.#text;
    for (let from = this.#open + 1; ; ) {
      const to = code.indexOf('\n', from);
      const line = to < 0 ? '}' : code.slice(from, to);
      // The body may end on this line.
      if (line.includes('}')) return this.body[0];
      if (isStatement(line.trim())) return line.trim();
      from = to + 1;
    }
  }
}

const DEF = /^([ \t]*)(?:async[ \t]+)?defp?[ \t]+(?:self\.)?(\w+[?!]?)[ \t]*(?:\(([^)]*)|([^\n(:]*))/;

function byIndent({ codeLines }: Side, language: Language): readonly FunctionFound[] {
  const found: FunctionFound[] = [];
  for (const [at, line] of codeLines.entries()) {
    const head = DEF.exec(line);
    if (!head) continue;
    const indent = (head[1] ?? '').length;
    let from = at + 1;
    // A head may span several lines.
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
    const names = namesOf(parameters.split(')')[0] ?? '');
    found.push({ name: head[2] ?? '', parameters: names, line: at + 1, end, body, first: body[0] });
  }
  return found;
}

const statements = (lines: readonly string[]): readonly string[] => lines.map(line => line.trim()).filter(isStatement);

const isStatement = (line: string): boolean => /\w|^(?:""|''|\[\])$/.test(line) && line !== 'end';

const KEYWORDS = /^(?:self|cls|this|mut|ref|final|const|var|val|let|out|in|int|string|str|bool|void)$/;

/** `int width`, `width: number`, `width = 3`, `width int`: all words that may be the parameter's name. */
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
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
