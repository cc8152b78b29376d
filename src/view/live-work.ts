/** What each worker of a live run is doing now, from the files that it writes while it works. */
import { join } from 'node:path';
import { iterationFolder, liveTail, reviewFolder } from '../journal/index.ts';
import { lookAt } from '../util/version.ts';
import type { Look } from './all-runs.ts';
import { cursorAt } from './cursor.ts';
import { liveFile } from './files.ts';
import type { Row } from './iteration-row.ts';
import { readLines } from './signal-file.ts';
import { signalsIn, stepsOf } from './steps.ts';
import type { PhaseName, PhaseView, RunView, WorkView } from './types/run.ts';

/** Bytes read from the end of the signals: enough for the newest steps and the usage so far. */
const LOOKED_AT = 256 * 1024;
const STEPS = 40;
const NOTICES = 20;

export interface LiveFacts {
  readonly gate: WorkView['gate'];
  readonly notices: RunView['notices'];
  readonly limits: RunView['limits'];
}

/** Facts that only the runner's live file has. */
export function liveFacts({ seat, owner }: Look): LiveFacts {
  if (!owner) return { gate: null, notices: [], limits: {} };
  const tail = liveTail(seat.live, owner.process.pid);
  const told = tail.read();
  const last = told.findLast(({ event }) => event.type === 'gate.started' || event.type === 'gate.finished');
  const gate =
    last?.event.type === 'gate.started' ? { name: last.event.name, phase: last.event.phase, since: last.at } : null;
  const notices = told.flatMap(({ event, at }) =>
    event.type === 'notice' ? [{ at, level: event.level, message: event.message }] : [],
  );
  return { gate, notices: notices.slice(-NOTICES), limits: tail.limits() };
}

export interface Work {
  readonly work: readonly WorkView[];
  /** How much of each agent's signals was read, for the cursor. */
  readonly heard: ReadonlyMap<string, number>;
}

export function workOf(look: Look, gate: WorkView['gate']): Work {
  const { facts, place, run, owner } = look;
  const { state } = facts;
  const ends = new Map<string, number>();
  if (!owner) return { work: [], heard: ends };
  const heard = (folder: string, since: number, key: string): Heard => {
    const { end, ...facts } = hear(folder, since);
    ends.set(key, end);
    return facts;
  };
  const reviews = state.openReviews.map((open): WorkView => {
    const folder = reviewFolder(place.folder, run, open.review);
    return {
      kind: 'review',
      worker: open.worker ?? null,
      n: open.review,
      item: open.item,
      title: state.items.get(open.item)?.title ?? '',
      attempt: open.round,
      agent: facts.reviews.findLast(({ review }) => review === open.review)?.agent ?? state.agent,
      since: open.startedAt,
      phases: [],
      gate: null,
      ...heard(folder, open.startedAt, `r${open.review}`),
    };
  });
  // A review starts after its iteration is over.
  const iterations = state.openIterations.flatMap((open): readonly WorkView[] => {
    const row = facts.rows[facts.byNumber.get(open.iteration) ?? -1];
    if (!row) return [];
    const folder = iterationFolder(place.folder, run, open.iteration);
    return [
      {
        kind: 'iteration',
        worker: open.worker ?? null,
        n: row.n,
        item: row.item,
        title: row.title,
        attempt: row.attempt,
        agent: row.agent,
        since: row.start,
        phases: phasesOf(row, gate),
        gate,
        ...(row.step === 'brief' || row.step === 'agent'
          ? heard(folder, row.start, `i${row.n}`)
          : withoutEnd(hear(folder, row.start))),
      },
    ];
  });
  // Each worker keeps its position on the page, whatever it works on.
  const byWorker = iterations.toSorted((a, b) => (a.worker ?? 0) - (b.worker ?? 0));
  return { work: [...byWorker, ...reviews], heard: ends };
}

/** The cursor for a stream that starts with future messages. */
export function headCursor(look: Look): string {
  return cursorAt(look, workOf(look, null).heard);
}

const PHASES: readonly PhaseName[] = ['brief', 'agent', 'guards', 'gates', 'proof', 'verdict'];

function phasesOf({ step }: Row, gate: WorkView['gate']): readonly PhaseView[] {
  const now = PHASES.indexOf(phaseNow(step, gate));
  return PHASES.map((name, at) => ({ name, state: at < now ? 'done' : at === now ? 'now' : 'later' }));
}

function phaseNow(step: Row['step'], gate: WorkView['gate']): PhaseName {
  switch (step) {
    case 'brief':
      return 'brief';
    case 'agent':
      return 'agent';
    case 'checks':
      return gate === null ? 'guards' : gate.phase === 'proof' ? 'proof' : 'gates';
    case 'verdict':
    case 'over':
      return 'verdict';
  }
}

type Heard = Pick<WorkView, 'heardAt' | 'spent' | 'steps'>;

const withoutEnd = ({ end: _, ...heard }: Heard & { readonly end: number }): Heard => heard;

function hear(folder: string, since: number): Heard & { readonly end: number } {
  const file = liveFile(folder);
  const read = file === undefined ? { lines: [], end: 0 } : readLines(file, 0, LOOKED_AT);
  const own = signalsIn(read.lines.map(({ text }) => text)).filter(({ at }) => at === undefined || at >= since);
  const used = own.findLast(({ signal }) => signal.type === 'usage')?.signal;
  const output = lookAt(join(folder, 'output.log'));
  return {
    heardAt: output?.isFile() && output.size > 0 ? Math.round(output.mtimeMs) : (own.at(-1)?.at ?? null),
    spent: used?.type === 'usage' ? { usage: used.usage, costUsd: used.costUsd ?? 0 } : null,
    steps: stepsOf(own, since).slice(-STEPS),
    end: read.end,
  };
}
