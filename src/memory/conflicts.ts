/** Lessons that say the opposite of each other. A brief carries one of them; a person is told of both. */
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

/** About the same thing, and one denies it, has another number for it, or names a rival. */
export function contradicts(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  const rivals = RIVALS.filter(group => a.rivals.has(group) && b.rivals.has(group));
  const differ = rivals.filter(group => named(a.words, group) !== named(b.words, group));
  const without = (words: ReadonlySet<string>) => [...words].filter(word => !rivals.some(group => group.has(word)));
  const [first, second] = [without(a.words), new Set(without(b.words))];
  const common = first.filter(word => second.has(word)).length;
  const same = common >= FEWEST && common >= COMMON * Math.min(first.length, second.size);
  if (!same) return false;
  // Both may deny something: then it matters what each recommends.
  if (a.denies !== b.denies) return true;
  if (differ.length > 0) return true;
  return a.numbers !== b.numbers && a.numbers !== '' && b.numbers !== '' && common >= COMMON * Math.max(first.length, second.size);
}

function partsOf(text: string) {
  const words = wordsOf(text);
  const content = words.filter(word => !DENIES.has(word) && !/^\d+$/.test(word));
  return {
    words: new Set(content.concat(words.filter(word => word === 'never'))),
    denies: words.some(word => DENIES.has(word)),
    numbers: words.filter(word => /^\d+$/.test(word)).join(' '),
    rivals: new Set(RIVALS.filter(group => words.some(word => group.has(word)))),
  };
}

/** The one of a group that comes first: `pnpm` in "pnpm, not npm". */
const named = (words: ReadonlySet<string>, group: ReadonlySet<string>): string | undefined =>
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
  return bornAt(one.lesson) - bornAt(other.lesson) > 0 || (bornAt(one.lesson) === bornAt(other.lesson) && one.n > other.n);
}

export interface Conflict {
  /** The one that briefs carry. */
  readonly kept: Lesson;
  readonly other: Lesson;
}

const NEAR = 12;

/** Those in the store that say the opposite of a text. */
export function against(lessons: LessonStore, text: string): readonly { readonly lesson: Lesson; readonly n: number }[] {
  const query = new Map(termsOf(text).map(term => [term, 1] as const));
  return lessons.search(query, { most: NEAR }).flatMap(({ document: n }) => {
    const lesson = lessons.at(n);
    return lesson && lesson.retired === undefined && contradicts(text, lesson.text) ? [{ lesson, n }] : [];
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
