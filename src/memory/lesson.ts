/** One lesson, and when two lessons say the same. */
import { createHash } from 'node:crypto';
import { plain } from '../util/show.ts';
import { isEveryday, NEGATIONS, termsOf, wordsOf } from './words.ts';

export type LessonKind = 'pattern' | 'gotcha' | 'fact';

const lessonKinds = ['pattern', 'gotcha', 'fact'] as const satisfies readonly LessonKind[];

export const kindNamed = (word: string): LessonKind | undefined => lessonKinds.find(kind => kind === word);

/** What an agent, a person or a notes file says. */
export interface SaidLesson {
  readonly kind: LessonKind;
  readonly text: string;
}

/** A lesson as the lessons file keeps it. What it did since is counted elsewhere. */
export interface Lesson extends SaidLesson {
  readonly id: string;
  /** Where it comes from, oldest first: `person, 2026-01-08`, `run 2026-01-08-payments, US-003`. */
  readonly from: readonly string[];
  /** The failure it is the remedy of, for one that was made from outcomes. */
  readonly failure?: string;
  /** Why it is not shown any more. */
  readonly retired?: string;
  /** When a person took it into AGENTS.md. */
  readonly promoted?: string;
}

const LESSON_CHARS = 600;
const SOURCES = 6;
const SAME = 0.75;

/** One line of bounded length, as a lesson's text always is. */
export function lessonText(text: string): string {
  const line = plain(text).replace(/\s+/g, ' ').trim();
  if (line.length <= LESSON_CHARS) return line;
  const cut = line.slice(0, LESSON_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > LESSON_CHARS / 2 ? cut.slice(0, space) : cut}…`;
}

const NOTHING =
  /^[([<{]?(?:none|n\/a|nothing|to be filled|tbd|todo|empty|example|placeholder|no (?:patterns|learnings|gotchas|lessons))\b/i;
/** `[pattern you found]`, `<what went wrong>`, `{{lesson}}`, `Pattern 1`, and the form that the brief itself shows. */
const PLACEHOLDER =
  /^(?:\[[^\]]*\](?!\()|<[^>]*>|\{\{?[^}]*\}?\}|(?:pattern|lesson|gotcha|learning)s? (?:\d+|here|goes here)|how it goes wrong -> what to do)[\s.:]*$|^(?:your|add|write|insert|describe|list) .{0,40}\bhere\b|\.{3} ?-> ?\.{3}/i;
const HEADING = /^#{1,6}\s|^(?:\*\*|__)[^*_]+(?:\*\*|__):?$|:$/;

const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim();

/** Whether a text only holds the place of a lesson. */
export function isPlaceholder(text: string): boolean {
  const words = withoutComments(text);
  return words === '' || PLACEHOLDER.test(words);
}

/** Whether a text says something: not a placeholder, a comment or a heading. */
export function saysSomething(text: string): boolean {
  const words = withoutComments(text);
  if (words.split(/\s+/).length < 3 && !/\p{Lo}{6}/u.test(words)) return false;
  return words.length >= 12 && ![NOTHING, PLACEHOLDER, HEADING].some(pattern => pattern.test(words));
}

/** Whether a text is more than a report, the title of the item again and hardly another word. */
export function tellsMore(text: string, title: string): boolean {
  const [said, known] = [new Set(termsOf(text)), new Set(termsOf(title))];
  if (![...known].every(term => said.has(term))) return true;
  const own = [...said].filter(term => !known.has(term) && !isEveryday(term) && !/^\d+$/.test(term));
  return own.length >= 2;
}

/** From the words alone, so that two people who add the same lesson give it the same id. */
export function lessonId(text: string, digits = 6): string {
  const normal = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`"'’]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:!-]+|[\s.,;:!-]+$/g, '');
  return `L-${createHash('sha256').update(normal).digest('hex').slice(0, digits)}`;
}

export const isByPerson = ({ from, promoted }: Lesson): boolean =>
  promoted !== undefined || from.some(source => source.startsWith('person'));

/** The day it was first heard of in epoch milliseconds; 0 where no source has a date. */
export function bornAt({ from }: Lesson): number {
  const days = from.flatMap(source => /\d{4}-\d\d-\d\d/.exec(source)?.[0] ?? []).map(day => Date.parse(day));
  const known = days.filter(day => !Number.isNaN(day));
  return known.length > 0 ? Math.min(...known) : 0;
}

/** The first source and the newest ones. */
export function withSource(from: readonly string[], source: string): readonly string[] {
  if (from.includes(source)) return from;
  const all = [...from, source];
  return all.length <= SOURCES ? all : [...all.slice(0, 1), ...all.slice(1 - SOURCES)];
}

/** The same words in any order and form, and the same ones negated. */
export function saysTheSame(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const [first, second] = [new Set(a), new Set(b)];
  const common = [...first].filter(word => second.has(word)).length;
  const union = first.size + second.size - common;
  if (union === 0) return one === other;
  return common / union >= SAME && negated(a) === negated(b) && numbers(a) === numbers(b);
}

/** `never npm` and `never pnpm` share all other words and say the opposite. */
const negated = (words: readonly string[]): string =>
  words
    .flatMap((word, at) => (NEGATIONS.has(word) ? [`${word} ${words[at + 1] ?? ''}`] : []))
    .toSorted()
    .join(',');

/** Ports, versions and limits: the same sentence with another number is another fact. */
const numbers = (words: readonly string[]): string =>
  [...new Set(words.filter(word => /^\p{N}+$/u.test(word)))].toSorted().join(',');
