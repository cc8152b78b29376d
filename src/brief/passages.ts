/** Passages of a design document that name an item's requirement or story. One pass, whatever the length of the text. */

export interface Passage {
  /** Where it begins; the first line is 1. */
  readonly line: number;
  readonly text: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+\S/;
const ENTRY = /^([ \t]*)(?:[-*+]|(\d{1,3})[.)])[ \t]+/;
const FENCE = /^[ \t]*(?:`{3,}|~{3,})/;
/** Of a section whose heading names the item. */
const MOST_LINES = 40;
const MOST_PASSAGES = 12;
/** A line that speaks of requirements; elsewhere a bare number such as 1.2 may be anything. */
const ABOUT_REQUIREMENTS = /require|validate|criteri/i;

/** The first passages that name one of the ids, in the order of the text. */
export function passagesNaming(text: string, ids: readonly string[]): readonly Passage[] {
  const names = namesOf(ids);
  if (!names || !names.any.test(text)) return [];
  const lines = text.split(/\r?\n/);
  const found: Passage[] = [];
  let heading: { readonly at: number; readonly depth: number } | undefined;
  let requirement = '';
  let inFence = false;
  let quotedTo = 0;
  let quotedUnder = -1;
  for (let at = 0; at < lines.length && found.length < MOST_PASSAGES; at++) {
    const line = lines[at] ?? '';
    if (FENCE.test(line)) inFence = !inFence;
    const depth = inFence ? undefined : HEADING.exec(line)?.[1]?.length;
    if (depth !== undefined) {
      heading = { at, depth };
      requirement = /\brequirement[ \t]+(\d{1,4})\b/i.exec(line)?.[1] ?? (depth <= 3 ? '' : requirement);
    }
    if (at < quotedTo) continue;
    const number = inFence ? undefined : ENTRY.exec(line)?.[2];
    const isNumbered = number !== undefined && names.numbered.has(`${requirement}.${number}`);
    const isNamed = isNumbered || names.word(line) || (depth !== undefined && names.heads(line));
    if (!isNamed) continue;
    const block = depth === undefined ? entryAround(lines, at) : { from: at, to: sectionEnd(lines, at, depth) };
    const above = heading && heading.at < block.from && heading.at !== quotedUnder ? [lines[heading.at] ?? ''] : [];
    quotedUnder = heading?.at ?? -1;
    quotedTo = block.to;
    const words = lines.slice(block.from, block.to).join('\n').trimEnd();
    found.push({ line: block.from + 1, text: [...above, words].join('\n\n') });
  }
  return found;
}

interface Names {
  /** Whether it is worth looking at the lines at all. */
  readonly any: RegExp;
  readonly word: (line: string) => boolean;
  /** A heading that spells the id out, such as `User Story 1`. */
  readonly heads: (line: string) => boolean;
  /** Requirement and criterion, as `1.2`. */
  readonly numbered: ReadonlySet<string>;
}

function namesOf(ids: readonly string[]): Names | undefined {
  const words = ids.filter(id => /[A-Za-z]/.test(id) && id.length > 1).map(literal);
  const numbers = ids.filter(id => /^\d+(?:\.\d+)*$/.test(id));
  const stories = ids.flatMap(id => /^US-?0*(\d+)$/i.exec(id)?.[1] ?? []);
  const requirements = numbers.filter(id => !id.includes('.'));
  const spelled = [
    ...stories.map(number => `user story 0*${number}`),
    ...requirements.map(number => `requirement 0*${number}`),
  ];
  if (words.length + numbers.length === 0) return undefined;
  const word = words.length > 0 ? new RegExp(`(?<![\\w.-])(?:${words.join('|')})(?![\\w-]|\\.\\d)`) : undefined;
  const number =
    numbers.length > 0 ? new RegExp(`(?<![\\w.-])(?:${numbers.map(literal).join('|')})(?![\\w-]|\\.\\d)`) : undefined;
  const head = spelled.length > 0 ? new RegExp(`\\b(?:${spelled.join('|')})\\b`, 'i') : undefined;
  const any = [...words, ...(numbers.length > 0 ? ['requirement', 'validate', 'criteri'] : []), ...spelled];
  return {
    any: new RegExp(any.join('|'), 'i'),
    word: line =>
      (word?.test(line) ?? false) || (number !== undefined && ABOUT_REQUIREMENTS.test(line) && number.test(line)),
    heads: line => head?.test(line) ?? false,
    numbered: new Set(numbers),
  };
}

const literal = (id: string): string => id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A section ends before the next heading that is as large. */
function sectionEnd(lines: readonly string[], at: number, depth: number): number {
  const most = Math.min(lines.length, at + MOST_LINES);
  for (let next = at + 1; next < most; next++) {
    if ((HEADING.exec(lines[next] ?? '')?.[1]?.length ?? 7) <= depth) return next;
  }
  return most;
}

/** The list entry or the paragraph that a line belongs to. */
function entryAround(lines: readonly string[], at: number): { readonly from: number; readonly to: number } {
  const isBreak = (line: string | undefined): boolean => line === undefined || line.trim() === '' || HEADING.test(line);
  let from = at;
  while (!ENTRY.test(lines[from] ?? '') && !isBreak(lines[from - 1]) && at - from < MOST_LINES) from--;
  const indent = ENTRY.exec(lines[from] ?? '')?.[1]?.length;
  let to = at + 1;
  while (!isBreak(lines[to]) && to - from < MOST_LINES) {
    const next = ENTRY.exec(lines[to] ?? '')?.[1]?.length;
    if (next !== undefined && (indent === undefined || next <= indent)) break;
    to++;
  }
  return { from, to };
}
