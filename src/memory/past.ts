/**
 * What the archives of a repository add up to: the track record of each lesson, failures that came before, which files
 * items like this one touched, and how efficient each run was. Kept as an index that a change of any archive renews.
 */
import { join, relative } from 'node:path';
import type { Failure } from '../util/result.ts';
import { type Archive, isOwn, readArchive } from './archive-read.ts';
import { figuresOf } from './figures.ts';
import type { SaidLesson } from './lesson.ts';
import {
  type ArchivedEnd,
  type ArchiveRow,
  noPast,
  type PastIndex,
  readPastIndex,
  writePastIndex,
} from './past-index.ts';
import { PastItems } from './past-items.ts';
import { bestOf, countsIn, endIn, endsIn, findArchives, isWithin, lines, newestOfEach } from './past-rows.ts';
import type { MemoryPlace } from './place.ts';
import { Names, Rows, rowsText, sortedLines } from './rows.ts';
import type { RunRecord } from './run-record.ts';
import { lineOf, type Query } from './text-index.ts';
import { addCounts, type Counts, type Decided, subtractCounts } from './track-record.ts';

const FAILURES = 5000;
/** Archives of other loops that are read in one go. */
const AT_ONCE = 20;

/** Lessons in archives that were not read before. */
export interface FreshLessons {
  readonly source: string;
  readonly lessons: readonly SaidLesson[];
}

export class Past {
  /** Ids of lessons that were taken in once: what a person deletes afterwards stays deleted. */
  readonly taken: Names;
  /** Stamps of the notes files that were read. */
  readonly notes: Map<string, string>;
  readonly problems: Failure[] = [];
  fresh: FreshLessons[] = [];
  /** Archives of other loops that were not read yet: there may be a thousand of them, and no agent waits for that. */
  #unread: string[] = [];
  decided: Decided;
  best: readonly string[];
  readonly #place: MemoryPlace;
  readonly #base: PastIndex;
  /** Changed since the index was made. */
  readonly #counts = new Map<string, Counts>();
  readonly #items: PastItems;
  #known: string;
  /** All archives; those of the index, which are only looked at one by one, until one more is known. */
  #rows: ArchiveRow[] | undefined;
  #ends: Map<string, ArchivedEnd> | undefined;
  #failures: Map<string, number> | undefined;
  #stale = false;
  /** As the index was read: one that says the same is not written again. */
  readonly #kept: { readonly known: string; readonly notes: string };

  constructor(place: MemoryPlace) {
    this.#place = place;
    const kept = readPastIndex(place);
    this.taken = new Names(kept.taken);
    this.notes = new Map(Object.entries(kept.notes));
    this.#kept = { known: kept.known, notes: JSON.stringify(kept.notes) };
    const found = findArchives(place);
    const same = found.join('\n') === kept.known;
    // Archives are written once, so their names are enough; one that is gone makes everything be counted again.
    this.#base = same || isWithin(found, lines(kept.known)) ? kept : noPast;
    this.#known = this.#base.known;
    this.decided = this.#base.decided;
    this.best = this.#base.best;
    this.#items = new PastItems(this.#base);
    if (same) return;
    this.#readNew(found);
    this.#items.cover();
    if (this.#counts.size > 0) this.best = bestOf(this.#allCounts());
  }

  countsOf(id: string): Counts {
    return this.#counts.get(id) ?? countsIn(lineOf(this.#base.counts, id));
  }

  get failures(): Map<string, number> {
    this.#failures ??= new Map(Object.entries(JSON.parse(this.#base.failures) as Record<string, number>));
    return this.#failures;
  }

  /** Every archive; those of other loops are read first, where they were not yet. */
  get rows(): readonly ArchiveRow[] {
    while (this.readSome()) continue;
    return this.#read;
  }

  get #read(): readonly ArchiveRow[] {
    this.#rows ??= new Rows(this.#base.rows).all().map(row => JSON.parse(row) as ArchiveRow);
    return this.#rows;
  }

  get size(): number {
    return (this.#rows?.length ?? new Rows(this.#base.rows).size) + this.#unread.length;
  }

  /** Archives of other loops that are still to be read. */
  get unread(): number {
    return this.#unread.length;
  }

  newest(most: number): readonly ArchiveRow[] {
    if (this.#rows) return this.#rows.slice(-most);
    const rows = new Rows(this.#base.rows);
    const first = Math.max(0, rows.size - most);
    return Array.from({ length: rows.size - first }, (_, n) => JSON.parse(rows.at(first + n) ?? '') as ArchiveRow);
  }

  /** How far the archive of a run tells it; undefined where there is none. */
  endOf(run: string): ArchivedEnd | undefined {
    if (this.#rows) {
      this.#ends ??= endsIn(this.#rows);
      return this.#ends.get(run);
    }
    const line = lineOf(this.#base.ends, run);
    return line === '' ? undefined : (JSON.parse(line) as ArchivedEnd);
  }

  /** Whether a run of ours was ever archived here. */
  get hasOwn(): boolean {
    return this.#rows ? endsIn(this.#rows).size > 0 : this.#base.ends !== '';
  }

  /** A run that continues is counted from its journal: what its archive adds is taken out, so that nothing counts twice. */
  takeOut({ run, startedAt }: { readonly run: string; readonly startedAt: number }): void {
    const row = this.#read.find(({ figures }) => figures?.run === run && figures.startedAt === startedAt);
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
    this.#rows = this.#read.filter(each => each !== row);
    this.#ends = undefined;
    // Its items are still in the search; the next start counts everything again.
    this.#stale = true;
  }

  /** Items of earlier runs that changed files. */
  get itemCount(): number {
    return this.#items.size;
  }

  /** Files that items like this one changed, the likeliest first. */
  likelyPaths(query: Query): readonly string[] {
    return this.#items.likelyPaths(query);
  }

  /** An archive that was just written. */
  add(path: string, record: RunRecord): void {
    const key = relative(this.#place.root, path);
    const known = new Set([...lines(this.#known), key]);
    // In the order in which the next start finds them, which then sees at a glance that nothing is new.
    this.#known = findArchives(this.#place)
      .filter(each => known.has(each))
      .join('\n');
    this.#count(key, record);
    this.#items.cover();
  }

  save(): void {
    this.#items.settle();
    const notes = Object.fromEntries(this.notes);
    const { known, notes: noted } = this.#kept;
    const same = known === this.#known && !this.taken.grew && noted === JSON.stringify(notes);
    if (same && !this.#stale) return;
    const kept = { taken: this.taken.written(), notes };
    writePastIndex(this.#place, { ...(this.#stale ? noPast : this.#now()), ...kept });
  }

  #now(): PastIndex {
    const counts = this.#allCounts();
    return {
      ...noPast,
      known: this.#known,
      rows: rowsText(this.#read.map(row => JSON.stringify(row))),
      ends: sortedLines([...endsIn(this.#read)].map(([run, end]) => [run, JSON.stringify(end)])),
      counts: sortedLines(counts.map(([id, each]) => [id, Object.values(each).join(' ')])),
      best: bestOf(counts),
      decided: this.decided,
      failures: JSON.stringify(Object.fromEntries([...this.failures].slice(-FAILURES))),
      ...this.#items.written(),
    };
  }

  #readNew(found: readonly string[]): void {
    const own: { readonly path: string; readonly record: RunRecord }[] = [];
    const known = new Set(lines(this.#known));
    for (const path of found) {
      if (known.has(path)) continue;
      if (!isOwn(join(this.#place.root, path))) {
        this.#unread.push(path);
        continue;
      }
      const archive = this.#readOne(path);
      if (archive?.type !== 'own') continue;
      known.add(path);
      own.push({ path, record: archive.record });
    }
    this.#known = found.filter(path => known.has(path)).join('\n');
    this.#rows = [...this.#read];
    // The newest are the likeliest to help, and a few cost nothing.
    this.#unread.reverse();
    this.readSome();
    for (const { path, record } of newestOfEach(own)) {
      this.#count(path, record);
      this.fresh.push({ source: `run ${record.run}`, lessons: record.lessons.born });
    }
  }

  /** Reads some archives of other loops; false once there are none left. */
  readSome(): boolean {
    if (this.#unread.length === 0) return false;
    const known = new Set(lines(this.#known));
    const rows: ArchiveRow[] = [];
    for (const path of this.#unread.splice(0, AT_ONCE).reverse()) {
      const archive = this.#readOne(path);
      if (archive?.type !== 'foreign') continue;
      const { stories, done, lessons } = archive;
      known.add(path);
      rows.push({ path, stories, done, lessons: lessons.length });
      this.fresh.push({ source: `archive ${path}`, lessons });
    }
    this.#rows = [...rows, ...this.#read];
    this.#known = findArchives(this.#place)
      .filter(path => known.has(path))
      .join('\n');
    return this.#unread.length > 0;
  }

  /** A corrupt one is looked at, and named, again at the next start. */
  #readOne(path: string): Archive | undefined {
    const archive = readArchive(join(this.#place.root, path));
    if (archive?.type === 'corrupt') this.problems.push(archive.failure);
    return archive;
  }

  #count(path: string, record: RunRecord): void {
    const figures = figuresOf(record);
    this.#ends = undefined;
    // A run that was archived, continued and archived again counts once.
    const earlier = this.#read.find(
      row => row.figures?.run === record.run && row.figures.startedAt === record.startedAt,
    );
    const { items, lessons } = record;
    const done = items.filter(item => item.status === 'done').length;
    this.#rows = [
      ...this.#read.filter(row => row !== earlier),
      { path, stories: items.length, done, lessons: lessons.born.length, figures, end: endIn(record) },
    ];
    if (earlier) {
      // What it added then is part of what it adds now; only counting everything again keeps the two apart.
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
    this.#items.add(items);
  }

  #allCounts(): readonly (readonly [string, Counts])[] {
    const old = lines(this.#base.counts.trimEnd()).map(
      line => [line.slice(0, line.indexOf('\t')), countsIn(line.slice(line.indexOf('\t') + 1))] as const,
    );
    return [...new Map([...old, ...this.#counts])];
  }
}
