/** What later runs get from earlier ones: progress, lessons, archives. */

export { answerFor, parseAnswers } from './answers.ts';
export { archivedFiles, archiveRun, finishArchives, isNews, keepPlan, planBefore } from './archive.ts';
export { type Archive, archiveNames, readArchive } from './archive-read.ts';
export { conflictsIn } from './conflicts.ts';
export { efficiency, efficiencyLine, figuresOf, type RunFigures, showEfficiency } from './figures.ts';
export { footprintIn } from './footprint.ts';
export { type Watch, watchRun } from './learn-from-run.ts';
export { isByPerson, isPlaceholder, kindNamed, type Lesson, type SaidLesson } from './lesson.ts';
export { addedLessons } from './lessons-file.ts';
export { addByHand, promoteByHand, retireByHand } from './manual-lessons.ts';
export { describeNews, Memory, type MemoryNews } from './memory.ts';
export { memorySummary, showMemorySummary } from './memory-summary.ts';
export type { ArchivedEnd, ArchiveRow } from './past-index.ts';
export { deadLinks } from './pin.ts';
export { answersFile, lessonsFile, lessonsWritten, sumOf } from './place.ts';
export { appendProgress, progressOn, recentProgress } from './progress.ts';
export { promoted, unifiedDiff } from './promote.ts';
export { type Recalled, searchLessons } from './recall.ts';
export { type RunRecord, runRecord } from './run-record.ts';
export { type Counts, standing, wilson } from './track-record.ts';
