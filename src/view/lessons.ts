/** The lessons view: what was learned, and does it help? */
import { isByPerson, searchLessons, wilson } from '../memory/index.ts';
import { memoryOf, type Project, rankedLessons, withCounts } from '../start/index.ts';
import { plural } from '../util/show.ts';
import { errorView } from './run-row.ts';
import type { LessonsView, LessonView } from './types/repository.ts';

/** Best first. */
export function lessonsView(project: Project): LessonsView {
  const memory = memoryOf(project);
  const lessons = rankedLessons(memory).map(lesson => viewOf(withCounts(memory, lesson)));
  const retired = lessons.filter(lesson => lesson.retired !== null).length;
  const shown = lessons.filter(lesson => lesson.shown > 0 && lesson.retired === null).length;
  return {
    sentence:
      lessons.length === 0
        ? 'No lesson yet: agents hand them on in their last message, and repeated failures make some.'
        : `${plural(lessons.length - retired, 'lesson')} in use, ${shown} of them shown so far, ${retired} retired.`,
    lessons,
    problems: memory.problems.map(problem => errorView(problem)),
  };
}

export function foundLessons(project: Project, words: string): readonly LessonView[] {
  const memory = memoryOf(project);
  return searchLessons(memory, words).map(lesson => viewOf(withCounts(memory, lesson)));
}

function viewOf(lesson: ReturnType<typeof withCounts>): LessonView {
  const { id, kind, text, from, shown, used, won, lost } = lesson;
  return {
    id,
    kind,
    text,
    from,
    byPerson: isByPerson(lesson),
    failure: lesson.failure ?? null,
    retired: lesson.retired ?? null,
    promoted: lesson.promoted ?? null,
    shown,
    used,
    won,
    lost,
    holds: won + lost === 0 ? 0 : wilson({ won, lost }).lower,
  };
}
