/** A run as one row of a list. */
import { describeStop } from '../report/index.ts';
import { isComplete, type RunState } from '../state.ts';
import type { Failure } from '../util/result.ts';
import type { Library, Located, Look } from './all-runs.ts';
import { type ItemRows, itemRows } from './item-rows.ts';
import { fitTape, letterOf } from './tape.ts';
import type { EndView, ErrorView, RunStatus } from './types/common.ts';
import type { RunRow, RunsView } from './types/run.ts';

/** Length of the tape in a list. */
const SHORT_TAPE = 200;

export function runRow(look: Look, { counts }: Pick<ItemRows, 'counts'>): RunRow {
  const { id, run, place, facts, owner } = look;
  const { state, rows, problem } = facts;
  const { tape, scale } = fitTape(lettersOf(look), SHORT_TAPE);
  const count = (verdict: string) => rows.reduce((sum, row) => sum + Number(row.verdict === verdict), 0);
  return {
    id,
    run,
    worktree: place.name,
    name: state.plan.name || run,
    plan: { path: state.plan.path, format: state.plan.format },
    branch: state.branch,
    agent: state.agent,
    status: statusOf(look),
    isLive: owner !== undefined,
    needsPerson: needsPerson(state, owner !== undefined, counts.blocked),
    startedAt: state.startedAt,
    lastAt: state.lastAt,
    activeMs: state.activeMs,
    counts,
    iterations: state.iterations,
    accepted: count('accepted'),
    rejected: count('rejected'),
    costUsd: state.costUsd,
    usage: state.usage,
    tape,
    tapeScale: scale,
    finished: endOf(state),
    problem: problem ? errorView(problem, place.root) : null,
  };
}

export const lettersOf = ({ facts, owner }: Look): string =>
  facts.rows
    // An open iteration without a runner was cut off.
    .map(({ verdict }) => letterOf(verdict === 'open' && !owner ? 'aborted' : verdict))
    .join('');

export function statusOf({ facts: { state, problem }, owner }: Look): RunStatus {
  if (state.run === '') return problem ? 'unreadable' : 'starting';
  if (owner) return state.paused ? 'paused' : state.waitUntil === undefined ? 'running' : 'waiting';
  if (problem) return 'unreadable';
  if (!state.finished) return 'cut-off';
  return isComplete(state) ? 'complete' : 'stopped';
}

function needsPerson(state: RunState, isLive: boolean, blocked: number): boolean {
  if (state.discarded) return false;
  if (blocked > 0) return true;
  return !isLive && state.finished !== undefined && !isComplete(state);
}

export const endOf = ({ finished }: RunState): EndView | null =>
  finished
    ? {
        reason: finished.reason,
        sentence: describeStop(finished.reason, finished.why),
        why: finished.why,
        at: finished.at,
      }
    : null;

/** A failure for the page. Paths are relative to `root`: they are shorter, and a report may be mailed. */
export function errorView({ reason, message, hint, file, line }: Failure, root?: string): ErrorView {
  const name = root !== undefined && file?.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
  const place = name === undefined ? '' : `${name}${line === undefined ? '' : `:${line}`}: `;
  return { reason, message: `${place}${message}`, hint: hint ?? null };
}

/** Rows of finished runs, valid while their journal has the same length. */
export type RowCache = Map<string, { readonly bytes: number; readonly row: RunRow }>;

export function runsView(library: Library, cache: RowCache): RunsView {
  const rows = library.runs().map(located => rowOf(library, located, cache));
  const order = (row: RunRow) => (row.isLive ? 0 : 1);
  return {
    runs: rows.toSorted((a, b) => order(a) - order(b) || b.lastAt - a.lastAt),
    startCommand: 'ralph run',
  };
}

/** The row of a run; cached if the run is over, so that a thousand old runs are not read each time. */
function rowOf(library: Library, located: Located, cache: RowCache): RunRow {
  const bytes = library.bytesOf(located);
  const known = cache.get(located.id);
  if (known && known.bytes === bytes && !known.row.isLive && known.row.status !== 'cut-off') return known.row;
  const look = library.look(located);
  const row = runRow(look, itemRows(look));
  cache.set(located.id, { bytes, row });
  return row;
}
