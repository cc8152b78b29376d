/** Literals in code: where they are, and how specific a value is. */
import type { Language } from '../language.ts';

/** Replaces a literal in the shape of a line. */
export const HOLE = '\u0001';

export interface Shape {
  /** The line with a hole for each literal. */
  readonly text: string;
  /** The values from the holes, in order. */
  readonly values: readonly string[];
}

const NUMBER = String.raw`(?<![\w.$#])0[xX][\da-fA-F_]+[uUlL]*(?![\w.])|(?<![\w.$#])-?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?(?:[fFdDmMlLuU]\b|[iu](?:8|16|32|64|128|size)\b)?(?![\w.])|(?<![\w.$#])\d[\d_]*(?=\.\.)`;
const DOUBLE = String.raw`"(?:\\.|[^"\\\n])*"`;
const SINGLE = String.raw`'(?:\\.|[^'\\\n])*'`;
const TICKS = '`[^`\\n$]*`';
/** A regular expression that matches a single text. Starting at its slash and looking back is much faster. */
const PLAIN_REGEX = String.raw`\/(?<=[(=~,]\s?\/)\^?(?:[\w\sÀ-ɏ@,:;&!#%'"<>=~-]|\\[^\w\s])+\$?\/[a-z]*`;

/** In these languages a single quote is not a string: Rust has lifetimes. */
const CHARACTERS: ReadonlySet<Language> = new Set(['rust', 'go', 'java', 'kotlin', 'csharp', 'c', 'swift']);

const withSingles = new RegExp([PLAIN_REGEX, DOUBLE, SINGLE, TICKS, NUMBER].join('|'), 'g');
const withoutSingles = new RegExp([DOUBLE, String.raw`'(?:\\.|[^'\\\n])'`, NUMBER].join('|'), 'g');

export const literalPattern = (language: Language): RegExp => (CHARACTERS.has(language) ? withoutSingles : withSingles);

export function shapeOf(code: string, language: Language): Shape {
  const values: string[] = [];
  const text = code.replace(literalPattern(language), literal => {
    values.push(valueOf(literal));
    return HOLE;
  });
  return { text, values };
}

/** Needs no normalisation. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** The value of a literal, the same for all notations. */
export function valueOf(literal: string): string {
  if (WHOLE_NUMBER.test(literal)) return literal;
  if (/^\//.test(literal)) return literal.replace(/^\/\^?|\$?\/[a-z]*$/g, '').replace(/\\(?=\W)/g, '');
  const inside = /^(["'`])([\s\S]*)\1$/.exec(literal)?.[2];
  if (inside === undefined && /^0x/i.test(literal)) return literal.replace(/_|[uUlL]+$/g, '').toLowerCase();
  const text =
    inside ?? literal.replace(/(?<=\d)_(?=\d)/g, '').replace(/(?<=\d)(?:[fFdDmMlLuU]|[iu]\d+|[iu]size)$/, '');
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/.test(text)) return String(Number(text));
  return inside === undefined ? text : text.replace(/\\(["'`\\])/g, '$1');
}

/** Normalises `4539 3195 0343 6467` to `4539319503436467`. */
export const compact = (value: string): string | undefined =>
  /^[+(]?\d[\d\s()./-]{5,}$/.test(value) && /\D/.test(value) ? value.replace(/\D/g, '') : undefined;

const isNumber = (value: string): boolean => /^-?\d+(?:\.\d+)?$/.test(value);
const digits = (value: string): number => value.replace(/\D/g, '').length;

/** Too common to mean anything. */
export const isPlain = (value: string): boolean =>
  value.length < 2 || /^-?\d$|^(?:true|false|null|nil|none)$/i.test(value);

const WORLD_NUMBERS = new Set(
  '200 201 202 204 206 301 302 303 304 307 308 400 401 402 403 404 405 406 408 409 410 411 412 413 414 415 416 417 422 423 424 425 426 428 429 431 451 500 501 502 503 504 505 511 255 256 512 1024 2048 4096 8192 65535 65536 1440 3600 7200 10080 86400 604800 365 366 365.25 273.15 1609.344 2.54 0.45359237 3.14159 299792458'.split(
    ' ',
  ),
);
const WORLD_TEXTS =
  /^(?:utf-?\d+\w*|ucs-?\d|sha-?\d+.*|md5|crc\d+|base\d+.*|iso[-_]?\d[\w-]*|us-ascii|windows-\d+|cp-?\d+|latin-?\d|https?\/[\d.]+|tlsv?.*|ssl.*|aes.*|[rhep]s\d{3}|es20\d\d|es\d|ipv[46]|x-[\w-]+|[a-z]+\/[\w.+-]+(?:;.*)?|\w+:\/\/.*|127\.0\.0\.\d|0\.0\.0\.0.*|localhost.*|[0:.-]+|rfc.*|v\d+(?:\.\d+)?|\d+\.\d+|%.*|\W+)$/i;

/** Well-known values: status codes, encodings, media types, addresses. */
export const isWorlds = (value: string): boolean =>
  isNumber(value) ? WORLD_NUMBERS.has(value) : WORLD_TEXTS.test(value) && !isPuzzle(value);

/** `{[(])}`: only signs, but too many for a separator. */
export const isPuzzle = (value: string): boolean => /^[^\w\s]{4,}$/.test(value) && new Set(value).size >= 4;

/** `invoice.payment_failed`, `content-type`: identifiers of a domain. */
export const isName = (value: string): boolean => /^[a-zA-Z]+(?:[._:/-][a-zA-Z]+)*$/.test(value);

/** `draft`, `in_review`, `Not found`, `/health`: one or more words, as in a domain or a message. */
export const isWord = (value: string): boolean => /^\/?[A-Za-z]?[a-z]+(?:[._:/ -][A-Za-z]?[a-z]+)*\/?$/.test(value);

const ENUMERATION =
  /^(?:type|kind|format|mode|status|state|role|units?|source|target|from|to|level|lang|language|locale|country|currency|code|method|action|event|command|cmd|tier|plan|category|colou?r|env\w*|scheme|protocol|encoding|charset|versions?|key|field|column|op|operator|direction|channel|provider|driver|engine|platform|arch|extension|ext|tag|topic|permission|scope|zone|region|path|pathname|route|url|uri|host|header\w*|message|body|line|msg|error|err|stderr|stdout|output|reason|errno|namespace|port|priority|strategy|algorithm|layout|theme|period|interval|frequency|weekday|month|option|flag|setting|feature|labels?)s?$/i;

/** Whether the compared thing has only a few, named values. */
export const isEnumeration = (subject: string): boolean => {
  const last = /([A-Za-z_]\w*)[^\w]*$/.exec(subject.replace(/\(\)/g, ''))?.[1] ?? '';
  return ENUMERATION.test(/[A-Z]?[a-z]+$|[A-Z]+$/.exec(last)?.[0] ?? '');
};

/** `in_review` and its label `In review`. */
export const isLabel = (value: string, label: string): boolean =>
  /^[a-z]+(?:[_-][a-z]+)*$/.test(value) && /^[A-Z][a-z]+(?: [A-Za-z]+)*$/.test(label) && isRewritten(value, label);

/** A specific value out of many possible ones: a card number, a date, an address, a person. */
export function isDatum(value: string): boolean {
  if (isWorlds(value)) return false;
  // Seconds since 1970 are a specific time, however round.
  if (isNumber(value)) return digits(value) >= 7 && (!/0{5,}$/.test(value) || /^1[4-9]\d{8}$/.test(value));
  if (/[%{}<>\\]/.test(value)) return false;
  if (/\S@\S+\.\w/.test(value) || digits(value) >= 4) return true;
  return value.length >= 7 && /[^\s:]\s+\S/.test(value) && /^\S.*\S$/.test(value);
}

/** A value that is unlikely as a constant chosen by chance. */
export function isOdd(value: string): boolean {
  if (isWorlds(value)) return false;
  if (isNumber(value)) return digits(value) >= 4 || /\.\d/.test(value);
  return isDatum(value) || (value.length >= 4 && /[^\w.:/-]|\d/.test(value)) || /^\d+[a-z]|[a-z]\d/i.test(value);
}

/** More than the value of a base case. */
export const isSpecial = (value: string): boolean =>
  !isWorlds(value) && (isNumber(value) ? digits(value) >= 2 : value.length >= 4 || isOdd(value));

/** The same letters and digits in another notation. */
export const isRewritten = (value: string, other: string): boolean => {
  const [a, b] = [value, other].map(text => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return value !== other && a === b && (a ?? '').length >= 3;
};
