/** Every run of a repository in a line or two, the newest first. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listRuns, seatOfRun, storeOf } from '../journal/index.ts';
import { capture, isAlive } from '../process/index.ts';
import { localMoment, say } from '../report/index.ts';
import type { Project } from '../start/index.ts';
import { plural, showBytes, showCost } from '../util/show.ts';
import { type Branch, branchOf } from './branches.ts';
import { discardedRuns } from './discard.ts';
import { type NightRun, readNightRun } from './night-run.ts';

/** Where it takes longer than this to add it up, it is left out. */
const DISK_MS = 10_000;

export interface RunRow {
  readonly run: string;
  readonly plan: string;
  readonly branch: string;
  /** `gone`: its branch was taken away by somebody else than `ralph discard`. `continued`: a later run went on with its branch. */
  readonly state:
    | 'live'
    | 'complete'
    | 'stopped'
    | 'cut off'
    | 'merged'
    | 'continued'
    | 'discarded'
    | 'gone'
    | 'unreadable';
  readonly done: number;
  readonly total: number;
  readonly costUsd: number;
  /** When it was last worked on. */
  readonly lastAt: number;
  /** Of its worktree, where that is still there. */
  readonly diskBytes?: number;
  /** Of a live one. */
  readonly pid?: number;
  readonly port?: number;
  /** Why its journal cannot be read. */
  readonly why?: string;
}

export async function allRuns(project: Project): Promise<readonly RunRow[]> {
  const discarded = await discardedRuns(project);
  const rows: RunRow[] = [];
  for (const run of listRuns(project.folder)) {
    const night = await readNightRun(project, run);
    rows.push(
      night.ok
        ? { ...rowOf(await branchOf(project, night.value), discarded), ...(await placeOf(project, night.value)) }
        : { ...unreadable(run), why: night.error.message },
    );
  }
  return rows.toSorted((a, b) => b.lastAt - a.lastAt);
}

/** What a run takes of the machine. */
async function placeOf({ repository, folder, env }: Project, { state, isLive }: NightRun): Promise<Partial<RunRow>> {
  const seat = seatOfRun(folder, state);
  const owner = isLive ? storeOf(seat).owner({ isAlive }) : undefined;
  const its = owner ? { pid: owner.process.pid, ...(owner.port === undefined ? {} : { port: owner.port }) } : {};
  const worktree = join(repository.root, state.workspace);
  if (seat.seat === undefined || !existsSync(worktree)) return its;
  const used = await capture({ argv: ['du', '-sk', worktree], cwd: '/', env, maxBytes: 65_536, timeoutMs: DISK_MS });
  const kilobytes = /^\d+/.exec(used.stdout.toString('utf8'))?.[0];
  return { ...its, ...(kilobytes === undefined ? {} : { diskBytes: Number(kilobytes) * 1024 }) };
}

function rowOf(branch: Branch, discarded: ReadonlySet<string>): RunRow {
  const { state, view } = branch;
  return {
    run: state.run,
    plan: state.plan.path,
    branch: state.branch,
    state: stateOf(branch, discarded),
    done: view.done,
    total: view.total,
    costUsd: state.costUsd,
    lastAt: state.lastAt,
  };
}

function stateOf({ state, view, isLive, place }: Branch, discarded: ReadonlySet<string>): RunRow['state'] {
  if (isLive) return 'live';
  if (place === 'gone') return discarded.has(state.run) ? 'discarded' : 'gone';
  if (place === 'merged' || place === 'continued') return place;
  if (!state.finished) return 'cut off';
  // An item may have been taken back since.
  return state.finished.reason === 'complete' && view.pending === 0 ? 'complete' : 'stopped';
}

const unreadable = (run: string): RunRow => ({
  run,
  plan: '',
  branch: '',
  state: 'unreadable',
  done: 0,
  total: 0,
  costUsd: 0,
  lastAt: 0,
});

export function totalsOf(rows: readonly RunRow[]) {
  // The later run on the same branch has the items of a continued one as well.
  const last = rows.filter(row => row.state !== 'continued');
  return {
    runs: rows.length,
    live: rows.filter(row => row.state === 'live').length,
    done: last.reduce((sum, row) => sum + row.done, 0),
    total: last.reduce((sum, row) => sum + row.total, 0),
    costUsd: rows.reduce((sum, row) => sum + row.costUsd, 0),
    diskBytes: rows.reduce((sum, row) => sum + (row.diskBytes ?? 0), 0),
  };
}

export function runsText(rows: readonly RunRow[], now: number): string {
  if (rows.length === 0) return 'There has been no run here yet. Start one with: ralph run';
  const { runs, live, done, total, costUsd, diskBytes } = totalsOf(rows);
  const totals = [
    plural(runs, 'run'),
    ...(live > 0 ? [`${live} live`] : []),
    `${done} of ${plural(total, 'item')} done`,
    ...(costUsd > 0 ? [showCost(costUsd)] : []),
    ...(diskBytes > 0 ? [`${showBytes(diskBytes)} in worktrees`] : []),
  ];
  return [...rows.flatMap(row => linesOf(row, now)), '', totals.join(', ')].join('\n');
}

const COLUMNS = 80;

/** The id is always whole, because it is pasted into other commands. */
function linesOf({ run, plan, branch, state, done, total, costUsd, lastAt, why }: RunRow, now: number) {
  const id = say(run, COLUMNS - 2);
  if (why !== undefined) return [`${state}  ${say(why, COLUMNS - state.length - 2)}`, `  ${id}`];
  const counts = [
    state.padEnd(9),
    `${done} of ${total}`.padEnd(8),
    (costUsd > 0 ? showCost(costUsd) : '-').padStart(7),
  ];
  const facts = [...counts, localMoment(lastAt, now).padEnd(16)].join('  ');
  const room = COLUMNS - 2 - id.length - ' on '.length;
  return [
    `${facts}  ${say(plan, COLUMNS - facts.length - 2)}`,
    ...(room < branch.length && room < 20
      ? [`  ${id}`, `  on ${say(branch, 75)}`]
      : [`  ${id} on ${say(branch, room)}`]),
  ];
}
