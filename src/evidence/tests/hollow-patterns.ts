/** Patterns and callbacks that stand where something is asked for and take whatever comes. */

/** One thing that fits nearly every text: a dot, a word character, any number of them. */
const PATTERN =
  /(?:[(,=] ?r?|%r|matching )(?:\/\^?(?:\.|\\[wWsSdDAb]|\[\\?[^\]]*\]|\\A)*[*+?]*\$?(?:\\z)?\/[a-z]*|\{\.[*+]?\})(?=[),]|$)/;
const TEXT =
  /\b(?:match ?=|assertRaisesRegex\(.*,|assertRegex\(.*,|assertWarnsRegex\(.*,|assertMatchesRegularExpression\() ?r?'\^?(?:\.|\\[wWsSdD])?[*+?]?\$?'(?=[),]|$)/;
const EMPTY =
  /\.(?:toThrow(?:Error)?|toContain|toMatch|toHaveTextContent|toContainText|include|contain|contain\.text|string)\(''\)$/;
const CALLBACK =
  /(?:throws(?:Async)?|rejects|toSatisfy|satisfy|satisfies|toThrowMatching|argThat|match)\(?(?:.*[,( ])?(?:\(\w*\)|\w+) ?=> ?(?:true\b|\{ ?return true)|\bsatisfy ?\{(?:\|\w+\|)? ?true ?\}|\.expect\((?:\(?\w*\)?|\(\{[^}]*\}\)) ?=> ?\{(?!.*(?:expect|assert|throw|return)).*\}\)/;

/** A sign that each form has comes first: most assertions have none of them. */
export const takesAnything = (text: string): boolean =>
  ((text.includes('/') || text.includes('{.')) && PATTERN.test(text)) ||
  ((text.includes('match') || text.includes('Reg')) && TEXT.test(text)) ||
  (text.endsWith("('')") && EMPTY.test(text)) ||
  ((text.includes('=>') || text.includes('satisfy')) && CALLBACK.test(text));
