/**
 * The lessons of a repository: read from the file or, where that has not changed, from the index kept beside it. Ten
 * thousand of them cost a start-up little, because only those that are asked for are ever decoded.
 */
import { inTurn } from '../util/file-turn.ts';
import { readBytes, writeOwn, writeOwnSoon } from '../util/files.ts';
import { errorText, type Failure, ok } from '../util/result.ts';
import { decode, encode } from '../util/text.ts';
import { indexIn, readIndexFile, textsOf, writeIndexFile } from './index-file.ts';
import type { Lesson } from './lesson.ts';
import { conflictLine, parseLessons, withFields, withLessons } from './lessons-file.ts';
import { lessonsFile, lessonsIndex, lessonsWritten, type MemoryPlace, stampOf, sumOf } from './place.ts';
import { Rows, rowsText, sortedLines } from './rows.ts';
import {
  buildIndex,
  emptyIndex,
  type Hit,
  lineOf,
  type Query,
  rarity,
  type SearchOptions,
  search,
  type TextIndex,
} from './text-index.ts';
import { termsOf } from './words.ts';

const VERSION = 5;
/** New lessons are searched in an index of their own until there are this many, or a quarter of the old ones. */
const OVERLAY = 64;

interface Cache {
  /** Of the lessons file it was made from. */
  readonly stamp: string;
  /** Lessons as JSON. */
  readonly rows: Rows;
  /** A line per lesson, sorted: its id, a tab, and its number. */
  readonly ids: string;
  readonly index: TextIndex;
  /** Over the lessons that came after those. */
  readonly overlay: TextIndex;
}

export class LessonStore {
  /** Why the file is left alone, when it is. */
  problem: Failure | undefined;
  readonly #place: MemoryPlace;
  readonly #lessons: (Lesson | undefined)[] = [];
  readonly #rows: Rows;
  readonly #ids: string;
  /** Numbers of those that were added since. */
  readonly #added = new Map<string, number>();
  #stamp: string;
  /** Of the file as it was last read again. */
  #seen = '';
  #index: TextIndex;
  #overlay: TextIndex;
  #saved: boolean;
  #inBatch = false;
  /** By id: what the file does not say yet, and which of those it does not know at all. */
  readonly #unwritten = new Map<string, Lesson>();
  readonly #unknown = new Set<string>();

  constructor(place: MemoryPlace) {
    this.#place = place;
    const cache = readCache(place);
    const read = cache ? undefined : readFile(place);
    this.problem = read?.problem;
    this.#stamp = cache?.stamp ?? read?.stamp ?? '';
    this.#rows = cache?.rows ?? new Rows(rowsText((read?.lessons ?? []).map(rowOf)));
    this.#ids = cache?.ids ?? idLines(read?.lessons ?? []);
    this.#index = cache?.index ?? buildIndex((read?.lessons ?? []).map(documentOf));
    this.#saved = cache !== undefined;
    this.#overlay = cache?.overlay ?? emptyIndex;
  }

  get size(): number {
    return this.#rows.size;
  }

  at(n: number): Lesson | undefined {
    const row = this.#rows.at(n);
    if (row === undefined) return undefined;
    return (this.#lessons[n] ??= JSON.parse(row) as Lesson);
  }

  get(id: string): Lesson | undefined {
    return this.at(this.numberOf(id));
  }

  numberOf(id: string): number {
    const line = lineOf(this.#ids, id);
    return this.#added.get(id) ?? (line === '' ? -1 : Number(line));
  }

  *all(): Generator<Lesson> {
    for (let n = 0; n < this.#rows.size; n++) {
      const lesson = this.at(n);
      if (lesson) yield lesson;
    }
  }

  /** Those whose row holds these words, found without decoding the others. */
  mentioning(words: string): readonly Lesson[] {
    return this.#rows.all().flatMap((row, n) => (row.includes(words) ? (this.at(n) ?? []) : []));
  }

  search(query: Query, options: SearchOptions = {}): readonly Hit[] {
    if (!this.#inBatch) this.#cover();
    return search([this.#index, this.#overlay], query, options);
  }

  /** What a word that only one of the lessons holds adds to its score. */
  get rarest(): number {
    return rarity(this.size, 1);
  }

  /** Adds and changes in one write. A person may have edited the file meanwhile: only our own lines in it change. */
  update({ add = [], change = [] }: { readonly add?: readonly Lesson[]; readonly change?: readonly Lesson[] }): void {
    if (this.problem || add.length + change.length === 0) return;
    for (const lesson of add) this.#put(this.#rows.size, lesson);
    for (const lesson of change) this.#put(this.numberOf(lesson.id), lesson);
    for (const lesson of [...add, ...change]) this.#unwritten.set(lesson.id, lesson);
    for (const { id } of add) this.#unknown.add(id);
    this.#saved = false;
    if (!this.#inBatch) this.flush();
  }

  /** Many updates: the file stays as it is until `flush`, and what is new is not found by search until the batch is over. */
  batch(act: () => void): void {
    this.#inBatch = true;
    try {
      act();
    } finally {
      this.#inBatch = false;
    }
  }

  /** Writes what is not written yet. */
  flush(): void {
    if (this.problem || this.#unwritten.size === 0) return;
    const lessons = [...this.#unwritten.values()];
    const add = lessons.filter(({ id }) => this.#unknown.has(id));
    const change = lessons.filter(({ id }) => !this.#unknown.has(id));
    this.#unwritten.clear();
    this.#unknown.clear();
    try {
      this.#write({ add, change });
    } catch (error) {
      // A full disk must not end a run: what was learned is in its journal.
      const message = `the lessons could not be written: ${errorText(error)}`;
      this.problem = { reason: 'lessons-not-written', message, file: lessonsFile(this.#place) };
    }
  }

  #write(lessons: { readonly add: readonly Lesson[]; readonly change: readonly Lesson[] }): void {
    const file = lessonsFile(this.#place);
    inTurn(file, () => this.#writeAlone(file, lessons));
  }

  #writeAlone(
    file: string,
    { add, change }: { readonly add: readonly Lesson[]; readonly change: readonly Lesson[] },
  ): void {
    const unchanged = stampOf(file) === this.#stamp;
    const bytes = readBytes(file);
    const read = bytes ? decode(bytes, file) : ok({ text: '', encoding: 'utf8' as const });
    // Broken since the start: what was learned stays in memory, and in the journal for the next start.
    if (!read.ok || conflictLine(read.value.text) !== undefined) return;
    // A run beside this one may have learned the same since: then it has one more source, not a second section.
    const known = unchanged ? [] : parseLessons(read.value.text);
    const twice = add.flatMap(lesson => {
      const other = known.find(({ id }) => id === lesson.id);
      return other ? [{ ...other, from: [...new Set([...other.from, ...lesson.from])] }] : [];
    });
    const fresh = add.filter(({ id }) => !twice.some(other => other.id === id));
    const text = withLessons([...change, ...twice].reduce(withFields, read.value.text), fresh);
    const bytesNow = Buffer.from(encode({ ...read.value, text }));
    writeOwn(file, bytesNow);
    writeOwnSoon(lessonsWritten(this.#place), sumOf(bytesNow));
    // A stamp that fits no file makes the next start read everything again, with what the person wrote.
    this.#stamp = unchanged ? stampOf(file) : '';
  }

  /** What a run beside this one, or a person, has written since it was read. */
  refresh(): void {
    const file = lessonsFile(this.#place);
    const stamp = stampOf(file);
    if (this.problem || this.#inBatch || this.#unwritten.size > 0 || stamp === this.#stamp || stamp === this.#seen)
      return;
    this.#seen = stamp;
    for (const lesson of readFile(this.#place).lessons) {
      const n = this.numberOf(lesson.id);
      if (n < 0) this.#put(this.#rows.size, lesson);
      else if (JSON.stringify(this.at(n)) !== rowOf(lesson)) this.#put(n, lesson);
    }
  }

  /** Leaves the index for the next start. */
  save(): void {
    if (this.#saved || this.problem) return;
    this.flush();
    this.#cover();
    const { text, starts } = this.#rows.written();
    const indexes = { ...textsOf('index', this.#index), ...textsOf('overlay', this.#overlay) };
    writeIndexFile(lessonsIndex(this.#place), {
      head: { version: VERSION, stamp: this.#stamp },
      texts: { rows: text, starts, ids: idLines([...this.all()]), ...indexes },
    });
    this.#saved = true;
  }

  #put(n: number, lesson: Lesson): void {
    if (n < 0) return;
    this.#rows.put(n, rowOf(lesson));
    this.#lessons[n] = lesson;
    this.#added.set(lesson.id, n);
  }

  /** Brings those into the search that were added since. */
  #cover(): void {
    const { count } = this.#index;
    if (count + this.#overlay.count === this.#rows.size) return;
    const from = this.#rows.size - count > Math.max(OVERLAY, count / 4) ? 0 : count;
    const rest = Array.from({ length: this.#rows.size - from }, (_, n) => this.at(from + n));
    const index = buildIndex(rest.map(lesson => (lesson ? documentOf(lesson) : [])));
    if (from === 0) [this.#index, this.#overlay] = [index, emptyIndex];
    else this.#overlay = index;
  }
}

const rowOf = (lesson: Lesson): string => JSON.stringify(lesson);
const idLines = (lessons: readonly Lesson[]): string => sortedLines(lessons.map(({ id }, n) => [id, String(n)]));

/** A sentence begins with what it is about: so many words of it count five times instead of twice. */
const OPENING = 2;

/** Its own words twice, and once those of the items it comes from: what it was learned on is what it is about. */
function documentOf({ text, from }: Lesson): readonly string[] {
  const own = termsOf(text);
  const about = from
    .flatMap(source => termsOf(source.slice(source.indexOf(',') + 1)))
    .filter(term => !/^\d+$/.test(term));
  const opening = own.slice(0, OPENING);
  return [...own, ...own, ...opening, ...opening, ...opening, ...about];
}

function readCache(place: MemoryPlace): Cache | undefined {
  const file = readIndexFile(lessonsIndex(place));
  const { version, stamp } = (file?.head ?? {}) as { version?: number; stamp?: string };
  if (version !== VERSION || stamp === undefined || stamp !== stampOf(lessonsFile(place))) return undefined;
  if (!file) return undefined;
  const rows = new Rows({ text: file.bytes('rows'), starts: file.text('starts') });
  const [index, overlay] = [indexIn(file, 'index'), indexIn(file, 'overlay')];
  const cache = { stamp, rows, ids: file.text('ids'), index, overlay };
  return cache.rows.size === index.count + overlay.count ? cache : undefined;
}

interface ReadFile {
  readonly lessons: readonly Lesson[];
  readonly stamp: string;
  readonly problem?: Failure;
}

function readFile(place: MemoryPlace): ReadFile {
  const file = lessonsFile(place);
  const stamp = stampOf(file);
  const bytes = readBytes(file);
  if (!bytes) return { lessons: [], stamp };
  const text = decode(bytes, file);
  if (!text.ok) return { lessons: [], stamp, problem: text.error };
  const line = conflictLine(text.value.text);
  if (line === undefined) return { lessons: parseLessons(text.value.text), stamp };
  const problem: Failure = {
    reason: 'lessons-conflict',
    message: 'the lessons file has merge-conflict markers in it',
    file,
    line,
    column: 1,
    hint: 'Resolve the conflict; until then runs continue without lessons.',
  };
  return { lessons: [], stamp, problem };
}
