/** Splits the time of a run into pieces, and the pieces into lines. */
import type { TimelineView, VerdictWord } from '../../src/view/index.ts';
import { duration } from '../parts/format.ts';
import { lengthOf } from '../parts/tape-marks.ts';
import { CLASSES, VERDICTS, verdictOf } from '../parts/words.ts';

export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly class: string;
  readonly label: string;
  /** The iteration it links to; a wait has none. */
  readonly n?: number;
  readonly verdict?: VerdictWord;
  /** The worker's line; 0 for a single worker, and for what concerns the whole run. */
  readonly worker: number;
  readonly item: string;
  readonly title: string;
  readonly attempt: number;
  readonly costUsd: number;
  /** Durations of agent, gates and proof. */
  readonly parts: readonly [agent: number, gates: number, proof: number];
}

export function piecesOf(timeline: TimelineView, now: number): readonly Piece[] {
  const { columns, from, items, verdicts } = timeline;
  const iterations = columns.n.map((n, index): Piece => {
    const verdict = verdictOf(verdicts[index] ?? 'o');
    const start = from + (columns.start[index] ?? 0);
    const length = verdict === 'open' ? Math.max(0, now - start) : lengthOf(columns, index);
    const [item = '', title = ''] = items[columns.item[index] ?? 0] ?? [];
    const attempt = columns.attempt[index] ?? 1;
    return {
      start,
      end: start + length,
      class: CLASSES[verdict],
      label: `${n}, ${item} ${title}, attempt ${attempt}, ${VERDICTS[verdict][1]}, ${duration(length)}`,
      n,
      verdict,
      worker: columns.worker[index] ?? 0,
      item,
      title,
      attempt,
      costUsd: columns.costUsd[index] ?? 0,
      parts: [
        (columns.agent[index] ?? 0) + (columns.rest[index] ?? 0),
        columns.gates[index] ?? 0,
        columns.proof[index] ?? 0,
      ],
    };
  });
  const reviews = timeline.reviews.map(
    (review): Piece => ({
      start: review.at,
      end: review.at + review.durationMs,
      class: `rev ${review.verdict === 'pass' ? 'ok' : 'no'}`,
      label: `review of ${review.item}: ${review.verdict}`,
      n: review.n,
      worker: 0,
      item: review.item,
      title: '',
      attempt: review.round,
      costUsd: review.costUsd,
      parts: [review.durationMs, 0, 0],
    }),
  );
  const waits = [...timeline.waits, ...timeline.pauses.map(pause => ({ ...pause, why: 'paused by a person' }))].map(
    ({ start, end, why }): Piece => ({
      start,
      end: end ?? now,
      class: 'wt',
      label: `waited ${duration((end ?? now) - start)}: ${why}`,
      worker: 0,
      item: '',
      title: `${duration((end ?? now) - start)}: ${why}`,
      attempt: 0,
      costUsd: 0,
      parts: [0, 0, 0],
    }),
  );
  return [...iterations, ...reviews, ...waits].toSorted((a, b) => a.start - b.start);
}

/** Lengths of a line: an hour, or less for short runs, so that they use the whole width. */
export const LINES = [60_000, 300_000, 900_000, 3_600_000, 14_400_000] as const;

export function lineLength(span: number): number {
  return LINES.find(length => span / length <= 12) ?? 3_600_000;
}

export interface Line {
  readonly at: number;
  readonly worker: number;
  /** The first line of its time: if each worker has a line, only one of them shows the time. */
  readonly isFirst: boolean;
  readonly pieces: readonly Piece[];
}

/**
 * The pieces of each line; a piece that crosses the end of a line is in both. Empty lines are left out. Workers work in
 * parallel, so each has its own lines.
 */
export function linesOf(pieces: readonly Piece[], length: number, offset: number): readonly Line[] {
  const lines = new Map<number, Map<number, Piece[]>>();
  for (const piece of pieces) {
    const first = Math.floor((piece.start - offset) / length);
    const last = Math.min(first + 400, Math.floor((Math.max(piece.start, piece.end - 1) - offset) / length));
    for (let line = first; line <= last; line += 1) {
      const workers = lines.get(line) ?? new Map<number, Piece[]>();
      lines.set(line, workers);
      const list = workers.get(piece.worker);
      if (list) list.push(piece);
      else workers.set(piece.worker, [piece]);
    }
  }
  return [...lines]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([line, workers]) =>
      [...workers]
        .toSorted(([a], [b]) => a - b)
        .map(([worker, list], index) => ({
          at: line * length + offset,
          worker,
          isFirst: index === 0,
          pieces: gathered(list),
        })),
    );
}

/** More pieces in a line cannot be distinguished, and are slow to draw. */
const MOST_IN_LINE = 100;
const WORSE: readonly (VerdictWord | undefined)[] = [
  'accepted',
  'progress',
  'open',
  'aborted',
  'retry',
  'rejected',
  'blocked',
];

/** Merges neighbours into one bar that shows the worst verdict. */
function gathered(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.length <= MOST_IN_LINE) return pieces;
  const size = Math.ceil(pieces.length / MOST_IN_LINE);
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, index) => {
    const some = pieces.slice(index * size, (index + 1) * size);
    const worst = some.reduce((a, b) => (WORSE.indexOf(b.verdict) > WORSE.indexOf(a.verdict) ? b : a));
    const last = some.at(-1) ?? worst;
    return {
      ...worst,
      start: some[0]?.start ?? worst.start,
      end: last.end,
      label: `${some.length} together, the worst: ${worst.label}`,
    };
  });
}
