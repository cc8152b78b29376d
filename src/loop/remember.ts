/** How a run uses what the repository remembers: it takes lessons in, shows them, counts them, and leaves an archive. */
import { join } from 'node:path';
import { readLessons } from '../agents/index.ts';
import type { Durable, Recorded } from '../events.ts';
import { readJournal } from '../journal/journal.ts';
import { journalOf, listRuns } from '../journal/runs.ts';
import { archiveRun, finishArchives, keepPlan } from '../memory/archive.ts';
import { efficiency, figuresOf, showEfficiency } from '../memory/figures.ts';
import { footprintIn } from '../memory/footprint.ts';
import { dayOf, describeNews, type Memory, type MemoryNews } from '../memory/memory.ts';
import { memorySummary, showMemorySummary } from '../memory/memory-summary.ts';
import type { RunRecord } from '../memory/run-record.ts';
import { type Watch, watchRun } from '../memory/watch.ts';
import type { Session } from './session.ts';

/** What a session does with its memory; absent where nothing is to be remembered. */
export interface Remembering {
  readonly memory: Memory;
  readonly watch: Watch;
}

/** A memory never ends a run: what it cannot read or write is said and left. */
function safely(session: Session, act: () => void): void {
  try {
    act();
  } catch (error) {
    session.notice('warn', `the memory could not be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** At the start: archives that a crash or a replaced plan left undone, lessons that are new, and a short summary. */
export function startRemembering(session: Session, memory: Memory): void {
  const { folder } = session.options;
  const { run } = session.state;
  safely(session, () => {
    const watch = watchRun({ memory, footprint: footprintIn(join(folder.runs, run)) });
    // A run that is continued has counted before: its own journal tells memory where it was.
    for (const record of recordsOf(session, run)) watch(record, record.at);
    session.remembering = { memory, watch };
    const others = listRuns(folder)
      .filter(id => id !== run)
      .toReversed();
    const read = (id: string) => recordsOf(session, id);
    const finished = finishArchives({ memory, runs: others, read, runsFolder: folder.runs, progress: folder.progress });
    for (const archived of finished) if (!archived.ok) session.notice('warn', archived.error.message);
    tellNews(session, memory.takeIn(dayOf(session.clock.now())));
    for (const problem of memory.problems) session.notice('warn', problem.message);
    for (const line of showMemorySummary(memorySummary(memory))) session.notice('info', line);
    const { path, bytes } = session.plan;
    keepPlan({ runFolder: join(folder.runs, run), when: 'before', path, bytes });
  });
}

function recordsOf({ options }: Session, run: string): readonly Recorded[] {
  const records: Recorded[] = [];
  const read = readJournal(journalOf(options.folder, run), record => records.push(record));
  return read.ok ? records : [];
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
  message: string,
): void {
  if (!session.remembering) return;
  const { lessons, used } = readLessons(message);
  if (lessons.length + used.length > 0) session.record({ type: 'lessons.said', ...key, lessons, used });
}

/** At the end: a run that is complete is archived; one that may be continued is not over yet. */
export function endRemembering(session: Session): void {
  const { remembering } = session;
  if (!remembering) return;
  const { memory } = remembering;
  const { folder } = session.options;
  const { run, finished } = session.state;
  const runFolder = join(folder.runs, run);
  safely(session, () => {
    const { path, bytes, plan } = session.plan;
    keepPlan({ runFolder, when: 'after', path, bytes });
    if (finished?.reason === 'complete') {
      const records = recordsOf(session, run);
      const archived = archiveRun({ memory, run, runFolder, records, items: plan.items, progress: folder.progress });
      if (!archived.ok) session.notice('warn', archived.error.message);
      else compare(session, memory, archived.value.record);
    }
    memory.close();
  });
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
