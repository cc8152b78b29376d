/** Assertions that are chains of calls: the last link is what asks. */
import { partsOf } from './brackets.ts';

/** Links that only say what is looked at, or what to say when it fails. */
const PREPARES =
  /^(?:as|describedAs|withFailMessage|overridingErrorMessage|extracting\w*|using\w+|ignoring\w+|withRepresentation|asString|asList|asInstanceOf|filteredOn\w*|first|last|element|singleElement|inHexadecimal|Should|because)$/;
/** One of these, or a name that makes the first link. */
const MAY_PREPARE = new RegExp(`assertThat|\\b(?:${PREPARES.source.slice('^(?:'.length, -')$'.length)})\\b`);
/** Words of chai and of jest's promises that stand before a matcher. */
const WORDS =
  /\.(?:to|be|been|have|has|is|that|which|and|with|not|deep|nested|own|resolves|rejects|eventually|Should|And|to[A-Z]\w*)$/;

/** `assertThat(x).as("…")`, `x.Should()`, `expect(x).to.be`, `expect(x).toBe` without a call: nothing is asked. */
export function isUnfinished(bare: string): boolean {
  const text = bare.trim().replace(/;$/, '').trimEnd();
  if (!text.endsWith(')')) return /^(?:expect|assertThat|Expect)\b|\.Should\b/.test(text) && WORDS.test(text);
  if (!MAY_PREPARE.test(text)) return false;
  const open = openingOf(text);
  const name = lastWord(text.slice(0, open).trimEnd());
  // Hamcrest says what it asks in the second argument.
  if (/^assertThat(?:Code|Object|List)?$/.test(name) && open === text.indexOf('('))
    return partsOf(text, open).length === 1;
  return PREPARES.test(name) && /^(?:assertThat|expectThat|expect\b)|hould\(\)/.test(text);
}

/** What is called: `isA` in `assertThat(x).isA<Cart>`. From the end: a pattern would try every place before it. */
function lastWord(text: string): string {
  if (text.endsWith('>')) return /([A-Za-z_]\w*)\s*<[^<>]*>$/.exec(text)?.[1] ?? '';
  let from = text.length;
  while (from > 0 && isWord(text.charCodeAt(from - 1))) from -= 1;
  return text.slice(from).replace(/^\d+/, '');
}

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;

/** The bracket that the last one closes. */
function openingOf(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? '';
    if (')]}'.includes(character)) depth += 1;
    else if ('([{'.includes(character) && --depth === 0) return at;
  }
  return 0;
}
