/** How a run uses the repository's memory: takes lessons in, shows them, counts their use, and leaves an archive. */

import { join } from 'node:path';
import { readLessons } from '../agents/index.ts';
import type { StopReason } from '../events.ts';
import { journalBytes, listRunFiles, type Request, recordsOf } from '../journal/index.ts';
import {
  addByHand,
  archiveRun,
  efficiency,
  efficiencyLine,
  figuresOf,
  finishArchives,
  footprintIn,
  isNews,
  keepPlan,
  kindNamed,
  type Memory,
  type MemoryNews,
  memorySummary,
  promoteByHand,
  type RunRecord,
  retireByHand,
  type SaidLesson,
  showMemorySummary,
  watchRun,
} from '../memory/index.ts';
import type { Actor } from '../protocol.ts';
import { dayOf } from '../util/clock.ts';
import { plural } from '../util/show.ts';
import { type Remembering, recordNews, safely, tellNews } from './remembering.ts';
import { runsBeside } from './runs-beside.ts';
import type { Session } from './session.ts';

/** Pause between two batches of reading, so that a starting agent is not delayed. */
const REST_MS = 10;
/** Up to this many new lessons are reported one by one. */
const FEW = 3;

/** Whether a run with this end has nothing left to do; after any other end, `ralph run` resumes it. */
export const isOver = (reason: StopReason | undefined): boolean => reason === 'complete' || reason === 'blocked';

/** At the start: takes in new lessons, and shows a short summary. */
export function startRemembering(session: Session, memory: Memory): void {
  const { folder } = session.options;
  const { run, startedAt } = session.state;
  safely(session, () => {
    const archived = memory.past.endOf(run);
    if (archived) memory.past.takeOut({ run, startedAt });
    const watch = watchRun({ memory, footprint: footprintIn(join(folder.runs, run)) });
    // A resumed run was counted before, so memory replays its journal.
    const missed: MemoryNews[] = [];
    for (const record of recordsOf(folder, run) ?? []) missed.push(...watch(record, record.at));
    session.remembering = {
      memory,
      watch,
      taken: 0,
      isReading: false,
      ...(archived ? { archived } : {}),
    };
    // Lessons that a crash kept from being recorded.
    recordNews(session, 'run', missed);
    const news = bornIn(memory.takeIn(dayOf(session.clock.now())));
    recordNews(session, 'archives', news);
    if (memory.past.unread > 0) session.remembering.taken = news.length;
    else tellTaken(session, news);
    for (const problem of memory.problems) session.notice('warn', problem.message);
    for (const line of showMemorySummary(memorySummary(memory))) session.notice('info', line);
    const { path, bytes } = session.plan;
    keepPlan({ runFolder: join(folder.runs, run), when: 'before', path, bytes });
  });
}

/**
 * Finishes archives that a crash or a replaced plan left unfinished. At the end of a run, so that no agent has to wait until all past runs
 * have been read, and because files written while an agent works would look like the agent's.
 */
function finishOthers(session: Session, { memory }: Remembering): void {
  const { folder } = session.options;
  const { state } = session;
  const beside = runsBeside(folder);
  safely(session, () => {
    const finished = finishArchives({
      memory,
      runs: listRunFiles(folder)
        .filter(({ run }) => run !== state.run && !beside.includes(run))
        .toReversed(),
      read: other => recordsOf(folder, other),
      runsFolder: folder.runs,
      progress: folder.progress,
    });
    for (const archived of finished) if (!archived.ok) session.notice('warn', archived.error.message);
  });
}

/** Reads archives of other loops in small batches while agents work; the lessons file is written between two agents. */
export function readArchivesBeside(session: Session): void {
  const { remembering } = session;
  if (remembering?.taken === undefined || remembering.isReading) return;
  remembering.isReading = true;
  const next = () => {
    if (remembering.taken !== undefined && takeSome(session, remembering)) setTimeout(next, REST_MS).unref();
  };
  setTimeout(next, REST_MS).unref();
}

/** Returns whether there is more to read; a single line at the end reports the result. */
function takeSome(session: Session, remembering: Remembering): boolean {
  let more = false;
  safely(session, () => {
    const { memory } = remembering;
    const told = memory.problems.length;
    const read = memory.readSome();
    more = read.more;
    for (const problem of memory.problems.slice(told, told + 1)) session.notice('warn', problem.message);
    recordNews(session, 'archives', read.news);
    const taken = (remembering.taken ?? 0) + bornIn(read.news).length;
    remembering.taken = more ? taken : undefined;
    if (!more && taken > 0) session.notice('info', takenLine(taken));
  });
  return more;
}

/** Records the lessons that the agent wrote, and those that it says it used. */
export function takeLessons(
  session: Session,
  key: { readonly iteration: number; readonly item: string },
  { message, written }: { readonly message: string; readonly written: readonly SaidLesson[] },
): void {
  if (!session.remembering) return;
  session.remembering.memory.lessons.flush();
  const { lessons: spoken, used } = readLessons(message);
  const lessons = [...spoken, ...written];
  if (lessons.length + used.length > 0) session.record({ type: 'lessons.said', ...key, lessons, used });
}

/** Applies a person's change of the lessons during a run, when only the runner writes the lessons file. */
export function changeLessons(session: Session, request: Extract<Request, { type: 'lesson' }>, actor?: Actor): void {
  const { memory } = session.remembering ?? {};
  if (!memory) return;
  const day = dayOf(session.clock.now());
  safely(session, () => {
    if (request.act === 'add') {
      const kind = kindNamed(request.kind) ?? 'fact';
      const { lesson, known } = addByHand(memory, { kind, text: request.text, day });
      if (!known) recordNews(session, 'person', [{ type: 'born', lesson }], actor);
      return;
    }
    const lesson = memory.lessons.get(request.id);
    if (!lesson) session.notice('warn', `there is no lesson ${request.id} any more`);
    else if (request.act === 'retire') {
      retireByHand(memory, { lesson, day });
      recordNews(session, 'person', [{ type: 'retired', lesson, why: 'by a person' }], actor);
    } else promoteByHand(memory, { lesson, day });
  });
}

/** Where a finished run was archived, and the lessons learned. */
export interface Kept {
  readonly folder: string;
  readonly learned: readonly string[];
}

/** At the end: archives a run that is over; again, if it was over before and then continued. */
export function endRemembering(session: Session): Kept | undefined {
  const { remembering } = session;
  if (!remembering) return undefined;
  let kept: Kept | undefined;
  const { memory, archived: before } = remembering;
  const { folder } = session.options;
  const { run, finished } = session.state;
  const runFolder = join(folder.runs, run);
  finishOthers(session, remembering);
  safely(session, () => {
    const { path, bytes, plan } = session.plan;
    keepPlan({ runFolder, when: 'after', path, bytes });
    const over = isOver(finished?.reason);
    // A stopped run leaves the rest to the next start.
    while (over && remembering.taken !== undefined && takeSome(session, remembering)) continue;
    remembering.taken = undefined;
    const records = over ? recordsOf(folder, run) : undefined;
    if (records && isNews(records, before)) {
      const archived = archiveRun({
        memory,
        run,
        runFolder,
        records,
        items: plan.items,
        progress: folder.progress,
        journalBytes: journalBytes(folder, run),
      });
      if (!archived.ok) session.notice('warn', archived.error.message);
      else {
        const { folder: at, record } = archived.value;
        kept = { folder: at, learned: record.lessons.born.map(({ text }) => text) };
        compare(session, memory, record);
      }
    }
    memory.close();
  });
  return kept;
}

/** Compares this run with earlier ones, if there are any. */
function compare(session: Session, memory: Memory, record: RunRecord): void {
  const before = memory.past.rows.flatMap(row => (row.figures && row.figures.run !== record.run ? [row.figures] : []));
  if (before.length === 0) return;
  const line = efficiencyLine(efficiency(figuresOf(record), before));
  if (line !== undefined) session.notice('info', `${line}; how all runs compare: ralph report`);
}

const bornIn = (news: readonly MemoryNews[]): readonly MemoryNews[] => news.filter(({ type }) => type === 'born');

const takenLine = (count: number): string =>
  `${plural(count, 'lesson')} taken in from archives and notes; to read them: ralph lessons`;

function tellTaken(session: Session, born: readonly MemoryNews[]): void {
  if (session.remembering) session.remembering.taken = undefined;
  if (born.length > FEW) session.notice('info', takenLine(born.length));
  else tellNews(session, born);
}
