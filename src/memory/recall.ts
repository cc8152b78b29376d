/** Which lessons go into a brief: those that fit the item, are proven and not old, within a budget. */
import { plain } from '../util/show.ts';
import { contradicts, isBetter, type Sides, sidesOf } from './conflicts.ts';
import { bornAt, isByPerson, type Lesson, type LessonKind } from './lesson.ts';
import type { LessonStore } from './lesson-store.ts';
import type { Past } from './past.ts';
import type { PinEntry } from './pin.ts';
import { type Common, expanded, type ItemWords, queryOf } from './query.ts';
import { synonymsOf } from './synonyms.ts';
import type { Query } from './text-index.ts';
import { type Counts, standing } from './track-record.ts';
import { termsOf } from './words.ts';

export interface Recalled {
  /** `pin` for a line of the pin file. */
  readonly id: string;
  readonly kind: LessonKind;
  readonly text: string;
}

export interface RecallRequest {
  readonly item: ItemWords & { readonly id?: string };
  /** All items of its plan: what is in most of them tells nothing of this one. */
  readonly plan?: readonly ItemWords[];
  readonly budgetTokens: number;
  readonly now: number;
}

export interface RecallFrom {
  readonly lessons: LessonStore;
  readonly past: Past;
  readonly pin: readonly PinEntry[];
  readonly counts: (id: string) => Counts;
  /** Lessons that the last attempt of the item failed with: this one is made without them. */
  readonly suspects: ReadonlySet<string>;
  /** Words of the item's plan. */
  readonly common: Common;
}

const BYTES_PER_TOKEN = 4;
/** `- **L-3fa9c1** (gotcha) ` and the end of its line. */
const AROUND = 26;
/** One that fits hardly half as well as the best is about something else; more than a few hide each other. */
const NEAR = 0.5;
const MOST = 4;
const LOOKED_AT = 12;
/** In units of a word that only one lesson holds: a single word of the item's text is enough, a synonym of one is not. */
const LEAST = 1.2;
const EARNED = 2;
/** What a person said may hold for every item; a few of those are given a place even if no word matches. */
const GENERAL = 2;
const GENERAL_LOOKED_AT = 12;
const HALF_LIFE_DAYS = 180;
const PINS = 2;

/** Ranked, whole, and within the budget whatever is stored. */
export function recall(from: RecallFrom, { item, budgetTokens, now }: RecallRequest): readonly Recalled[] {
  const words = queryOf(item, from.common);
  const pins = pinsFor(from.pin, words);
  const more = [...from.past.likelyPaths(words), ...pins.flatMap(pin => [pin.topic, ...pin.also, ...pin.files])];
  const found = from.lessons
    .search(expanded(words, more), { also: synonymsOf })
    .filter(({ score }) => score >= LEAST * from.lessons.rarest)
    .flatMap(({ document, score }) => candidate(from, { n: document, match: score, now }));
  const [match, score] = [best(found.map(each => each.match)), best(found.map(each => each.score))];
  // By its words alone, or with its record: what proved itself does not keep out what is new, nor the other way.
  const near = found.filter(each => each.match >= NEAR * match || each.score >= NEAR * score || each.earned);
  const ranking = near.toSorted((a, b) => b.score - a.score).slice(0, LOOKED_AT);
  const sides = new Map(ranking.map(each => [each, sidesOf(each.lesson.text)] as const));
  const isRefuted = (one: Candidate) =>
    ranking.some(other => isBetter(other, one) && contradicts(sides.get(other) as Sides, sides.get(one) as Sides));
  const fitting = ranking.filter(each => !isRefuted(each)).slice(0, MOST);
  const known = new Set(found.map(({ n }) => n));
  const general = generalOnes(from)
    .filter(({ n }) => !known.has(n))
    .slice(0, GENERAL);
  const ranked = [...fitting, ...general].map(({ lesson: { id, kind, text } }) => ({ id, kind, text }));
  return within(budgetTokens * BYTES_PER_TOKEN, [...pins.map(hintOf), ...ranked]);
}

interface Candidate {
  readonly n: number;
  readonly lesson: Lesson;
  readonly match: number;
  readonly trust: number;
  readonly score: number;
  readonly earned: boolean;
}

const best = (values: readonly number[]): number => Math.max(0, ...values);

function within(bytes: number, ranked: readonly Recalled[]): readonly Recalled[] {
  let room = bytes;
  return ranked.filter(({ text }) => {
    const cost = Buffer.byteLength(text) + AROUND;
    if (cost > room) return false;
    room -= cost;
    return true;
  });
}

/** With its score: how well it matches, times its record, times its age. Nothing for one that may not be shown. */
function candidate(
  from: RecallFrom,
  { n, match, now }: { readonly n: number; readonly match: number; readonly now: number },
): readonly Candidate[] {
  const lesson = from.lessons.at(n);
  if (!lesson || lesson.retired !== undefined) return [];
  if (from.suspects.has(lesson.id) && !isByPerson(lesson)) return [];
  const counts = from.counts(lesson.id);
  const trust = isByPerson(lesson) ? 1 : standing(counts);
  const score = match * (0.1 + trust) * freshness(Math.max(bornAt(lesson), counts.lastWon), now);
  // Cited with success, it has a place wherever a word of the title leads to it.
  const earned = counts.used > counts.failed && match >= EARNED * from.lessons.rarest;
  return [{ n, lesson, match, trust, score, earned }];
}

/** One without a date is taken as half worn. */
function freshness(at: number, now: number): number {
  const days = at === 0 ? HALF_LIFE_DAYS : Math.max(0, now - at) / 86_400_000;
  return 0.5 + 0.5 * 0.5 ** (days / HALF_LIFE_DAYS);
}

/** The newest and the best proven of what people said. */
function generalOnes({ lessons, past }: RecallFrom) {
  const newest = Array.from({ length: Math.min(lessons.size, GENERAL_LOOKED_AT) }, (_, n) => lessons.size - 1 - n);
  const proven = past.best.slice(0, GENERAL_LOOKED_AT).map(id => lessons.numberOf(id));
  return [...new Set([...proven, ...newest])].flatMap(n => {
    const lesson = lessons.at(n);
    return lesson && lesson.retired === undefined && isByPerson(lesson) ? [{ n, lesson }] : [];
  });
}

/** Topics that the item names by any of their words. */
function pinsFor(pin: readonly PinEntry[], words: Query): readonly PinEntry[] {
  const named = (name: string) => {
    const terms = termsOf(name);
    return terms.length > 0 && terms.every(term => words.has(term));
  };
  return pin.filter(entry => [entry.topic, ...entry.also].some(named)).slice(0, PINS);
}

const hintOf = ({ topic, files }: PinEntry): Recalled => ({
  id: 'pin',
  kind: 'fact',
  text: `${plain(topic)} is in ${files.slice(0, 6).join(', ')}`.slice(0, 300),
});

/** For people who search: every lesson that matches, best first, retired ones too. */
export function searchLessons({ lessons }: Pick<RecallFrom, 'lessons'>, words: string): readonly Lesson[] {
  const query = new Map(termsOf(words).map(term => [term, 1] as const));
  return lessons.search(query, { also: synonymsOf }).flatMap(({ document }) => lessons.at(document) ?? []);
}
