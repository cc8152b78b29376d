/** The whole run as marks in order: iterations, reviews and waits. */
import type { RunView, TimelineView, VerdictWord } from '../../src/view/index.ts';
import { duration } from './format.ts';
import { CLASSES, VERDICTS, verdictOf } from './words.ts';

export interface TapeMark {
  readonly class: string;
  /** Its relative width. */
  readonly weight: number;
  readonly label: string;
  /** The iteration it links to. */
  readonly n: number;
  readonly verdict?: VerdictWord;
}

/** The minimum share of the widest mark, so that every mark can be clicked. */
const LEAST = 0.08;

export function marksOf({ columns, verdicts, items, reviews, waits, from, now }: TimelineView): readonly TapeMark[] {
  const marks: (TapeMark & { readonly at: number })[] = columns.n.map((n, index) => {
    const verdict = verdictOf(verdicts[index] ?? 'o');
    const [id = '', title = ''] = items[columns.item[index] ?? 0] ?? [];
    const at = from + (columns.start[index] ?? 0);
    const ms = verdict === 'open' ? now - at : lengthOf(columns, index);
    return {
      class: CLASSES[verdict],
      weight: ms,
      label: `${n} ${id} ${title}, attempt ${columns.attempt[index]}: ${VERDICTS[verdict][1]}`,
      n,
      verdict,
      at,
    };
  });
  for (const review of reviews) {
    const fix = review.verdict === 'pass' ? '' : ' fix';
    marks.push({
      class: `rev${fix}`,
      weight: 0,
      label: `review of ${review.item}: ${review.verdict}`,
      n: review.n,
      at: review.at,
    });
  }
  for (const wait of waits) {
    const ms = (wait.end ?? now) - wait.start;
    const n = columns.n.findLast((_, index) => from + (columns.start[index] ?? 0) <= wait.start) ?? 1;
    marks.push({ class: 'w', weight: ms / 3, label: `waited ${duration(ms)}: ${wait.why}`, n, at: wait.start });
  }
  const sorted = marks.toSorted((a, b) => a.at - b.at);
  const widest = Math.max(1, ...sorted.map(mark => mark.weight));
  return sorted.map(mark => ({ ...mark, weight: Math.max(LEAST, mark.weight / widest) }));
}

export function lengthOf({ agent, gates, proof, rest }: TimelineView['columns'], index: number): number {
  return (agent[index] ?? 0) + (gates[index] ?? 0) + (proof[index] ?? 0) + (rest[index] ?? 0);
}

/** Marks from letters alone, if there is nothing else, or if there are too many iterations for single marks. */
export function marksOfLetters(tape: string, scale: number): readonly TapeMark[] {
  return [...tape].map((letter, index) => {
    const verdict = verdictOf(letter);
    const n = index * scale + 1;
    const which = scale === 1 ? `iteration ${n}` : `iterations ${n} to ${n + scale - 1}, the worst`;
    return { class: CLASSES[verdict], weight: 1, label: `${which}: ${VERDICTS[verdict][1]}`, n, verdict };
  });
}

export const openItems = ({ counts }: RunView): number => Math.max(0, counts.pending);
