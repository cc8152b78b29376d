/**
 * `.ralph/answers.md`: what a person has decided once and for all. A heading is a question, the text below it the answer.
 *
 *     ## Which database do we use?
 *     PostgreSQL 16, and no ORM.
 *
 *     ## package manager
 *     pnpm. Never add a second lockfile.
 *
 * A heading fits a question that holds all of its words. Whoever guesses speaks for a person, so where several headings
 * fit, or one says too little, none does.
 */
import { plain } from '../util/show.ts';

export interface StandingAnswer {
  /** The heading as it is written. */
  readonly about: string;
  readonly answer: string;
}

const ENTRIES = 500;
const LONGEST = 4000;
/** A heading of one word would fit anything that mentions it. */
const LEAST_WORDS = 2;
/** Words that say nothing about what is asked. */
const FILLERS = new Set(
  'a an and are be can do does for how i in is it its of on or shall should that the there this to use used we what when where which who why will with would you'.split(
    ' ',
  ),
);

export function parseAnswers(text: string): readonly StandingAnswer[] {
  const entries: { about: string; lines: string[] }[] = [];
  let fence = '';
  for (const line of plain(text).split('\n')) {
    const [, mark = ''] = /^\s{0,3}(```+|~~~+)/.exec(line) ?? [];
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    const heading = fence === '' ? /^#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) entries.push({ about: heading, lines: [] });
    else entries.at(-1)?.lines.push(line);
  }
  return entries
    .map(({ about, lines }) => ({ about, answer: lines.join('\n').trim().slice(0, LONGEST) }))
    .filter(({ answer }) => answer !== '')
    .slice(0, ENTRIES);
}

/** The one answer that fits, if exactly one does. */
export function answerFor(question: string, answers: readonly StandingAnswer[]): StandingAnswer | undefined {
  const asked = new Set(wordsIn(question));
  const whole = wordsIn(question).join(' ');
  const fitting = answers.filter(({ about }) => {
    const words = wordsIn(about);
    if (words.join(' ') === whole) return whole !== '';
    const telling = words.filter(word => !FILLERS.has(word));
    return telling.length >= LEAST_WORDS && telling.every(word => asked.has(word));
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

const wordsIn = (text: string): readonly string[] =>
  plain(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
