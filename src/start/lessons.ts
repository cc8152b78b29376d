/** `lessons()`: what was learned in a repository, with its track record. */
import { type Counts, isByPerson, type Lesson, type Memory, searchLessons, standing } from '../memory/index.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { memoryOf } from './memory.ts';
import { openProject } from './project.ts';

export interface LessonsOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Only those that match, best first. */
  readonly words?: string;
}

export type CountedLesson = Lesson & Counts;

/** Every lesson, best first, or those that match. Writes nothing. */
export async function lessons({
  cwd = process.cwd(),
  env = process.env,
  words,
}: LessonsOptions = {}): Promise<Result<readonly CountedLesson[]>> {
  const project = await openProject({ cwd, env });
  if (!project.ok) return fail(project.error.failure);
  const memory = memoryOf(project.value);
  const found = words === undefined ? rankedLessons(memory) : searchLessons(memory, words);
  return ok(found.map(lesson => withCounts(memory, lesson)));
}

export function rankedLessons(memory: Memory): readonly Lesson[] {
  const rank = (lesson: Lesson) =>
    (lesson.retired === undefined ? 2 : 0) + (isByPerson(lesson) ? 1 : standing(memory.countsOf(lesson.id)));
  return [...memory.lessons.all()].toSorted((a, b) => rank(b) - rank(a));
}

export const withCounts = (memory: Memory, lesson: Lesson): CountedLesson => ({
  ...lesson,
  ...memory.countsOf(lesson.id),
});
