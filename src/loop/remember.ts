/** How a run uses what the repository remembers: it takes lessons in, shows them, counts them, and leaves an archive. */
import { join } from 'node:path';
import { readLessons } from '../agents/index.ts';
import type { Durable, StopReason } from '../events.ts';
import type { Request } from '../journal/control.ts';
import { readRecords } from '../journal/read-run.ts';
import { journalBytes, listRunFiles } from '../journal/runs.ts';
import { archiveRun, finishArchives, isNews, keepPlan } from '../memory/archive.ts';
import { addByHand, promoteByHand, retireByHand } from '../memory/by-hand.ts';
import { efficiency, figuresOf, showEfficiency } from '../memory/figures.ts';
import { footprintIn } from '../memory/footprint.ts';
import { kindNamed, type SaidLesson } from '../memory/lesson.ts';
import { dayOf, describeNews, type Memory, type MemoryNews } from '../memory/memory.ts';
import { memorySummary, showMemorySummary } from '../memory/memory-summary.ts';
import type { ArchivedEnd } from '../memory/past-index.ts';
import type { RunRecord } from '../memory/run-record.ts';
import { type Watch, watchRun } from '../memory/watch.ts';
import type { Session } from './session.ts';

/** What a session does with its memory; absent where nothing is to be remembered. */
export interface Remembering {
  readonly memory: Memory;
  readonly watch: Watch;
  /** How far an archive tells this run already: it was over once, and goes on. */
  readonly archived?: ArchivedEnd;
  /** Whether the runs before this one have been looked at for what a crash left undone. */
  othersFinished: boolean;
}

/** A run that ended like this has nothing left to do by itself; every other end is one that `ralph run` goes on from. */
export const isOver = (reason: StopReason | undefined): boolean => reason === 'complete' || reason === 'blocked';

/** A memory never ends a run: what it cannot read or write is said and left. */
function safely(session: Session, act: () => void): void {
  try {
    act();
  } catch (error) {
    session.notice('warn', `the memory could not be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** At the start: lessons that are new, and a short summary. */
export function startRemembering(session: Session, memory: Memory): void {
  const { folder } = session.options;
  const { run, startedAt } = session.state;
  safely(session, () => {
    const archived = memory.past.endOf(run);
    if (archived) memory.past.takeOut({ run, startedAt });
    const watch = watchRun({ memory, footprint: footprintIn(join(folder.runs, run)) });
    // A run that is continued has counted before: its own journal tells memory where it was.
    for (const record of readRecords(folder, run) ?? []) watch(record, record.at);
    session.remembering = { memory, watch, othersFinished: false, ...(archived ? { archived } : {}) };
    tellNews(session, memory.takeIn(dayOf(session.clock.now())));
    for (const problem of memory.problems) session.notice('warn', problem.message);
    for (const line of showMemorySummary(memorySummary(memory))) session.notice('info', line);
    const { path, bytes } = session.plan;
    keepPlan({ runFolder: join(folder.runs, run), when: 'before', path, bytes });
  });
}

/**
 * Archives that a crash or a replaced plan left undone. Once a start, while its first agent works: no agent has to wait
 * until all runs there ever were have been looked at.
 */
export function finishOthers(session: Session): void {
  const { remembering, options, state } = session;
  if (!remembering || remembering.othersFinished) return;
  remembering.othersFinished = true;
  const { folder } = options;
  safely(session, () => {
    const finished = finishArchives({
      memory: remembering.memory,
      runs: listRunFiles(folder)
        .filter(({ run }) => run !== state.run)
        .toReversed(),
      read: run => readRecords(folder, run),
      runsFolder: folder.runs,
      progress: folder.progress,
    });
    for (const archived of finished) if (!archived.ok) session.notice('warn', archived.error.message);
  });
}

/** Lets memory see what happened; never before it is in the journal. */
export function remember(session: Session, event: Durable, at: number): void {
  const { remembering } = session;
  if (remembering) safely(session, () => tellNews(session, remembering.watch(event, at)));
}

/** What the agent hands on for later, and which lessons it says it used. */
export function takeLessons(
  session: Session,
  key: { readonly iteration: number; readonly item: string },
  { message, written }: { readonly message: string; readonly written: readonly SaidLesson[] },
): void {
  if (!session.remembering) return;
  const { lessons: spoken, used } = readLessons(message);
  const lessons = [...spoken, ...written];
  if (lessons.length + used.length > 0) session.record({ type: 'lessons.said', ...key, lessons, used });
}

/** What a person asked for while the run was live: the lessons file is the runner's then. */
export function changeLessons(session: Session, request: Extract<Request, { type: 'lesson' }>): void {
  const { memory } = session.remembering ?? {};
  if (!memory) return;
  const day = dayOf(session.clock.now());
  safely(session, () => {
    if (request.act === 'add') {
      addByHand(memory, { kind: kindNamed(request.kind) ?? 'fact', text: request.text, day });
      return;
    }
    const lesson = memory.lessons.get(request.id);
    if (!lesson) session.notice('warn', `there is no lesson ${request.id} any more`);
    else if (request.act === 'retire') retireByHand(memory, { lesson, day });
    else promoteByHand(memory, { lesson, day });
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
  finishOthers(session);
  safely(session, () => {
    const { path, bytes, plan } = session.plan;
    keepPlan({ runFolder, when: 'after', path, bytes });
    const records = isOver(finished?.reason) ? (readRecords(folder, run) ?? []) : [];
    if (isNews(records, before)) {
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
  for (const line of showEfficiency(efficiency(figuresOf(record), before))) session.notice('info', line);
}

function tellNews(session: Session, news: readonly MemoryNews[]): void {
  for (const each of news) if (each.type !== 'merged') session.notice('info', describeNews(each));
}
