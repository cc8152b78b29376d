/** Which lessons a brief carries: those that fit the item, that proved themselves and that are not old, in a budget. */
import type { Item } from '../protocol.ts';
import { plain } from '../util/show.ts';
import { bornAt, isByPerson, type Lesson, type LessonKind } from './lesson.ts';
import type { LessonStore } from './lesson-store.ts';
import type { Past } from './past.ts';
import type { PinEntry } from './pin.ts';
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
  readonly item: Pick<Item, 'title' | 'body' | 'criteria'>;
  /** Files it is known to touch, over those learned from archives. */
  readonly paths?: readonly string[];
  readonly budgetTokens: number;
  readonly now: number;
}

export interface RecallFrom {
  readonly lessons: LessonStore;
  readonly past: Past;
  readonly pin: readonly PinEntry[];
  readonly counts: (id: string) => Counts;
}

const BYTES_PER_TOKEN = 4;
/** `- **L-3fa9c1** (gotcha) ` and the end of its line. */
const AROUND = 26;
const BODY_CHARS = 4000;
const TERMS = 80;
const MOST = 10;
/** Lessons that match nothing in the item may still hold for every item; a few of the best are given a place. */
const GENERAL = 3;
const GENERAL_LOOKED_AT = 12;
const HALF = 4;
const LEAST = 0.2;
const HALF_LIFE_DAYS = 180;
const PINS = 2;

/** Ranked, whole, and within the budget whatever is stored. */
export function recall(from: RecallFrom, { item, paths = [], budgetTokens, now }: RecallRequest): readonly Recalled[] {
  const words = wordsOf(item);
  const pins = pinsFor(from.pin, words);
  const likely = [...paths, ...from.past.likelyPaths(words)];
  const query = expanded(words, [...likely, ...pins.flatMap(pin => [pin.topic, ...pin.also, ...pin.files])]);
  const matched = from.lessons
    .search(query)
    .map(({ document, score }) => ({ n: document, relevance: score / (score + HALF) }))
    .filter(({ relevance }) => relevance >= LEAST);
  const known = new Set(matched.map(({ n }) => n));
  const general = generalOnes(from)
    .filter(n => !known.has(n))
    .map(n => ({ n, relevance: LEAST / 2 }));
  const ranked = [...matched, ...general]
    .flatMap(({ n, relevance }) => scored(from, { n, relevance, now }))
    .toSorted((a, b) => b.score - a.score);
  const hints = pins.map(pin => ({ lesson: hintOf(pin), general: false }));
  return fitting([...hints, ...ranked], budgetTokens * BYTES_PER_TOKEN);
}

interface Ranked {
  readonly lesson: Recalled;
  readonly general: boolean;
}

function fitting(ranked: readonly Ranked[], bytes: number): readonly Recalled[] {
  const chosen: Recalled[] = [];
  let [room, general] = [bytes, GENERAL];
  for (const { lesson, general: isGeneral } of ranked) {
    const cost = Buffer.byteLength(lesson.text) + AROUND;
    if (cost > room || (isGeneral && general === 0)) continue;
    chosen.push(lesson);
    room -= cost;
    if (isGeneral) general -= 1;
    if (chosen.length === MOST) break;
  }
  return chosen;
}

function scored(
  from: RecallFrom,
  { n, relevance, now }: { readonly n: number; readonly relevance: number; readonly now: number },
): readonly (Ranked & { readonly score: number })[] {
  const lesson = from.lessons.at(n);
  if (!lesson || lesson.retired !== undefined) return [];
  const { id, kind, text } = lesson;
  const counts = from.counts(id);
  const trust = isByPerson(lesson) ? 1 : standing(counts);
  const score = relevance * (0.3 + trust) * freshness(Math.max(bornAt(lesson), counts.lastWon), now);
  return [{ lesson: { id, kind, text }, score, general: relevance < LEAST }];
}

/** One without a date is taken as half worn. */
function freshness(at: number, now: number): number {
  const days = at === 0 ? HALF_LIFE_DAYS : Math.max(0, now - at) / 86_400_000;
  return 0.5 + 0.5 * 0.5 ** (days / HALF_LIFE_DAYS);
}

/** What people said, what won most often, and what is newest. */
function generalOnes({ lessons, counts, past }: RecallFrom): readonly number[] {
  const newest = Array.from({ length: Math.min(lessons.size, GENERAL_LOOKED_AT) }, (_, n) => lessons.size - 1 - n);
  const proven = past.best.slice(0, GENERAL_LOOKED_AT).map(id => lessons.numberOf(id));
  const trusted = (n: number) => {
    const lesson = lessons.at(n);
    return lesson !== undefined && (isByPerson(lesson) || counts(lesson.id).lost <= counts(lesson.id).won);
  };
  return [...new Set([...proven, ...newest])].filter(n => n >= 0 && trusted(n));
}

function wordsOf({ title, criteria, body }: RecallRequest['item']): Query {
  const query = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const term of termsOf(text)) {
      if (query.size >= TERMS && !query.has(term)) return;
      query.set(term, Math.max(query.get(term) ?? 0, weight));
    }
  };
  add(title, 1.5);
  add(criteria.join('\n').slice(0, BODY_CHARS), 1);
  add(body.slice(0, BODY_CHARS), 0.7);
  return query;
}

/** With words that were not in the item: they count less. */
function expanded(query: Query, more: readonly string[]): Query {
  const all = new Map(query);
  for (const term of more.flatMap(termsOf)) {
    if (all.size >= 2 * TERMS) break;
    if (!all.has(term)) all.set(term, 0.4);
  }
  return all;
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
  return lessons.search(query).flatMap(({ document }) => lessons.at(document) ?? []);
}
