/** Patterns for code in which a fixed value decides, for all languages together: comparisons, tables, match arms, lists. */
import { HOLE } from './values.ts';

export const H = HOLE;
/** Literals separated only by brackets and commas. */
const HOLES = String.raw`${H}(?:[\s\])}]{0,6}[,|][\s&[({]{0,6}${H})*`;
const GROUP = String.raw`(?:new\s+)?[&*]?(?:\[\d*\])?[\w.:$!]*[[({]*\s*${HOLES}\s*[\])}]*`;
const COMPARES = String.raw`in_array|slices\.(?:Contains|Equal)|EqualFold|hash_equals|str\w*cmp|(?:bytes|Arrays|cmp)\.[eE]quals?|matches!|[dD]eepEqual|isEqual|isDeepStrictEqual|array_equal|SequenceEqual|contentEquals|contentDeepEquals|Objects\.equals`;
export const EQUAL = new RegExp(
  [
    String.raw`(?:===?|!==?|<>|\bis\b(?:\s+not\b)?|\beq\b|\.(?:equals\w*|eql\?|eq|Equals|isEqual\w*)\(|\bin\b)\s*${GROUP}`,
    String.raw`(?<![\w.$)\]%*/+[-]\s*)[[({]*\s*${H}(?:\s*[,|]\s*${H})*\s*[\])}]*(?=\s*(?:===?|!==?|\.(?:equals\w*|Equals|includes|include\?|contains|Contains|has)\())`,
    String.raw`(?:${COMPARES})\([^${H}]*${GROUP}`,
    // A regular expression that matches a single text.
    String.raw`${H}\.test\(|(?:=~|\.match\??\(|\.matches\()\s*${H}`,
    // A Rust pattern.
    String.raw`\bif\s+let\s+${GROUP}\s*=`,
  ].join('|'),
  'g',
);
const HAS_PART = String.raw`starts?_?[wW]ith\??|ends?_?[wW]ith\??|StartsWith|EndsWith|includes|include\?|[cC]ontains|has(?:Pre|Suf)fix|indexOf|IndexOf`;
const IS_PART = 'HasPrefix|HasSuffix|Contains|str_starts_with|str_ends_with|str_contains|strn?cmp|strpos';
export const PART = new RegExp(
  [
    String.raw`\.(?:${HAS_PART})\(\s*${H}`,
    String.raw`\b(?:${IS_PART})\([^,${H}]*,\s*${H}`,
    String.raw`${H}\s+in\s+[A-Za-z_]`,
  ].join('|'),
  'g',
);
const KEYS = String.raw`[[({]?\s*${H}(?:\s*[,|]\s*${H})*\s*[\])}]?`;
const ANSWER = String.raw`(?:new\s+)?[\w.:!]*[[({]+\s*${HOLES}\s*[\])}]*|[^,]*(?:\([^()]*\))?[^,]*`;
export const ROW = new RegExp(String.raw`(${KEYS})\s*(?::(?![:=])|=>|->|\bto\b|=(?![=>]))\s*(${ANSWER})`, 'g');
export const NAMED = new RegExp(String.raw`(?<=^|[\s{,])([A-Za-z_]\w*)\s*:\s*${H}\s*(?=[,}]|$)`, 'g');
export const TUPLE = new RegExp(
  String.raw`(?:(?<=[[({,]\s*|^\s*)[[({]|\b(?:put|set|entry|Pair|Tuple|insert|add|Add|of)\()\s*(?:\w+:\s*)?${H}(?:\s*,\s*(?:\w+:\s*)?${H})+\s*[\])}](?=\s*(?:[,;\])}]|$))`,
  'g',
);
export const ARM = new RegExp(
  String.raw`^\s*(?:case|when|in)\s+([[({]*\s*${HOLES}\s*[\])}]*)\s*(?::|=>|->|\bthen\b|$)(.*)$`,
);
export const LIST = new RegExp(
  String.raw`(?:\[\]\w+|\b(?:listOf|setOf|arrayOf|asList|List\.of|Set\.of|Set|frozenset|set|array|HashSet::from|vec!|in)\s*)?[[({]+\s*${H}(?:\s*,\s*${H})*\s*,?\s*[\])}]`,
  'g',
);
const LIST_NAMES = 'listOf|setOf|arrayOf|asList|of|Set|frozenset|set|array|from|in';
export const CALL = new RegExp(String.raw`(?:^|[^\w])(?!(?:${LIST_NAMES})\()[\w.]+\($`);

/**
 * A necessary condition for every pattern below, used to rule out lines fast: most lines with a literal decide nothing. It
 * starts with the hole, which is found fast, and looks back from there.
 */
export const DECIDES = new RegExp(
  String.raw`${H}(?:${[
    // A table row, a match arm, a named value, an element of a tuple.
    String.raw`\s*[\])}]?\s*(?:=>|->|(?::(?![:=])|\bto\b|=(?![=>]))(?:[^,\n]*(?:${H}|[=-]>)|\s*[tTfF]))`,
    String.raw`(?<=^[^\S\n]*(?:case|when|in)\s+[[({]*\s*${H})`,
    String.raw`(?<=\w\s*:\s*${H})\s*(?:[,}]|$)`,
    String.raw`(?<=(?:(?:[[({,]|^)\s*[[({]|\b(?:put|set|entry|Pair|Tuple|insert|add|Add|of)\()\s*(?:\w+:\s*)?${H})\s*,`,
    // A comparison, with the hole on either side.
    String.raw`(?<=(?:==|!=|<>|\bis\b(?:\s+not\b)?|\beq\b|\.(?:equals\w*|eql\?|eq|Equals|isEqual\w*)\(|\bin\b)=?\s*(?:new\s+)?[&*]?(?:\[\d*\])?[\w.:$!]*[[({]*\s*${H})`,
    String.raw`\s*[\])}]*\s*(?:[=!]=|\.(?:equals\w*|Equals|includes|include\?|contains|Contains|has|test)\()`,
    String.raw`(?<=(?:${COMPARES})\([^\n${H}]*${H})`,
    String.raw`(?<=(?:=~|\.match\??\(|\.matches\()\s*${H})`,
    String.raw`(?<=\bif\s+let\s[^\n${H}]*${H})`,
    // A part of the input.
    String.raw`(?<=\.(?:${HAS_PART})\(\s*${H})`,
    String.raw`(?<=\b(?:${IS_PART})\([^,\n${H}]*,\s*${H})`,
    String.raw`\s+in\s+[A-Za-z_]`,
    // A list that is not the arguments of a call.
    String.raw`(?<=(?:[[{]|(?<![\w.])\(|\b(?:${LIST_NAMES})\()\s*${H})(?:\s*,\s*${H})*\s*,?\s*[\])}]`,
  ].join('|')})`,
  'gm',
);

/** The same line computes the answer otherwise. */
export const ELSE = /:\s*\S*[a-z]\w*[.(]|\belse\b.*[a-z]\w*/;

export const ANSWERED = /(?:\breturn\b|\?|\bif\b.*\)\s+(?=["'`\d[]|\w+Of\())(.*)$/;
export const INDEX = new RegExp(String.raw`[\w)\]]\[${H}\]`, 'g');
