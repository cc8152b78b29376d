/**
 * A strict JSON parser that keeps the offset of everything. `JSON.parse` gives no offsets, and only an edit by offset
 * leaves every other byte of a plan alone. It is far slower than `JSON.parse`, so it reads only one story or a broken file.
 */

export type JsonNode = JsonObject | JsonArray | JsonScalar;

export interface JsonObject {
  readonly type: 'object';
  readonly start: number;
  readonly end: number;
  readonly properties: readonly JsonProperty[];
}

export interface JsonArray {
  readonly type: 'array';
  readonly start: number;
  readonly end: number;
  readonly elements: readonly JsonNode[];
}

interface JsonScalar {
  readonly type: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly value: string | number | boolean | null;
}

export interface JsonProperty {
  readonly key: string;
  readonly start: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

export type JsonResult =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly offset: number; readonly message: string };

/** More than any plan nests, and less than any call stack allows. */
export const MAX_DEPTH = 200;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Parses a whole text as strict JSON: no comments, no trailing commas, nothing after the value. */
export function parseJson(text: string): JsonResult {
  const { root, at, wrong } = readJson(text, 0);
  if (wrong) return { ok: false, ...wrong };
  const rest = text.slice(at).trimStart();
  if (root !== undefined && rest === '') return { ok: true, root };
  const offset = text.length - rest.length;
  return { ok: false, offset, message: 'there is text after the end of the JSON value' };
}

/** The object that starts at an offset, if one does. */
export function objectAt(text: string, offset: number): JsonObject | undefined {
  const { root } = readJson(text, offset);
  return root?.type === 'object' ? root : undefined;
}

interface Reading {
  readonly root: JsonNode | undefined;
  readonly at: number;
  readonly wrong: { readonly offset: number; readonly message: string } | undefined;
}

function readJson(text: string, from: number): Reading {
  let at = from;
  let wrong: { readonly offset: number; readonly message: string } | undefined;

  /** Records the first error; every reader then returns undefined. */
  const stop = (message: string, offset = at): undefined => {
    if (wrong === undefined) {
      const comment = text.startsWith('//', offset) || text.startsWith('/*', offset);
      if (offset >= text.length) wrong = { offset: text.length, message: 'the file ends in the middle of a value' };
      else wrong = { offset, message: comment ? 'comments are not allowed in JSON' : message };
    }
    return undefined;
  };

  const space = (): void => {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at++;
    }
  };

  const readString = (): string | undefined => {
    const start = at++;
    let escaped = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 34) break;
      if (code === 92) {
        ESCAPE.lastIndex = at;
        if (!ESCAPE.test(text)) return stop('this is not an escape that JSON knows');
        at = ESCAPE.lastIndex;
        escaped = true;
      } else if (code >= 32) {
        at++;
      } else {
        // Past the end the code is NaN, which is not >= 32 either.
        return stop('a raw control character (such as a line break) is not allowed in a string');
      }
    }
    at++;
    return escaped ? String(JSON.parse(text.slice(start, at))) : text.slice(start + 1, at - 1);
  };

  const readWord = (word: string, value: boolean | null): JsonScalar | undefined => {
    const start = at;
    if (!text.startsWith(word, start)) return stop('expected a value');
    at += word.length;
    return { type: 'scalar', start, end: at, value };
  };

  const readNumber = (): JsonScalar | undefined => {
    const start = at;
    NUMBER.lastIndex = start;
    if (!NUMBER.test(text)) return stop('expected a value');
    at = NUMBER.lastIndex;
    return { type: 'scalar', start, end: at, value: Number(text.slice(start, at)) };
  };

  /** Skips the comma between two elements. */
  const readComma = (close: '}' | ']'): true | undefined => {
    if (text[at] !== ',') return stop(`expected "," or "${close}" here`);
    const comma = at++;
    space();
    return text[at] === close ? stop(`a comma before "${close}" is not allowed in JSON`, comma) : true;
  };

  const readObject = (depth: number): JsonObject | undefined => {
    const start = at++;
    const properties: JsonProperty[] = [];
    for (space(); text[at] !== '}'; space()) {
      if (properties.length > 0 && !readComma('}')) return undefined;
      if (text[at] !== '"') return stop('expected a property name in double quotes');
      const keyStart = at;
      const key = readString();
      if (key === undefined) return undefined;
      const keyEnd = at;
      space();
      if (text[at] !== ':') return stop(`expected ":" after the name "${key.slice(0, 40)}"`);
      at++;
      const value = readValue(depth + 1);
      if (value === undefined) return undefined;
      properties.push({ key, start: keyStart, keyEnd, value });
    }
    return { type: 'object', start, end: ++at, properties };
  };

  const readArray = (depth: number): JsonArray | undefined => {
    const start = at++;
    const elements: JsonNode[] = [];
    for (space(); text[at] !== ']'; space()) {
      if (elements.length > 0 && !readComma(']')) return undefined;
      const value = readValue(depth + 1);
      if (value === undefined) return undefined;
      elements.push(value);
    }
    return { type: 'array', start, end: ++at, elements };
  };

  const readValue = (depth: number): JsonNode | undefined => {
    if (depth > MAX_DEPTH) return stop(`values are nested more than ${MAX_DEPTH} deep`);
    space();
    const start = at;
    switch (text[start]) {
      case '{':
        return readObject(depth);
      case '[':
        return readArray(depth);
      case '"': {
        const value = readString();
        return value === undefined ? undefined : { type: 'scalar', start, end: at, value };
      }
      case 't':
        return readWord('true', true);
      case 'f':
        return readWord('false', false);
      case 'n':
        return readWord('null', null);
      default:
        return readNumber();
    }
  };

  const root = readValue(0);
  return { root, at, wrong };
}
