/** What a run shows at its start: known archives, what worked, what failed before, and facts about the project. */
import { oneLine, plural } from '../util/show.ts';
import { isByPerson, type Lesson } from './lesson.ts';
import type { Memory } from './memory.ts';
import type { Counts } from './track-record.ts';

export interface MemorySummary {
  readonly archives: readonly { readonly path: string; readonly stories: number; readonly lessons: number }[];
  /** All of them, where only the newest are listed. */
  readonly archivesInAll: number;
  readonly lessons: number;
  readonly patterns: readonly {
    readonly id: string;
    readonly text: string;
    readonly record: string;
  }[];
  readonly failureModes: readonly {
    readonly id: string;
    readonly mode: string;
    readonly remedy: string;
    readonly failures: number;
  }[];
  readonly facts: readonly { readonly id: string; readonly text: string }[];
}

const ARCHIVES = 5;
const SHOWN = 3;

export function memorySummary(memory: Memory): MemorySummary {
  const ranked = rank(memory);
  const of = (kind: Lesson['kind']) => ranked.filter(({ lesson }) => lesson.kind === kind);
  return {
    archives: memory.past.newest(ARCHIVES).map(({ path, stories, lessons }) => ({ path, stories, lessons })),
    archivesInAll: memory.past.size,
    lessons: memory.lessons.size,
    patterns: of('pattern')
      .filter(({ counts }) => !isBad(counts))
      .slice(0, SHOWN)
      .map(({ lesson: { id, text }, counts }) => ({ id, text, record: recordWords(counts) })),
    failureModes: of('gotcha')
      .map(({ lesson }) => ({ ...modeOf(lesson), failures: lesson.failure ? memory.timesSeen(lesson.failure) : 0 }))
      .toSorted((a, b) => b.failures - a.failures)
      .slice(0, SHOWN),
    facts: of('fact')
      .slice(0, SHOWN)
      .map(({ lesson: { id, text } }) => ({ id, text })),
  };
}

/** Lines for a terminal; none where nothing is remembered. */
export function showMemorySummary(summary: MemorySummary): readonly string[] {
  const { archives, archivesInAll, lessons, patterns, failureModes, facts } = summary;
  if (archivesInAll === 0 && lessons === 0) return [];
  const more = archivesInAll > archives.length ? `, the newest ${archives.length}` : '';
  const part = (title: string, entries: readonly string[]) =>
    entries.length === 0 ? [] : [title, ...entries.map(entry => `  - ${entry}`)];
  return [
    `memory: ${plural(lessons, 'lesson')}, ${plural(archivesInAll, 'archived run')}`,
    ...part(
      `archives${more}`,
      archives.map(
        ({ path, stories, lessons: born }) => `${path}: ${storyWords(stories)}, ${plural(born, 'learning')}`,
      ),
    ),
    ...part(
      'successful patterns',
      patterns.map(({ text, record }) => `${oneLine(text, 120)}${record ? ` (${record})` : ''}`),
    ),
    ...part(
      'common failure modes',
      failureModes.map(
        ({ mode, remedy, failures }) =>
          `${oneLine(mode, 100)}${failures > 0 ? ` (${plural(failures, 'failure')})` : ''}${remedy ? ` -> ${oneLine(remedy, 100)}` : ''}`,
      ),
    ),
    ...part(
      'project facts',
      facts.map(({ text }) => oneLine(text, 120)),
    ),
  ];
}

const storyWords = (count: number): string => (count === 1 ? '1 story' : `${count} stories`);

/** A pattern whose uses failed as often as not is not a successful one, whatever it calls itself. */
const isBad = ({ used, failed, won, lost }: Counts): boolean =>
  used > 0 ? 2 * failed >= used : lost > 0 && lost >= won;

/** "Used" only where an agent cited it; being shown is not being used. */
function recordWords({ used, failed, won, lost }: Counts): string {
  if (used > 0) return `used ${plural(used, 'time')}, ${plural(failed, 'failure')}`;
  return won + lost > 0 ? `shown ${plural(won + lost, 'time')}, ${won} accepted` : '';
}

/** `failure mode -> remedy`, where the lesson is written so. */
function modeOf({ id, text }: Lesson): { readonly id: string; readonly mode: string; readonly remedy: string } {
  const arrow = /\s*(?:->|=>|→)\s*/.exec(text);
  return arrow
    ? { id, mode: text.slice(0, arrow.index), remedy: text.slice(arrow.index + arrow[0].length) }
    : { id, mode: text, remedy: '' };
}

interface Ranked {
  readonly lesson: Lesson;
  readonly counts: Counts;
}

const LOOKED_AT = 100;

/** The best known ones: those with a record, and the newest of the others. Not all of ten thousand are decoded for this. */
function rank(memory: Memory): readonly Ranked[] {
  const { lessons, past } = memory;
  const recorded = past.best.map(id => lessons.numberOf(id));
  const newest = Array.from({ length: Math.min(lessons.size, LOOKED_AT) }, (_, n) => lessons.size - 1 - n);
  return [...new Set([...recorded, ...newest])]
    .flatMap(n => lessons.at(n) ?? [])
    .filter(lesson => lesson.retired === undefined)
    .map(lesson => ({ lesson, counts: memory.countsOf(lesson.id) }))
    .toSorted((a, b) => weight(b) - weight(a));
}

const weight = ({ lesson, counts }: Ranked): number => Number(isByPerson(lesson)) + 2 * counts.used - 2 * counts.lost;
