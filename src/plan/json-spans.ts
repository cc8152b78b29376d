/** Finds the offsets of parts of a JSON value without parsing them, in text that `JSON.parse` has already accepted. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Element extends Span {
  readonly depth: number;
}

const STRING = '"[^"\\\\]*(?:\\\\.[^"\\\\]*){0,100}"';
const OTHER = '[^"{}[\\]]*';
/** An object of strings, numbers and lists of them, as nearly every story is: matching it with a pattern is cheap. */
const FLAT = new RegExp(
  `\\{${OTHER}(?:(?:${STRING}|\\[${OTHER}(?:${STRING}${OTHER}){0,100}\\])${OTHER}){0,100}\\}`,
  'y',
);
const FLAT_DEPTH = 2;

/** The elements of the array that starts at an offset. */
export function elementsAt(text: string, start: number): readonly Element[] {
  const elements: Element[] = [];
  for (let at = skipSpace(text, start + 1); text[at] !== ']' && at < text.length; ) {
    const element = flatObject(text, at) ?? skipValue(text, at);
    elements.push(element);
    at = skipSpace(text, element.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return elements;
}

/** The offset of a property's value, in the object that starts at an offset. If the key is given twice, the last one counts. */
export function propertyAt(text: string, object: number, name: string): number | undefined {
  let found: number | undefined;
  for (let at = skipSpace(text, object + 1); text[at] === '"'; ) {
    const keyEnd = skipString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    // The list is most of the file: if its key does not occur again, there is no need to walk over it.
    if (key === name && !text.includes(`"${name}"`, start)) return start;
    const value = skipValue(text, start);
    if (key === name) found = start;
    at = skipSpace(text, value.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

function flatObject(text: string, start: number): Element | undefined {
  FLAT.lastIndex = start;
  return FLAT.test(text) ? { start, end: FLAT.lastIndex, depth: FLAT_DEPTH } : undefined;
}

/** How many properties the object at an offset has in the text; more than its parsed value has means a duplicate key. */
export const propertiesAt = (text: string, start: number): number => skipValue(text, start).properties;

function skipValue(text: string, start: number): Element & { readonly properties: number } {
  let depth = 0;
  let properties = 0;
  let deepest = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 34: // "
        at = skipString(text, at) - 1;
        break;
      case 58: // :
        if (depth === 1) properties++;
        break;
      case 91: // [
      case 123: // {
        deepest = Math.max(deepest, ++depth);
        break;
      case 93: // ]
      case 125: // }
        // A closing bracket that was not opened here ends the bare number or word before it.
        if (depth === 0) return { start, end: at, properties, depth: deepest };
        if (--depth === 0) return { start, end: at + 1, properties, depth: deepest };
        break;
      case 44: // ,
        if (depth === 0) return { start, end: at, properties, depth: deepest };
        break;
      default:
        break;
    }
    if (depth === 0 && text.charCodeAt(start) === 34) return { start, end: at + 1, properties, depth: deepest };
  }
  return { start, end: text.length, properties, depth: deepest };
}

/** The offset after the closing quote. */
function skipString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
