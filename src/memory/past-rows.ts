/** Small queries over the totals of all archives. */
import { relative } from 'node:path';
import { archiveNames } from './archive-read.ts';
import type { ArchivedEnd, ArchiveRow } from './past-index.ts';
import { archiveFolders, type MemoryPlace } from './place.ts';
import type { RunRecord } from './run-record.ts';
import type { Counts } from './track-record.ts';
import { termsOf } from './words.ts';

const BEST = 100;

export const endIn = ({ startedAt, finishedAt: at, reason, journalBytes }: RunRecord): ArchivedEnd => ({
  startedAt,
  at,
  reason,
  ...(journalBytes === undefined ? {} : { journalBytes }),
});

export const isWithin = (all: readonly string[], some: readonly string[]): boolean => {
  const known = new Set(all);
  return some.every(each => known.has(each));
};

export const endsIn = (rows: readonly ArchiveRow[]): Map<string, ArchivedEnd> =>
  new Map(rows.flatMap(({ figures, end }) => (figures && end ? [[figures.run, end] as const] : [])));

export const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'));
export const titleTerms = (row: string): readonly string[] => termsOf(row.slice(0, row.indexOf('\t')));

export function countsIn(line: string): Counts {
  const [shown = 0, used = 0, won = 0, lost = 0, failed = 0, lastWon = 0] = line.split(' ').map(Number);
  return { shown, used, won, lost, failed, lastWon };
}

export function bestOf(counts: readonly (readonly [string, Counts])[]): readonly string[] {
  const weight = ({ used, lost }: Counts) => used - 2 * lost;
  return counts
    .filter(([, each]) => weight(each) > 0)
    .toSorted(([, a], [, b]) => weight(b) - weight(a))
    .slice(0, BEST)
    .map(([id]) => id);
}

/** Paths relative to the repository of everything that may be an archive. */
export const findArchives = (place: MemoryPlace): readonly string[] =>
  archiveFolders(place).flatMap(folder => {
    const prefix = relative(place.root, folder);
    return archiveNames(folder).map(name => `${prefix}/${name}`);
  });

export function newestOfEach<T extends { readonly record: RunRecord }>(archives: readonly T[]): readonly T[] {
  const newest = new Map<string, T>();
  for (const archive of archives) {
    const key = `${archive.record.run} ${archive.record.startedAt}`;
    const known = newest.get(key);
    if (!known || known.record.iterations <= archive.record.iterations) newest.set(key, archive);
  }
  return [...newest.values()];
}
