/** How a run uses what the repository remembers: it takes lessons in, shows them, counts them, and leaves an archive. */
import { join } from 'node:path';
import { readLessons } from '../agents/index.ts';
import type { StopReason } from '../events.ts';
import { journalBytes, listRunFiles, type Request, recordsOf } from '../journal/index.ts';
import {
  addByHand,
  archiveRun,
  dayOf,
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
import { plural } from '../util/show.ts';
import { type Remembering, recordNews, safely, tellNews } from './remembering.ts';
import { runsBeside } from './runs-beside.ts';
import type { Session } from './session.ts';

/** Between two goes of reading: the agent that is starting meanwhile comes first. */
const REST_MS = 10;
/** As many new lessons are told one by one. */
const FEW = 3;

/** A run that ended like this has nothing left to do by itself; every other end is one that `ralph run` goes on from. */
export const isOver = (reason: StopReason | undefined): boolean => reason === 'complete' || reason === 'blocked';

/** At the start: lessons that are new, and a short summary. */
export function startRemembering(session: Session, memory: Memory): void {
  const { folder } = session.options;
  const { run, startedAt } = session.state;
  safely(session, () => {
    const archived = memory.past.endOf(run);
    if (archived) memory.past.takeOut({ run, startedAt });
    const watch = watchRun({ memory, footprint: footprintIn(join(folder.runs, run)) });
    // A run that is continued has counted before: its own journal tells memory where it was.
    const missed: MemoryNews[] = [];
    for (const record of recordsOf(folder, run) ?? []) missed.push(...watch(record, record.at));
    session.remembering = {
      memory,
      watch,
      taken: 0,
      isReading: false,
      ...(archived ? { archived } : {}),
    };
    // A crash came before it was written down.
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
 * Archives that a crash or a replaced plan left undone. At the end: no agent has to wait until all runs there ever were have been
 * looked at, and what is written while one works is taken for its own.
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

/** Archives of other loops, a few at a time while agents work; the file of lessons is written between two agents. */
export function readArchivesBeside(session: Session): void {
  const { remembering } = session;
  if (remembering?.taken === undefined || remembering.isReading) return;
  remembering.isReading = true;
  const next = () => {
    if (remembering.taken !== undefined && takeSome(session, remembering)) setTimeout(next, REST_MS).unref();
  };
  setTimeout(next, REST_MS).unref();
}

/** Whether there is more to read; one line at the end says what came of it. */
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

/** What the agent hands on for later, and which lessons it says it used. */
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

/** What a person asked for while the run was live: the lessons file is the runner's then. */
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

/** Where a run that is over was archived, and what it taught. */
export interface Kept {
  readonly folder: string;
  readonly learned: readonly string[];
}

/** At the end: a run that is over is archived, once more where it was over before and went on. */
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
    // One that was stopped leaves the rest to the next start.
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

/** This run against the ones before it, where there were any. */
function compare(session: Session, memory: Memory, record: RunRecord): void {
  const before = memory.past.rows.flatMap(row => (row.figures && row.figures.run !== record.run ? [row.figures] : []));
  if (before.length === 0) return;
  const line = efficiencyLine(efficiency(figuresOf(record), before));
  if (line !== undefined) session.notice('info', `${line}; the course of all runs: ralph report`);
}

const bornIn = (news: readonly MemoryNews[]): readonly MemoryNews[] => news.filter(({ type }) => type === 'born');

const takenLine = (count: number): string =>
  `${plural(count, 'lesson')} taken in from archives and notes; to read them: ralph lessons`;

function tellTaken(session: Session, born: readonly MemoryNews[]): void {
  if (session.remembering) session.remembering.taken = undefined;
  if (born.length > FEW) session.notice('info', takenLine(born.length));
  else tellNews(session, born);
}
