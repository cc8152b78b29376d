/**
 * Source text without what only looks like code. Every character keeps its place, so that offsets and line numbers of
 * the masked text are those of the file.
 */
import type { Language } from './language.ts';

export interface Masked {
  /** Comments are blank. */
  readonly code: string;
  /** Comments and the insides of strings are blank. */
  readonly bare: string;
}

const LINE_COMMENT = String.raw`\/\/[^\n]*`;
const BLOCK_COMMENT = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
const HASH_COMMENT = String.raw`#[^\n]*`;
// In data and shells a hash counts only where a word could start.
const WORD_HASH = String.raw`(?<=^|[\s;(])#[^\n]*`;
const DOUBLE = String.raw`"(?:\\[\s\S]|[^"\\\n])*"`;
const SINGLE = String.raw`'(?:\\[\s\S]|[^'\\\n])*'`;
const LONG_DOUBLE = String.raw`"(?:\\[\s\S]|[^"\\])*"`;
const TRIPLE = String.raw`"""[\s\S]*?(?:"""|$)`;
const TRIPLE_SINGLE = String.raw`'''[\s\S]*?(?:'''|$)`;
const TICKS = '`(?:\\\\[\\s\\S]|[^`\\\\])*`';
const RAW_TICKS = '`[^`]*`';
const CHARACTER = String.raw`'(?:\\[^'\n]{1,8}|[^'\\\n])'`;
const JS_REGEX = String.raw`(?<=(?:^|[=(,:;!&|?{}[\n+]|\breturn|=>)[ \t]{0,40})\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[dgimsuvy]*`;
const RUBY_BLOCK = String.raw`^=begin\b[\s\S]*?(?:^=end\b[^\n]*|$(?![\s\S]))`;
const XML_COMMENT = String.raw`<!--[\s\S]*?(?:-->|$)`;

const of = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'gm');
const endless = (pattern: string): string => pattern.replaceAll('|$)', '|(?![\\s\\S]))');

const PATTERNS: Readonly<Record<Language, RegExp | undefined>> = {
  js: of(LINE_COMMENT, endless(BLOCK_COMMENT), DOUBLE, SINGLE, TICKS, JS_REGEX),
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

const COMMENT = /^(?:\/\/|\/\*|#|=begin|;|[ \t]*;|<!--)/;

export function mask(text: string, language: Language): Masked {
  const pattern = PATTERNS[language];
  if (!pattern) return { code: text, bare: text };
  let [code, bare] = ['', ''];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const between = text.slice(at, match.index);
    const found = match[0];
    at = match.index + found.length;
    code += between;
    bare += between;
    if (COMMENT.test(found)) {
      const gone = blank(found);
      code += gone;
      bare += gone;
    } else {
      code += found;
      bare += hollow(found);
    }
  }
  const rest = text.slice(at);
  return { code: code + rest, bare: bare + rest };
}

const blank = (text: string): string => (text.includes('\n') ? text.replace(/[^\n]/g, ' ') : ' '.repeat(text.length));

/** Only the quotes stay. */
function hollow(text: string): string {
  return text.length < 2 ? text : `${text[0]}${blank(text.slice(1, -1))}${text.at(-1)}`;
}
