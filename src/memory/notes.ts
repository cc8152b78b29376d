/**
 * Lessons in notes as people and other loops keep them: a section of patterns, "Learnings for future iterations" below
 * an entry, `Lesson: …`, the gotchas of a group. No text makes this throw, and everything else in the notes is left alone.
 */
import { plain } from '../util/show.ts';
import { type LessonKind, lessonText, type SaidLesson, saysSomething } from './lesson.ts';

const LESSONS = 500;
const BYTES = 4 * 1024 ** 2;

/** What is not shown is not said; one that is never closed hides the rest. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const BULLET = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/;
/** A label that the lessons follow, as a bullet, in bold, or on a line of its own. */
const LABEL =
  /^(?:\*\*|__)?((?:key |main )?(?:learnings?|lessons?(?: learned)?|gotchas?|patterns?(?: discovered)?)(?: (?:for|from|about) [\w ]{1,40})?)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.*)$/i;
const TITLES: readonly (readonly [RegExp, LessonKind])[] = [
  [/\bgotchas?\b|\bpitfalls?\b|\bsurprises\b/i, 'gotcha'],
  [/\bpatterns?\b|\bconventions?\b/i, 'pattern'],
  [/\blearnings?\b|\blessons?\b|\blearned\b/i, 'fact'],
];

/** Every lesson of a notes file, each once. */
export function readNotes(text: string): readonly SaidLesson[] {
  const found = new Map<string, SaidLesson>();
  const keep = (kind: LessonKind, raw: string) => {
    const words = lessonText(raw.replace(/^\[[ xX]\]\s+/, ''));
    if (saysSomething(words) && found.size < LESSONS && !found.has(words)) found.set(words, { kind, text: words });
  };
  for (const { kind, lines } of partsOf(
    plain(text.slice(0, BYTES))
      .replace(/^\uFEFF/, '')
      .replace(COMMENT, ''),
  )) {
    for (const entry of kind === undefined ? [] : entriesOf(lines)) keep(kind ?? 'fact', entry);
    if (kind === undefined) labelled(lines, keep);
  }
  return [...found.values()];
}

/** A file that is nothing but lessons, whatever its headings are. */
export const readLearnings = (text: string): readonly SaidLesson[] =>
  readNotes(`# Learnings\n${text.replace(/^\uFEFF?---\n[\s\S]*?\n---\n/, '')}`);

interface Part {
  /** What its bullets are; undefined for a part that only may have labels in it. */
  readonly kind: LessonKind | undefined;
  readonly lines: readonly string[];
}

/** Cut at headings and rules; what is in code is nobody's lesson. */
function partsOf(text: string): readonly Part[] {
  const parts: { kind: LessonKind | undefined; depth: number; lines: string[] }[] = [
    { kind: undefined, depth: 0, lines: [] },
  ];
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark && (fence === '' || line.trim().startsWith(fence))) {
      fence = fence === '' ? mark : '';
      continue;
    }
    if (fence !== '') continue;
    const heading = HEADING.exec(line);
    const open = parts.at(-1);
    if (heading) {
      const depth = heading[1]?.length ?? 1;
      const own = kindOf(heading[2] ?? '');
      // A section of patterns may have headings of its own inside.
      const inherited = open?.kind !== undefined && depth > open.depth ? open : undefined;
      parts.push({ kind: own ?? inherited?.kind, depth: own ? depth : (inherited?.depth ?? depth), lines: [] });
    } else if (RULE.test(line)) parts.push({ kind: undefined, depth: 0, lines: [] });
    else open?.lines.push(line);
  }
  return parts;
}

/** The title of the whole document is not yet a section of lessons. */
const kindOf = (title: string): LessonKind | undefined =>
  /\bprogress\b|\blog\b|\bnotes\b/i.test(title) ? undefined : TITLES.find(([pattern]) => pattern.test(title))?.[1];

/** Bullets with the lines that belong to them; paragraphs where there is no bullet. */
function entriesOf(lines: readonly string[]): readonly string[] {
  const entries: string[] = [];
  let depth = -1;
  for (const line of lines) {
    const [, indent = '', words = ''] = BULLET.exec(line) ?? [];
    const bullet = BULLET.test(line);
    if (bullet && (depth < 0 || indent.length <= depth)) {
      entries.push(words);
      depth = indent.length;
    } else if (line.trim() === '') {
      // The next line starts again, unless it is a bullet of this list.
      if (entries.length > 0 && depth < 0) entries.push('');
    } else if (entries.length > 0) entries[entries.length - 1] += ` ${bullet ? words : line.trim()}`;
    else entries.push(line.trim());
  }
  return entries.filter(Boolean);
}

type Keep = (kind: LessonKind, text: string) => void;

/** `Lesson: …` on one line, or a label and the bullets under it. */
function labelled(lines: readonly string[], keep: Keep): void {
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, indent = '', words = ''] = BULLET.exec(line) ?? [undefined, /^\s*/.exec(line)?.[0] ?? '', line.trim()];
    const label = LABEL.exec(words);
    if (!label) continue;
    const kind = kindOf(label[1] ?? '') ?? 'fact';
    const own = label[2]?.trim() ?? '';
    if (own !== '') {
      keep(kind, own);
      continue;
    }
    const under = linesUnder(lines.slice(at + 1), { indent: indent.length, bullet: BULLET.test(line) });
    for (const entry of entriesOf(under)) keep(kind, entry);
    at += under.length;
  }
}

/** Up to the first line that belongs to something else. */
function linesUnder(
  lines: readonly string[],
  label: { readonly indent: number; readonly bullet: boolean },
): readonly string[] {
  const end = lines.findIndex((line, at) => {
    if (line.trim() === '') return at > 0 && !BULLET.test(lines[at + 1] ?? '');
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    return label.bullet ? indent <= label.indent : indent === 0 && !BULLET.test(line);
  });
  return end < 0 ? lines : lines.slice(0, end);
}
