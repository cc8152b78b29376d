/** Lessons that contradict each other. A brief contains one of them; a person sees both. */
import { bornAt, isByPerson, type Lesson } from './lesson.ts';
import type { LessonStore } from './lesson-store.ts';
import { type Counts, standing } from './track-record.ts';
import { stem, termsOf, wordsOf } from './words.ts';

/** Who says one of a line cannot mean another of it. */
const RIVALS: readonly ReadonlySet<string>[] = `
npm pnpm yarn bun
jest vitest mocha
always never
before after
enable disable
allow forbid
sync async
utc local
tabs spaces
true false
cents dollars euros
camelcase snakecase kebabcase
default named
`
  .trim()
  .split('\n')
  .map(line => new Set(line.split(' ').map(stem)));

const DENIES: ReadonlySet<string> = new Set('not never dont doesnt isnt cannot cant shouldnt mustnt avoid'.split(' '));
/** Of the words of the shorter one: how many both have to hold to be about the same thing. */
const COMMON = 0.7;
const FEWEST = 2;

/** What a sentence is about, and on which side of it it stands. */
export interface Sides {
  readonly words: ReadonlySet<string>;
  readonly denies: boolean;
}

export function sidesOf(text: string): Sides {
  const words = wordsOf(text);
  return { words: new Set(words), denies: words.some(word => DENIES.has(word)) };
}

/** About the same thing, and one denies it or names a rival first. */
export function contradicts(one: Sides, other: Sides): boolean {
  const both = RIVALS.map(group => [named(one, group), named(other, group)] as const);
  const differ = both.some(([a, b]) => a !== undefined && b !== undefined && a !== b);
  if (one.denies === other.denies && !differ) return false;
  const [a, b] = [topicOf(one), topicOf(other)];
  const common = [...a].filter(word => b.has(word)).length;
  return common >= FEWEST && common >= COMMON * Math.min(a.size, b.size);
}

const rivals = new Set(RIVALS.flatMap(group => [...group]));
const topicOf = ({ words }: Sides): ReadonlySet<string> =>
  new Set([...words].filter(word => !DENIES.has(word) && !rivals.has(word)));

/** The one of a group that comes first: `pnpm` in "pnpm, not npm". */
const named = ({ words }: Sides, group: ReadonlySet<string>): string | undefined =>
  [...words].find(word => group.has(word));

interface Weighed {
  readonly lesson: Lesson;
  /** From 0 to 1, a person's word being 1. */
  readonly trust: number;
  /** Its place in the file. */
  readonly n: number;
}

const CLEARLY = 0.05;

/** Better proven, or as well proven and newer. */
export function isBetter(one: Weighed, other: Weighed): boolean {
  if (Math.abs(one.trust - other.trust) > CLEARLY) return one.trust > other.trust;
  return (
    bornAt(one.lesson) - bornAt(other.lesson) > 0 || (bornAt(one.lesson) === bornAt(other.lesson) && one.n > other.n)
  );
}

export interface Conflict {
  /** The one that briefs carry. */
  readonly kept: Lesson;
  readonly other: Lesson;
}

const NEAR = 12;

/** Those in the store that say the opposite of a text. */
export function against(
  lessons: LessonStore,
  text: string,
): readonly { readonly lesson: Lesson; readonly n: number }[] {
  const query = new Map(termsOf(text).map(term => [term, 1] as const));
  const own = sidesOf(text);
  return lessons.search(query, { most: NEAR }).flatMap(({ document: n }) => {
    const lesson = lessons.at(n);
    return lesson && lesson.retired === undefined && contradicts(own, sidesOf(lesson.text)) ? [{ lesson, n }] : [];
  });
}

/** Every pair that is not settled yet by one of the two being retired. */
export function conflictsIn(lessons: LessonStore, countsOf: (id: string) => Counts): readonly Conflict[] {
  const weighed = (lesson: Lesson, n: number): Weighed => ({
    lesson,
    n,
    trust: isByPerson(lesson) ? 1 : standing(countsOf(lesson.id)),
  });
  return [...lessons.all()].flatMap((lesson, n) => {
    if (lesson.retired !== undefined) return [];
    const own = weighed(lesson, n);
    return against(lessons, lesson.text)
      .map(other => weighed(other.lesson, other.n))
      .filter(other => isBetter(own, other))
      .map(other => ({ kept: lesson, other: other.lesson }));
  });
}
