/**
 * Highlights code in four colours: comment, string, number, keyword. Line by line and without a grammar per language: good
 * enough for reading, small enough to ship, and it cannot hang on a line of a megabyte.
 */

export interface Piece {
  /** Its CSS class; absent for plain text. */
  readonly as?: 'k' | 's' | 'c' | 'n';
  readonly text: string;
}

const LONGEST = 1000;

const KEYWORDS = new Set(
  (
    'abstract and as assert async await begin bool boolean break case catch char class const continue def default defer del delete do ' +
    'double elif else elsif end enum except export extends extern false final finally float fn for foreach from func function global go ' +
    'goto if impl implements import in instanceof int interface is lambda let long loop match mod module mut namespace new nil none None not ' +
    'null of or package pass private protected pub public raise readonly rescue return self short static struct super switch template ' +
    'this throw throws trait True False true try type typeof undefined union unless unsafe until use using var virtual void when where while with yield'
  ).split(' '),
);

const HASH =
  /\.(py|rb|sh|bash|zsh|ya?ml|toml|pl|r|ex|exs|mk|cfg|ini|conf|nix)$|(^|\/)(Makefile|Dockerfile|Gemfile|Rakefile)$/i;
const DASH = /\.(sql|lua|hs|elm|adb)$/i;
const PROSE = /\.(md|markdown|txt|rst|csv|svg|lock|log)$|(^|\/)LICENSE$/i;

/** Returns a function that splits a line of this file into pieces. */
export function highlighter(path: string): (line: string) => readonly Piece[] {
  if (PROSE.test(path)) return text => [{ text }];
  const comment = HASH.test(path) ? '#.*' : DASH.test(path) ? '--.*' : '//.*|/\\*.*?(?:\\*/|$)|^\\s*\\*(?=[\\s/]).*';
  const words = new RegExp(
    `(${comment})|("(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\.)*\`?)|(\\b\\d[\\w.]*)|([A-Za-z_$][\\w$]*)`,
    'g',
  );
  return line => (line.length > LONGEST ? [{ text: line }] : pieces(line, words));
}

function pieces(line: string, words: RegExp): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of line.matchAll(words)) {
    const as = kindOf(match);
    if (as === undefined) continue;
    if (match.index > at) found.push({ text: line.slice(at, match.index) });
    found.push({ as, text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < line.length) found.push({ text: line.slice(at) });
  return found;
}

function kindOf([, comment, string, number, word]: RegExpMatchArray): Piece['as'] {
  if (comment !== undefined) return 'c';
  if (string !== undefined) return 's';
  if (number !== undefined) return 'n';
  return word !== undefined && KEYWORDS.has(word) ? 'k' : undefined;
}
