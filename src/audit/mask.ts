/**
 * Blanks out what only looks like code. Every character keeps its position, so that offsets and line numbers of the masked
 * text are those of the file.
 */
import type { Language } from './language.ts';

export interface Masked {
  /** Comments are blanked. */
  readonly code: string;
  /** Comments and the contents of strings are blanked. */
  readonly bare: string;
}

const LINE_COMMENT = String.raw`\/\/[^\n]*`;
const BLOCK_COMMENT = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
const HASH_COMMENT = String.raw`#[^\n]*`;
// In data and shell files, a hash counts only at the start of a word.
const WORD_HASH = String.raw`#(?<=(?:^|[\s;(])#)[^\n]*`;
const DOUBLE = String.raw`"(?:\\[\s\S]|[^"\\\n])*"`;
const SINGLE = String.raw`'(?:\\[\s\S]|[^'\\\n])*'`;
const LONG_DOUBLE = String.raw`"(?:\\[\s\S]|[^"\\])*"`;
const TRIPLE = String.raw`"""[\s\S]*?(?:"""|$)`;
const TRIPLE_SINGLE = String.raw`'''[\s\S]*?(?:'''|$)`;
const TICK = '`';
const RAW_TICKS = '`[^`]*`';
const CHARACTER = String.raw`'(?:\\[^'\n]{1,8}|[^'\\\n])'`;
// Starting at the slash and looking back is several times as fast as starting at every character.
const JS_REGEX = String.raw`\/(?<=(?:^|[=(,:;!&|?{}[\n+]|\breturn|=>)[ \t]{0,40}\/)(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[dgimsuvy]*`;
const RUBY_BLOCK = String.raw`^=begin\b[\s\S]*?(?:^=end\b[^\n]*|$(?![\s\S]))`;
const XML_COMMENT = String.raw`<!--[\s\S]*?(?:-->|$)`;

const of = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'gm');
const endless = (pattern: string): string => pattern.replaceAll('|$)', '|(?![\\s\\S]))');

const PATTERNS: Readonly<Record<Language, RegExp | undefined>> = {
  js: of(LINE_COMMENT, endless(BLOCK_COMMENT), DOUBLE, SINGLE, TICK, JS_REGEX),
  python: of(endless(TRIPLE), endless(TRIPLE_SINGLE), DOUBLE, SINGLE, HASH_COMMENT),
  go: of(LINE_COMMENT, endless(BLOCK_COMMENT), DOUBLE, RAW_TICKS, CHARACTER),
  rust: of(LINE_COMMENT, endless(BLOCK_COMMENT), String.raw`r(#{1,3})"[\s\S]*?"\1`, LONG_DOUBLE, CHARACTER),
  java: of(LINE_COMMENT, endless(BLOCK_COMMENT), endless(TRIPLE), DOUBLE, SINGLE),
  kotlin: of(LINE_COMMENT, endless(BLOCK_COMMENT), endless(TRIPLE), DOUBLE, CHARACTER),
  csharp: of(LINE_COMMENT, endless(BLOCK_COMMENT), String.raw`@"(?:""|[^"])*"`, endless(TRIPLE), DOUBLE, CHARACTER),
  swift: of(LINE_COMMENT, endless(BLOCK_COMMENT), endless(TRIPLE), DOUBLE),
  php: of(
    LINE_COMMENT,
    String.raw`#(?!\[)[^\n]*`,
    endless(BLOCK_COMMENT),
    LONG_DOUBLE,
    String.raw`'(?:\\[\s\S]|[^'\\])*'`,
  ),
  c: of(LINE_COMMENT, endless(BLOCK_COMMENT), DOUBLE, CHARACTER),
  ruby: of(RUBY_BLOCK, DOUBLE, SINGLE, String.raw`(?<![?$&\\])#(?!\{)[^\n]*`),
  elixir: of(endless(TRIPLE), DOUBLE, String.raw`(?<!\?)#(?!\{)[^\n]*`),
  shell: of(DOUBLE, SINGLE, WORD_HASH),
  yaml: of(DOUBLE, SINGLE, WORD_HASH),
  toml: of(endless(TRIPLE), DOUBLE, SINGLE, WORD_HASH, String.raw`^[ \t]*;[^\n]*`),
  json: of(DOUBLE, LINE_COMMENT, endless(BLOCK_COMMENT)),
  make: of(WORD_HASH),
  xml: of(endless(XML_COMMENT)),
  text: undefined,
};

/** First characters of comments among all matches; a slash may also begin a regular expression. */
const COMMENTS = new Set([...'#=; \t<'].map(sign => sign.charCodeAt(0)));
const [SLASH, STAR] = [47, 42];

function isComment(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first !== SLASH) return COMMENTS.has(first);
  const second = text.charCodeAt(at + 1);
  return second === SLASH || second === STAR;
}

export function mask(text: string, language: Language): Masked {
  const pattern = PATTERNS[language];
  if (!pattern) return { code: text, bare: text };
  // Only the differences are copied: most files have few comments or none.
  const code: string[] = [];
  const bare: string[] = [];
  let [codeFrom, bareFrom] = [0, 0];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index } = match;
    const found = match[0] === TICK ? text.slice(index, templateEnd(text, index)) : match[0];
    const at = index + found.length;
    pattern.lastIndex = Math.max(at, index + 1);
    if (isComment(text, index) || (language === 'python' && isDocstring(text, index, found))) {
      const gone = blank(found);
      code.push(text.slice(codeFrom, index), gone);
      bare.push(text.slice(bareFrom, index), gone);
      codeFrom = bareFrom = at;
    } else if (found.length > 2) {
      // The quotes stay.
      bare.push(text.slice(bareFrom, index + 1), blank(text.slice(index + 1, at - 1)));
      bareFrom = at - 1;
    }
  }
  return { code: code.join('') + text.slice(codeFrom), bare: bare.join('') + text.slice(bareFrom) };
}

/** A string that is a statement by itself is documentation. */
function isDocstring(text: string, at: number, found: string): boolean {
  if (!found.startsWith('"""') && !found.startsWith("'''")) return false;
  const line = text.lastIndexOf('\n', at - 1) + 1;
  if (!/^[ \t]*[rRuU]?$/.test(text.slice(line, at))) return false;
  const before = text.slice(Math.max(0, line - 200), line).trimEnd();
  return before === '' || !/[(,[{=+%]$/.test(before);
}

/** The offset after the closing backtick of a template; its substitutions may contain strings and templates. */
function templateEnd(text: string, open: number): number {
  let at = open + 1;
  let depth = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (depth === 0 && character === TICK) return at + 1;
    else if (depth === 0 && character === '$' && text[at + 1] === '{') {
      depth = 1;
      at += 1;
    } else if (depth > 0) {
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
      else if (character === TICK) at = templateEnd(text, at) - 1;
      else if (character === "'" || character === '"') at = stringEnd(text, at) - 1;
    }
    at += 1;
  }
  return text.length;
}

/** The offset after the closing quote of a string; a line ending also ends it. */
function stringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[open] || text[at] === '\n') return at + 1;
  }
  return text.length;
}

const blanks: string[] = [];

function blank(text: string): string {
  if (text.includes('\n')) return text.split('\n').map(blank).join('\n');
  return (blanks[text.length] ??= ' '.repeat(text.length));
}
