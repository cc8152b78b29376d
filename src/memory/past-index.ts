/** The totals of all archives at the last start: derived, and rebuilt if missing or outdated. */
import type { RunFigures } from './figures.ts';
import { indexIn, readIndexFile, textsOf, writeIndexFile } from './index-file.ts';
import { type MemoryPlace, pastIndex } from './place.ts';
import { noRows, type RowsText } from './rows.ts';
import { emptyIndex, type TextIndex } from './text-index.ts';
import type { Decided } from './track-record.ts';

const VERSION = 5;

/** An archive in the list: ours with its figures, or another loop's with what can be told of it. */
export interface ArchiveRow {
  /** Relative to the repository. */
  readonly path: string;
  readonly stories: number;
  readonly done: number;
  readonly lessons: number;
  readonly figures?: RunFigures;
  readonly end?: ArchivedEnd;
}

/** How far an archive tells its run. */
export interface ArchivedEnd {
  readonly startedAt: number;
  readonly at: number;
  readonly reason: string;
  readonly journalBytes?: number;
}

export interface PastIndex {
  /** Paths of the archives it was made from, a line each. */
  readonly known: string;
  /** Archives as JSON. */
  readonly rows: RowsText;
  /** A line per run, sorted: its id, a tab, and its end as JSON. */
  readonly ends: string;
  /** A line per lesson, sorted: its id, a tab, and the numbers. */
  readonly counts: string;
  /** Ids of the lessons with the best records, best first. */
  readonly best: readonly string[];
  readonly decided: Decided;
  /** How often each was seen, as JSON. */
  readonly failures: string;
  /** Items that were worked on: the title, then the files it changed, parted by tabs. */
  readonly items: RowsText;
  readonly index: TextIndex;
  /** Over the items that came after those. */
  readonly overlay: TextIndex;
  /** Lessons that were taken in, a line each, sorted. */
  readonly taken: string;
  readonly notes: Readonly<Record<string, string>>;
}

export const noPast: PastIndex = {
  known: '',
  rows: noRows,
  ends: '',
  counts: '',
  best: [],
  decided: { won: 0, lost: 0 },
  failures: '{}',
  items: noRows,
  index: emptyIndex,
  overlay: emptyIndex,
  taken: '',
  notes: {},
};

export function writePastIndex(place: MemoryPlace, past: PastIndex): void {
  const { known, rows, ends, counts, failures, items, index, overlay, taken, ...head } = past;
  writeIndexFile(pastIndex(place), {
    head: { ...head, version: VERSION },
    texts: {
      known,
      rows: rows.text,
      rowStarts: rows.starts,
      ends,
      counts,
      failures,
      items: items.text,
      itemStarts: items.starts,
      taken,
      ...textsOf('index', index),
      ...textsOf('overlay', overlay),
    },
  });
}

export function readPastIndex(place: MemoryPlace): PastIndex {
  const file = readIndexFile(pastIndex(place));
  const { version, ...head } = (file?.head ?? {}) as Partial<PastIndex> & { version?: number };
  // Everything else of an older version is counted again; what was taken in once stays known.
  if (file && version !== undefined && version !== VERSION)
    return { ...noPast, taken: file.text('taken'), notes: head.notes ?? {} };
  if (!file || version !== VERSION) return noPast;
  return {
    ...noPast,
    ...head,
    known: file.text('known'),
    rows: { text: file.bytes('rows'), starts: file.text('rowStarts') },
    ends: file.text('ends'),
    counts: file.text('counts'),
    failures: file.text('failures'),
    items: { text: file.bytes('items'), starts: file.text('itemStarts') },
    index: indexIn(file, 'index'),
    overlay: indexIn(file, 'overlay'),
    taken: file.text('taken'),
  };
}
