/** Parses front matter as tools write it, one field per line: words, quoted words, lists, folded text. Never throws. */

export interface Field {
  readonly value: string;
  readonly list: readonly string[];
  /** Offsets of its value, without the white space around it. */
  readonly start: number;
  readonly end: number;
  /** The number of its first line. */
  readonly line: number;
  /** Offset after its last line, before the line ending. */
  readonly stop: number;
}

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, Field>;
  /** Offset of the text after the front matter; 0 if there is none. */
  readonly end: number;
  readonly lines: number;
}

const KEY = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+|$)/;

/** The fields between two lines of `---`. */
export function frontMatter(text: string): FrontMatter {
  const first = /^---[ \t]*\r?\n/.exec(text);
  const close = first ? /\n---[ \t]*(?:\r?\n|$)/.exec(text.slice(first[0].length - 1)) : null;
  if (!first || !close) return { fields: new Map(), end: 0, lines: 0 };
  const stop = first[0].length - 1 + close.index + 1;
  const end = first[0].length - 1 + close.index + close[0].length;
  return {
    fields: fieldsOf(text.slice(0, stop), first[0].length, 2),
    end,
    lines: text.slice(0, end).split('\n').length - 1,
  };
}

/** The fields of a file that contains nothing else. */
export const settingsOf = (text: string): ReadonlyMap<string, Field> => fieldsOf(text, 0, 1);

function fieldsOf(text: string, from: number, firstLine: number): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  let key = '';
  let at = from;
  for (let line = firstLine; at < text.length; line++) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline;
    const words = text.slice(at, next).trimEnd();
    const found = KEY.exec(words);
    if (found) {
      key = found[1] ?? '';
      const start = at + found[0].length;
      const raw = words.slice(found[0].length).trim();
      const isFolded = /^[>|][+-]?$/.test(raw);
      const list = raw.startsWith('[') ? inlineList(raw) : [];
      const value = isFolded || raw.startsWith('[') ? '' : unquoted(raw);
      fields.set(key, { value, list, start, end: at + words.length, line, stop: at + words.length });
    } else if (key !== '' && words.trim() !== '') grow(fields, key, { words, stop: at + words.length });
    at = next + 1;
  }
  return fields;
}

/** Adds a line under a key: an entry of its list, or more of its folded text. */
function grow(
  fields: Map<string, Field>,
  key: string,
  { words, stop }: { readonly words: string; readonly stop: number },
): void {
  const field = fields.get(key);
  if (!field) return;
  const entry = /^[ \t]*-[ \t]+(.*)$/.exec(words)?.[1];
  if (entry !== undefined) fields.set(key, { ...field, list: [...field.list, unquoted(entry.trim())], stop });
  else if (/^[ \t]/.test(words)) fields.set(key, { ...field, value: `${field.value} ${words.trim()}`.trim(), stop });
}

const inlineList = (raw: string): readonly string[] =>
  [...raw.replace(/^\[|\]$/g, '').matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^,\s][^,]*)/g)].map(
    ([, double, single, bare]) => (double ?? single ?? bare ?? '').trim(),
  );

function unquoted(raw: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(raw);
  if (double) return (double[1] ?? '').replace(/\\(.)/g, '$1');
  const single = /^'((?:[^']|'')*)'/.exec(raw);
  if (single) return (single[1] ?? '').replaceAll("''", "'");
  return raw.replace(/[ \t]+#.*$/, '');
}
