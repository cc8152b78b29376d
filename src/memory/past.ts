/**
 * What the archives of a repository add up to: the track record of each lesson, failures that came before, which files
 * items like this one touched, and how efficient each run was. Kept as an index that a change of any archive renews.
 */
import { join, relative } from 'node:path';
import type { Failure } from '../util/result.ts';
import { type Archive, archiveNames, readArchive } from './archive-read.ts';
import { figuresOf, type RunFigures } from './figures.ts';
import { readIndexFile, writeIndexFile } from './index-file.ts';
import type { SaidLesson } from './lesson.ts';
import { archiveFolders, type MemoryPlace, pastIndex } from './place.ts';
import type { RunRecord } from './run-record.ts';
import { buildIndex, emptyIndex, lineOf, type Query, search, type TextIndex } from './text-index.ts';
import { addCounts, type Counts, type Decided, subtractCounts } from './track-record.ts';
import { termsOf } from './words.ts';

const VERSION = 3;
const OVERLAY = 64;
const PATHS = 12;
const FAILURES = 5000;
const BEST = 100;

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

/** Lessons in archives that were not read before. */
export interface FreshLessons {
  readonly source: string;
  readonly lessons: readonly SaidLesson[];
}

interface Cache {
  readonly version: number;
  /** Paths of the archives it was made from, a line each. */
  readonly known: string;
  readonly rows: readonly ArchiveRow[];
  /** A line per lesson, sorted: its id, a tab, and the numbers. */
  readonly counts: string;
  /** Ids of the lessons with the best records, best first. */
  readonly best: readonly string[];
  readonly decided: Decided;
  readonly failures: Readonly<Record<string, number>>;
  /** A line per item that was worked on: its title, then the files it changed, parted by tabs. */
  readonly items: string;
  readonly index: TextIndex;
  readonly taken: string;
  readonly notes: Readonly<Record<string, string>>;
}

const nothing: Cache = {
  version: VERSION,
  known: '',
  rows: [],
  counts: '',
  best: [],
  decided: { won: 0, lost: 0 },
  failures: {},
  items: '',
  index: emptyIndex,
  taken: '',
  notes: {},
};

export class Past {
  readonly #place: MemoryPlace;
  /** Changed since the index was made. */
  readonly #counts = new Map<string, Counts>();
  #countLines: string;
  best: readonly string[];
  readonly failures: Map<string, number>;
  /** Ids of lessons that were taken in once: what a person deletes afterwards stays deleted. */
  readonly taken: Set<string>;
  /** Stamps of the notes files that were read. */
  readonly notes: Map<string, string>;
  readonly problems: Failure[] = [];
  fresh: FreshLessons[] = [];
  decided: Decided;
  #rows: ArchiveRow[];
  #known: Set<string>;
  #items: string[];
  #index: TextIndex;
  #overlay: TextIndex = emptyIndex;
  #stale = false;
  /** As the index was read: one that says the same is not written again. */
  readonly #read: { readonly known: string; readonly taken: number; readonly notes: string };
  #ends: Map<string, ArchivedEnd> | undefined;

  constructor(place: MemoryPlace) {
    this.#place = place;
    const cache = readCache(place);
    this.taken = new Set(lines(cache.taken));
    this.notes = new Map(Object.entries(cache.notes));
    this.#read = { known: cache.known, taken: this.taken.size, notes: JSON.stringify(cache.notes) };
    const found = findArchives(place);
    // Archives are written once, so their names are enough; one that is gone makes everything be counted anew.
    const usable = lines(cache.known).every(path => found.has(path));
    const base = usable ? cache : nothing;
    this.#countLines = base.counts;
    this.best = base.best;
    this.failures = new Map(Object.entries(base.failures));
    this.decided = base.decided;
    this.#rows = [...base.rows];
    this.#known = new Set(lines(base.known));
    this.#items = lines(base.items);
    this.#index = base.index;
    this.#readNew(found);
    this.#coverRest();
    if (this.#counts.size > 0) this.best = bestOf(this.#allCounts());
  }

  countsOf(id: string): Counts {
    return this.#counts.get(id) ?? countsIn(lineOf(this.#countLines, id));
  }

  get rows(): readonly ArchiveRow[] {
    return this.#rows;
  }

  /** How far the archive of a run tells it; undefined where there is none. */
  endOf(run: string): ArchivedEnd | undefined {
    this.#ends ??= new Map(
      this.#rows.flatMap(({ figures, end }) => (figures && end ? [[figures.run, end] as const] : [])),
    );
    return this.#ends.get(run);
  }

  /** A run that goes on is counted from its journal: what its archive adds is taken out, so that nothing counts twice. */
  takeOut({ run, startedAt }: { readonly run: string; readonly startedAt: number }): void {
    const row = this.#rows.find(({ figures }) => figures?.run === run && figures.startedAt === startedAt);
    const archive = row && readArchive(join(this.#place.root, row.path));
    if (archive?.type !== 'own') return;
    const { items, lessons } = archive.record;
    const { accepted, rejected } = figuresOf(archive.record);
    for (const [id, counts] of Object.entries(lessons.shown)) {
      this.#counts.set(id, subtractCounts(this.countsOf(id), counts));
    }
    for (const { failure } of items.flatMap(item => item.attempts)) {
      if (failure) this.failures.set(failure, (this.failures.get(failure) ?? 0) - 1);
    }
    this.decided = { won: this.decided.won - accepted, lost: this.decided.lost - rejected };
    this.#rows = this.#rows.filter(each => each !== row);
    this.#ends = undefined;
    // Its items are still in the search; the next start counts everything anew.
    this.#stale = true;
  }

  /** Files that items like this one changed, the likeliest first. */
  likelyPaths(query: Query): readonly string[] {
    const near = search([this.#index, this.#overlay], query, 5);
    const weights = new Map<string, number>();
    for (const { document, score } of near) {
      const [, ...paths] = this.#items[document]?.split('\t') ?? [];
      for (const path of paths) weights.set(path, (weights.get(path) ?? 0) + score / Math.sqrt(paths.length));
    }
    return [...weights]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 8)
      .map(([path]) => path);
  }

  /** An archive that was just written. */
  add(path: string, record: RunRecord): void {
    const key = relative(this.#place.root, path);
    this.#known.add(key);
    this.#count(key, record);
    this.#coverRest();
  }

  save(): void {
    const overlay = this.#items.length - this.#index.count;
    if (overlay > Math.max(OVERLAY, this.#index.count / 8)) {
      this.#index = buildIndex(this.#items.map(titleTerms));
      this.#coverRest();
    }
    const known = [...this.#known].join('\n');
    const notes = Object.fromEntries(this.notes);
    const { known: was, taken, notes: noted } = this.#read;
    const same = was === known && taken === this.taken.size && noted === JSON.stringify(notes);
    if (same && !this.#stale) return;
    const kept = { taken: [...this.taken].join('\n'), notes };
    writeCache(this.#place, { ...(this.#stale ? nothing : this.#cache(known)), ...kept });
  }

  #cache(known: string): Cache {
    const counts = this.#allCounts();
    return {
      ...nothing,
      known,
      rows: this.#rows,
      counts: counts.map(([id, each]) => `${id}\t${Object.values(each).join(' ')}\n`).join(''),
      best: bestOf(counts),
      decided: this.decided,
      failures: Object.fromEntries([...this.failures].slice(-FAILURES)),
      items: this.#items.join('\n'),
      index: this.#index,
    };
  }

  #readNew(found: ReadonlySet<string>): void {
    const own: { readonly path: string; readonly record: RunRecord }[] = [];
    for (const path of found) {
      if (this.#known.has(path)) continue;
      const archive: Archive | undefined = readArchive(join(this.#place.root, path));
      // A corrupt one is looked at, and named, again at the next start.
      if (archive?.type === 'corrupt') this.problems.push(archive.failure);
      if (!archive || archive.type === 'corrupt') continue;
      this.#known.add(path);
      if (archive.type === 'own') own.push({ path, record: archive.record });
      else {
        const { stories, done, lessons } = archive;
        this.#rows.push({ path, stories, done, lessons: lessons.length });
        this.fresh.push({ source: `archive ${path}`, lessons });
      }
    }
    for (const { path, record } of newestOfEach(own)) {
      this.#count(path, record);
      this.fresh.push({ source: `run ${record.run}`, lessons: record.lessons.born });
    }
  }

  #count(path: string, record: RunRecord): void {
    const figures = figuresOf(record);
    this.#ends = undefined;
    // A run that was archived, continued and archived again counts once.
    const earlier = this.#rows.find(
      row => row.figures?.run === record.run && row.figures.startedAt === record.startedAt,
    );
    const { items, lessons } = record;
    const done = items.filter(item => item.status === 'done').length;
    this.#rows = [
      ...this.#rows.filter(row => row !== earlier),
      { path, stories: items.length, done, lessons: lessons.born.length, figures, end: endIn(record) },
    ];
    if (earlier) {
      // What it added then is part of what it adds now; only counting everything anew keeps the two apart.
      this.#stale = true;
      return;
    }
    for (const [id, counts] of Object.entries(lessons.shown)) {
      this.#counts.set(id, addCounts(this.countsOf(id), counts));
    }
    const attempts = items.flatMap(item => item.attempts);
    for (const { failure } of attempts) {
      if (failure) this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
    }
    this.decided = { won: this.decided.won + figures.accepted, lost: this.decided.lost + figures.rejected };
    for (const { title, attempts: tried } of items) {
      const last = tried.findLast(attempt => attempt.verdict === 'accepted' || attempt.verdict === 'progress');
      const paths = last?.paths.filter(name => !/[\t\n]/.test(name)).slice(0, PATHS) ?? [];
      if (paths.length > 0) this.#items.push([title.replace(/\s+/g, ' '), ...paths].join('\t'));
    }
  }

  #allCounts(): readonly (readonly [string, Counts])[] {
    const old = lines(this.#countLines.trimEnd()).map(
      line => [line.slice(0, line.indexOf('\t')), countsIn(line.slice(line.indexOf('\t') + 1))] as const,
    );
    return [...new Map([...old, ...this.#counts])].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  #coverRest(): void {
    this.#overlay = buildIndex(this.#items.slice(this.#index.count).map(titleTerms));
  }
}

const endIn = ({ startedAt, finishedAt: at, reason, journalBytes }: RunRecord): ArchivedEnd => ({
  startedAt,
  at,
  reason,
  ...(journalBytes === undefined ? {} : { journalBytes }),
});

const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'));
const titleTerms = (row: string): readonly string[] => termsOf(row.slice(0, row.indexOf('\t')));

function countsIn(line: string): Counts {
  const [shown = 0, used = 0, won = 0, lost = 0, failed = 0, lastWon = 0] = line.split(' ').map(Number);
  return { shown, used, won, lost, failed, lastWon };
}

function bestOf(counts: readonly (readonly [string, Counts])[]): readonly string[] {
  const weight = ({ used, won, lost }: Counts) => used + won - 2 * lost;
  return counts
    .filter(([, each]) => weight(each) > 0)
    .toSorted(([, a], [, b]) => weight(b) - weight(a))
    .slice(0, BEST)
    .map(([id]) => id);
}

/** Paths relative to the repository of everything that may be an archive. */
function findArchives(place: MemoryPlace): ReadonlySet<string> {
  return new Set(
    archiveFolders(place).flatMap(folder => {
      const prefix = relative(place.root, folder);
      return archiveNames(folder).map(name => join(prefix, name));
    }),
  );
}

function newestOfEach<T extends { readonly record: RunRecord }>(archives: readonly T[]): readonly T[] {
  const newest = new Map<string, T>();
  for (const archive of archives) {
    const key = `${archive.record.run} ${archive.record.startedAt}`;
    const known = newest.get(key);
    if (!known || known.record.iterations <= archive.record.iterations) newest.set(key, archive);
  }
  return [...newest.values()];
}

function writeCache(place: MemoryPlace, cache: Cache): void {
  const { known, counts, items, taken, index, ...head } = cache;
  const { count, lengths, terms } = index;
  const texts = { known, counts, items, taken, lengths, terms };
  writeIndexFile(pastIndex(place), { head: { ...head, count }, texts });
}

function readCache(place: MemoryPlace): Cache {
  const file = readIndexFile(pastIndex(place));
  const { count, ...head } = (file?.head ?? {}) as Partial<Cache> & { readonly count?: number };
  if (!file || head.version !== VERSION || !Array.isArray(head.rows)) return nothing;
  const { known, counts, items, taken, lengths, terms } = file.texts;
  if (known === undefined || counts === undefined || items === undefined || taken === undefined) return nothing;
  if (lengths === undefined || terms === undefined || lengths.length !== 2 * (count ?? -1)) return nothing;
  return { ...nothing, ...head, known, counts, items, taken, index: { count: lengths.length / 2, lengths, terms } };
}
