/** Lessons that an agent records and those it says it used, from its final message. */
import { plain } from '../util/show.ts';
import { withoutCode } from './markdown.ts';

export type LessonKind = 'pattern' | 'gotcha' | 'fact';

export interface SaidLesson {
  readonly kind: LessonKind;
  readonly text: string;
}

export interface SaidLessons {
  readonly lessons: readonly SaidLesson[];
  /** Ids of lessons that were shown and helped. */
  readonly used: readonly string[];
}

const LESSONS = 20;
const LESSON_LENGTH = 500;
const USED = 50;
const CLOSE = '</lesson>';

/** `<lesson kind="...">text</lesson>` and `<used>L-3fa9c1</used>` outside code, comments and blockquotes. */
export function readLessons(message: string): SaidLessons {
  const own = withoutCode(message);
  const lessons = new Map<string, SaidLesson>();
  let from = 0;
  for (let close = own.indexOf(CLOSE); close >= 0 && lessons.size < LESSONS; close = own.indexOf(CLOSE, from)) {
    // The nearest opening wins, so one that was never closed does not swallow the next lesson.
    const open = own.slice(from, close).lastIndexOf('<lesson');
    const lesson =
      open < 0 ? undefined : lessonIn(own.slice(from + open, from + open + 64), message.slice(from + open, close));
    if (lesson) lessons.set(lesson.text, lesson);
    from = close + CLOSE.length;
  }
  return { lessons: [...lessons.values()], used: usedIn(message) };
}

function lessonIn(tag: string, raw: string): SaidLesson | undefined {
  const opening = /^<lesson(?:\s+kind\s*=\s*["']?(pattern|gotcha|fact)["']?)?\s*>/.exec(tag);
  if (!opening) return undefined;
  // Cut before the patterns below look at it: a lesson is a sentence or two, whatever an agent makes of it.
  const body = raw.slice(opening[0].length, opening[0].length + 8 * LESSON_LENGTH);
  const text = plain(body).replace(/\s+/g, ' ').trim();
  const kind = opening[1] as LessonKind | undefined;
  // The brief shows the form with dots for its words.
  return /[\p{L}\p{N}]/u.test(text) ? { kind: kind ?? 'fact', text: clip(text) } : undefined;
}

/** At most the limit, ending with a whole word. */
function clip(text: string): string {
  if (text.length <= LESSON_LENGTH) return text;
  const cut = text.slice(0, LESSON_LENGTH - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > LESSON_LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}

/** Agents like to put the tag in backticks. An id is meant there too, while the words of a lesson may only be shown. */
function usedIn(message: string): readonly string[] {
  const own = withoutCode(message.replace(/`(<used>[^<`\n]{1,200}<\/used>)`/g, '$1'));
  const ids = new Set<string>();
  for (const [, body = ''] of own.matchAll(/<used>([^<]{1,200})<\/used>/g)) {
    for (const [id] of body.matchAll(/\bL-[0-9a-f]{1,12}\b/g)) if (ids.size < USED) ids.add(id);
  }
  return [...ids];
}
