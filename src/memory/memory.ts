/**
 * What a repository remembers: its lessons, what became of them, and what the archives add up to. A run opens one, lets
 * it see every event, asks it before each brief, and closes it at the end.
 */
import { readText } from '../util/files.ts';
import type { Failure } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { against } from './conflicts.ts';
import {
  bornAt,
  isByPerson,
  type Lesson,
  lessonId,
  lessonText,
  type SaidLesson,
  saysSomething,
  saysTheSame,
  withSource,
} from './lesson.ts';
import { LessonStore } from './lesson-store.ts';
import { readLearnings, readNotes } from './notes.ts';
import { type FreshLessons, Past } from './past.ts';
import { type PinEntry, parsePin } from './pin.ts';
import { type MemoryPlace, notesFiles, pinFile, stampOf } from './place.ts';
import { CommonWords, queryOf } from './query.ts';
import { type Recalled, type RecallRequest, recall } from './recall.ts';
import { addCounts, type Counts, type Decided, noCounts, standing, whyRetired } from './track-record.ts';
import { termsOf } from './words.ts';

/** Something the memory did that a person may want to hear of. */
export type MemoryNews =
  | { readonly type: 'born'; readonly lesson: Lesson }
  | { readonly type: 'merged'; readonly lesson: Lesson; readonly said: string }
  | { readonly type: 'retired'; readonly lesson: Lesson; readonly why: string };

interface Retired {
  readonly lesson: Lesson;
  readonly why: string;
}

const NEAR = 12;

export class Memory {
  readonly place: MemoryPlace;
  readonly lessons: LessonStore;
  readonly past: Past;
  readonly pin: readonly PinEntry[];
  /** What this run adds to the counts of the archives. */
  readonly #counts = new Map<string, Counts>();
  readonly #failures = new Map<string, number>();
  /** By item: lessons that its last attempt failed with. */
  readonly #suspects = new Map<string, ReadonlySet<string>>();
  readonly #common = new CommonWords();
  #decided: Decided = { won: 0, lost: 0 };
  #likely: { readonly of: number; readonly paths: Map<string, readonly string[]> } = { of: 0, paths: new Map() };

  constructor(place: MemoryPlace) {
    this.place = place;
    this.lessons = new LessonStore(place);
    this.past = new Past(place);
    this.pin = parsePin(readText(pinFile(place)) ?? '');
  }

  /** Files that could not be read and were left alone. */
  get problems(): readonly Failure[] {
    return [...(this.lessons.problem ? [this.lessons.problem] : []), ...this.past.problems];
  }

  recall(request: RecallRequest): readonly Recalled[] {
    const { lessons, past, pin } = this;
    lessons.refresh();
    // Most repositories begin so, and their first agent waits for this.
    if (lessons.size === 0 && pin.length === 0) return [];
    const suspects = this.#suspects.get(request.item.id ?? '') ?? new Set();
    const common = this.#common.in(request.plan ?? []);
    return recall({ lessons, past, pin, suspects, common, counts: id => this.countsOf(id) }, request);
  }

  /** Files that items like this one changed in earlier runs, the likeliest first. */
  likelyPaths(item: RecallRequest['item'], plan: RecallRequest['plan']): readonly string[] {
    const { itemCount } = this.past;
    if (itemCount === 0) return [];
    // Asked for every open item each time that a worker is free; archives are read meanwhile.
    if (this.#likely.of !== itemCount) this.#likely = { of: itemCount, paths: new Map() };
    const key = `${item.id}\n${item.title}`;
    const known = this.#likely.paths.get(key) ?? this.past.likelyPaths(queryOf(item, this.#common.in(plan ?? [])));
    this.#likely.paths.set(key, known);
    return known;
  }

  countsOf(id: string): Counts {
    return addCounts(this.past.countsOf(id), this.#counts.get(id) ?? noCounts);
  }

  /** How often a failure was seen, in archives and in this run. */
  timesSeen(failure: string): number {
    return (this.past.failures.get(failure) ?? 0) + (this.#failures.get(failure) ?? 0);
  }

  /** Adds an iteration of this run to the counts, and retires the lessons that it shows to be losers. */
  count(iteration: {
    readonly item?: string;
    readonly decided: Decided;
    readonly lessons: ReadonlyMap<string, Counts>;
    readonly failure?: string;
    readonly day: string;
  }): readonly MemoryNews[] {
    const { item, decided, lessons, failure, day } = iteration;
    this.#decided = { won: this.#decided.won + decided.won, lost: this.#decided.lost + decided.lost };
    if (failure) this.#failures.set(failure, (this.#failures.get(failure) ?? 0) + 1);
    for (const [id, counts] of lessons) this.#counts.set(id, addCounts(this.#counts.get(id) ?? noCounts, counts));
    const lost = [...lessons].filter(([, counts]) => counts.lost > 0).map(([id]) => id);
    if (item !== undefined && lost.length > 0) this.#suspects.set(item, new Set(lost));
    else if (item !== undefined) this.#suspects.delete(item);
    const helped = [...lessons].filter(([, { used, failed }]) => used > failed).map(([id]) => id);
    const retired = [...lost.flatMap(id => this.#loser(id)), ...helped.flatMap(id => this.#refutedBy(id))];
    const news = retired.map(
      ({ lesson, why }): MemoryNews => ({ type: 'retired', lesson: { ...lesson, retired: `${day}, ${why}` }, why }),
    );
    this.lessons.update({ change: news.map(({ lesson }) => lesson) });
    return news;
  }

  #loser(id: string): readonly Retired[] {
    const lesson = this.lessons.get(id);
    if (!lesson || lesson.retired !== undefined || isByPerson(lesson)) return [];
    const { won, lost } = this.past.decided;
    const why = whyRetired(this.countsOf(id), { won: won + this.#decided.won, lost: lost + this.#decided.lost });
    return why === undefined ? [] : [{ lesson, why }];
  }

  /** Lessons that failed, and say the opposite of one that was just used with success. */
  #refutedBy(id: string): readonly Retired[] {
    const lesson = this.lessons.get(id);
    if (!lesson) return [];
    return against(this.lessons, lesson.text)
      .filter(other => this.countsOf(other.lesson.id).lost > 0 && !isByPerson(other.lesson))
      .filter(other => standing(this.countsOf(other.lesson.id)) < standing(this.countsOf(id)))
      .map(other => ({ lesson: other.lesson, why: `it failed, and ${id}, which says the opposite, helped` }));
  }

  /** Takes lessons in: new ones are added, what is known already gets one more source. */
  learn(said: readonly (SaidLesson & { readonly failure?: string })[], source: string): readonly MemoryNews[] {
    return said.flatMap(lesson => this.#learnOne(lesson, source) ?? []);
  }

  /** Lessons in archives and notes that were not read before. Called once, when a run starts and holds the lock. */
  takeIn(day: string): readonly MemoryNews[] {
    const notes = notesFiles(this.place).flatMap(file => {
      const stamp = stampOf(file);
      const name = file.slice(this.place.root.length + 1);
      if (stamp === '' || this.past.notes.get(name) === stamp) return [];
      this.past.notes.set(name, stamp);
      const read = /learnings/i.test(name) ? readLearnings : readNotes;
      return [{ source: `notes ${day}, ${name}`, lessons: read(readText(file) ?? '') }];
    });
    const news = this.#takeFresh(notes);
    this.lessons.flush();
    return news;
  }

  /** Reads some more archives of other loops; what they say is known at once, and written with the next `flush`. */
  readSome(): { readonly news: readonly MemoryNews[]; readonly more: boolean } {
    const more = this.past.readSome();
    return { news: this.#takeFresh(), more };
  }

  /** All at once: among thousands the same words in two archives are one lesson, without a search for each. */
  #takeFresh(notes: readonly FreshLessons[] = []): readonly MemoryNews[] {
    const fresh = [...this.past.fresh, ...notes];
    this.past.fresh = [];
    const news: MemoryNews[] = [];
    this.lessons.batch(() => {
      for (const { source, lessons } of fresh) news.push(...this.learn(lessons, source));
    });
    return news;
  }

  /** Leaves the indexes for the next start; one that cannot be written is made again then. */
  close(): void {
    try {
      this.lessons.save();
      this.past.save();
    } catch {
      // Derived, and the reason has been or will be told by what is not.
    }
  }

  #learnOne(
    { kind, text: raw, failure }: SaidLesson & { readonly failure?: string },
    source: string,
  ): MemoryNews | undefined {
    const text = lessonText(raw);
    if (text === '' || this.lessons.problem || !saysSomething(text)) return undefined;
    const known = this.sameAs(text, failure);
    if (known) {
      const from = withSource(known.from, source);
      if (from === known.from) return undefined;
      const lesson = { ...known, from };
      this.lessons.update({ change: [lesson] });
      return { type: 'merged', lesson, said: text };
    }
    const id = this.freeId(text);
    const isByHand = source.startsWith('person');
    if (this.past.taken.has(id) && !isByHand) return undefined;
    this.past.taken.add(id);
    const lesson: Lesson = { id, kind, text, from: [source], ...(failure === undefined ? {} : { failure }) };
    this.lessons.update({ add: [lesson] });
    return { type: 'born', lesson };
  }

  /** The oldest lesson that says the same, or is the remedy of the same failure. */
  sameAs(text: string, failure?: string): Lesson | undefined {
    const own = this.lessons.get(lessonId(text));
    if (own && saysTheSame(own.text, text)) return own;
    const query = new Map(termsOf(text).map(term => [term, 1] as const));
    const same = this.lessons
      .search(query)
      .slice(0, NEAR)
      .flatMap(({ document }) => this.lessons.at(document) ?? [])
      .filter(lesson => saysTheSame(lesson.text, text) || (failure !== undefined && lesson.failure === failure));
    return same.toSorted((a, b) => bornAt(a) - bornAt(b))[0];
  }

  freeId(text: string): string {
    const id = lessonId(text);
    return this.lessons.get(id) ? lessonId(text, 10) : id;
  }
}

/** One line for people. */
export function describeNews(news: MemoryNews): string {
  const { id, kind, text } = news.lesson;
  switch (news.type) {
    case 'born':
      return `new lesson ${id} (${kind}): ${oneLine(text, 160)}`;
    case 'merged':
      return `lesson ${id} was said again: ${oneLine(text, 160)}`;
    case 'retired':
      return `lesson ${id} is retired, ${news.why}: ${oneLine(text, 160)}`;
  }
}
