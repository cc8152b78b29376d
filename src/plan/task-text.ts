/** The text after a task box: id, tags, title, markers and strike-through. */

export type MarkerKind = 'reviewed' | 'needs-fix' | 'blocked' | 'skipped';

interface Marker {
  readonly kind: MarkerKind;
  readonly why: string;
  /** Offsets in the text, including the white space that belongs to it. */
  readonly start: number;
  readonly end: number;
}

export interface TaskText {
  /** Only if the text starts with one. */
  readonly id?: string;
  readonly title: string;
  readonly markers: readonly Marker[];
  /** Offsets of the two `~~` when the whole task is struck out. */
  readonly struck?: readonly [open: number, close: number];
  /** The text after the struck-out part. */
  readonly remark: string;
}

const MARKER = /^(?:(reviewed|needs-fix|blocked|skipped)(?::[ \t]*(.*))?|(deferred\b.*))$/i;
/** Markers that also count in round brackets, because they cannot be words of the title. */
const LOUD = /^(?:BLOCKED|SKIPPED|DEFERRED)\b/;
const TAG = /^\[([^\][]{1,40})\](?:[ \t]+|$)/;

/** Prefixes that look like ids but are names of standards. */
const STANDARDS = '(?:UTF|SHA|ISO|AES|RFC|CVE|ES|GPT|HTTP|MD)-';
/** Also excludes `P0:`, which is a priority. */
const NO_ID = new RegExp(`^(?:${STANDARDS}|P\\d(?=[:.)]))`);
const ID_CHARS = 80;
const ID_FORMS: readonly RegExp[] = [
  /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+(?:\.\d+)*[a-z]?(?=$|[\s:.)*~—–])/,
  /^[A-Z]{1,4}\d{3,5}[a-z]?(?=$|[\s:.)*~—–])/,
  /^\d+(?:\.\d+)+[a-z]?(?=$|[\s:)*~—–]|\.\s)/,
  // A short id needs a separator: "S3 upload" is about S3, "S3: upload" is item S3.
  /^[A-Z]{1,4}\d{1,2}[a-z]?(?=[:.)](?:\s|$)|\*\*|[ \t]+[—–-][ \t])/,
  /^\d{1,6}(?=[:.)][ \t])/,
  /^[A-Za-z]\w*(?:-\w+)*-\d+(?=\*{0,2}:(?:\s|$))/,
];

/** The separator between an id and the title. */
const AFTER_ID = /^[*`~]*[ \t]*(?:[:.)—–]|-(?=[ \t]))?\*{0,2}[ \t]*/;

/** Splits the text after a box into its parts. */
export function readTaskText(text: string): TaskText {
  return describe(text, partsOf(text));
}

/** The id in a text, or else its title. Cheap, because of thousands of tasks the full text of only one is needed. */
export function taskName(text: string): { readonly id: string } | { readonly id: undefined; readonly title: string } {
  const parts = partsOf(text);
  const id = parts.own?.id ?? parts.bracketId;
  return id === undefined ? { id, title: describe(text, parts).title } : { id };
}

interface Parts {
  readonly markers: readonly Marker[];
  /** Offset of the words between the tags before and the markers after them. */
  readonly start: number;
  readonly words: string;
  readonly own: OwnId | undefined;
  readonly bracketId: string | undefined;
}

function partsOf(text: string): Parts {
  const markers: Marker[] = [];
  const end = trailingMarkers(text, markers);
  let start = 0;
  let bracketId: string | undefined;
  for (
    let tag = text.startsWith('[') ? TAG.exec(text) : null;
    tag && start < end;
    tag = TAG.exec(text.slice(start, end))
  ) {
    const word = tag[1] ?? '';
    const marker = MARKER.exec(word);
    if (marker) markers.push(markerOf(marker, start, start + tag[0].length));
    else if (/^[A-Z][A-Z0-9]*-\d+$/.test(word)) bracketId ??= word;
    start += tag[0].length;
  }
  const words = text.slice(start, end);
  return { markers, start, words, own: idOf(words), bracketId };
}

function describe(text: string, { markers, start, words, own, bracketId }: Parts): TaskText {
  const tags = start === 0 ? '' : visibleTags(text.slice(0, start));
  const strike = strikeOf(words);
  const id = own?.id ?? bracketId;
  const title = clean(own ? words.slice(own.end).replace(AFTER_ID, '') : words);
  const tagged = id === bracketId && own === undefined ? tags.replace(`[${id}]`, '').trim() : tags;
  return {
    ...(id !== undefined && { id }),
    title: (tagged && title ? `${tagged} ${title}` : tagged || title) || clean(words) || text,
    markers,
    ...(strike && { struck: [start + strike.open, start + strike.close] as const }),
    remark: strike ? clean(words.slice(strike.close + 2)) : '',
  };
}

/** Collects the markers at the end and returns where the words before them end. */
function trailingMarkers(text: string, markers: Marker[]): number {
  let end = text.length;
  for (let last = text[end - 1]; last === ']' || last === ')'; last = text[end - 1]) {
    const open = text.lastIndexOf(last === ']' ? '[' : '(', end - 1);
    const inside = text.slice(open + 1, end - 1);
    const marker = open > 0 && (last === ']' || LOUD.test(inside)) ? MARKER.exec(inside) : null;
    const before = text.slice(0, Math.max(open, 0)).trimEnd().length;
    if (!marker || before === open) break;
    markers.push(markerOf(marker, before, end));
    end = before;
  }
  return end;
}

const markerOf = (match: RegExpExecArray, start: number, end: number): Marker => ({
  // "Deferred" counts as skipped: it is not done in this plan.
  kind: (match[1] ?? 'skipped').toLowerCase() as MarkerKind,
  why: (match[2] ?? match[3] ?? '').trim(),
  start,
  end,
});

const visibleTags = (tags: string): string =>
  tags.replace(/\[([^\]]*)\][ \t]*/g, (tag, word: string) => (MARKER.test(word) ? '' : tag)).trim();

/** Whether the whole text is struck out, perhaps with a remark; `~~old~~ new words` is a rewording and stays open. */
function strikeOf(words: string): { readonly open: number; readonly close: number } | undefined {
  if (!words.startsWith('~~')) return undefined;
  const close = words.indexOf('~~', 2);
  if (close < 0 || !/^(?:$|[ \t]*[([:—–>→-])/.test(words.slice(close + 2))) return undefined;
  return { open: 0, close };
}

interface OwnId {
  readonly id: string;
  /** Offset of its end in the words. */
  readonly end: number;
}

function idOf(words: string): OwnId | undefined {
  const start = '*~`'.includes(words.charAt(0)) ? (/^(?:\*\*|~~|`)*/.exec(words)?.[0].length ?? 0) : 0;
  const rest = words.slice(start, start + ID_CHARS);
  if (NO_ID.test(rest)) return undefined;
  for (const form of ID_FORMS) {
    const id = form.exec(rest)?.[0];
    if (id !== undefined) return { id, end: start + id.length };
  }
  return undefined;
}

/** Removes emphasis, strike-through and comments outside code. */
const clean = (words: string): string => {
  const bare = /[`*~<]/.test(words) ? words.replace(/(`[^`]*`)|\*\*|~~|<!--.*?-->/g, '$1') : words;
  return (/\s\s|[^\S ]/.test(bare) ? bare.replace(/\s+/g, ' ') : bare).trim();
};

/** Longer than any of the words for a state below. */
const LONGEST_STATE = 20;

/** Whether a line explains boxes instead of being a task: `[ ] = open`, a bare state word, or several boxes in a row. */
export function isLegend(text: string): boolean {
  if (/^(?:=|→|->|:)[ \t]*\S/.test(text)) return true;
  if (
    text.length < LONGEST_STATE &&
    /^(?:open|to-?do|pending|not started|in progress|partial|done|completed?|blocked|skipped|dropped|cancell?ed)[.!]?$/i.test(
      text,
    )
  ) {
    return true;
  }
  // Several boxes in a row, each with the state it means, and nothing else.
  const parts = text.includes(']') ? text.split(/\[[ xX~-]\]/) : [];
  return parts.length > 2 && parts.every(isStateWord);
}

const STATE_WORD =
  /\b(?:open|to-?do|pending|not started|begun|started|in progress|partial|partly|done|completed?|blocked|skipped|dropped|cancell?ed|deferred|superseded)\b/i;

/** Whether the words only name a state, apart from separators. */
function isStateWord(words: string): boolean {
  const bare = words.replace(/[`*_=:·|,;→()\s-]+/g, ' ').trim();
  return bare === '' || (bare.length < 2 * LONGEST_STATE && STATE_WORD.test(bare));
}

/** Whether a line under a "Legend" heading explains a box. */
export const explainsBox = (text: string): boolean => isLegend(text) || isStateWord(text);

const SLUG_LETTERS = 40;

/** An id made from a title: letters and digits of any script, at most 40 characters, cut between words. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  if (slug.length <= SLUG_LETTERS) return slug || 'item';
  // A character outside the BMP is two UTF-16 units, but few plans contain one.
  const letters = /[\ud800-\udfff]/.test(slug) ? Array.from(slug) : undefined;
  if (letters && letters.length <= SLUG_LETTERS) return slug;
  const first = (count: number) => letters?.slice(0, count).join('') ?? slug.slice(0, count);
  const cut = first(SLUG_LETTERS + 1);
  const last = cut.lastIndexOf('-');
  return last > 20 ? cut.slice(0, last) : first(SLUG_LETTERS).replace(/-$/, '');
}
