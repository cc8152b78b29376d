/** Finding what a process left behind: by group, session, lease, open pipe and descent; and naming what only looks so. */
import { sep } from 'node:path';
import type { ProcessId } from '../protocol.ts';
import { realPath } from '../util/paths.ts';
import { type ProcessTable, type Row, startOrder } from './process-table.ts';
import { systemTable } from './system-table.ts';

/** The variable in an agent's environment that marks its processes as belonging to one iteration. */
export const LEASE = 'RALPH_LEASE';

/** Whose processes to look for. */
export interface Hunt {
  /** Was started as the leader of a group and session of its own. */
  readonly main?: ProcessId;
  /** How long ago it was started, where known: right after a short life only newer pids need a look. */
  readonly mainAgeMs?: number;
  readonly lease?: string;
  /** Also whatever carries one of these variables with such a value. */
  readonly marks?: Readonly<Record<string, (value: string) => boolean>>;
  readonly workspace?: string;
  /** A folder in there where others work. */
  readonly except?: string;
  /** The pipes its output went to, as `fileKey` names them. */
  readonly pipes?: ReadonlySet<string>;
  readonly table?: ProcessTable;
}

export interface Stray {
  readonly id: ProcessId;
  readonly parent: number;
  readonly inGroup: boolean;
  /** False for a process without any mark that was born later, has lost its parent and is at work in the workspace. */
  readonly certain: boolean;
  /** A suspect that was not started from a person's terminal or desktop either. */
  readonly bare: boolean;
}

export interface Found {
  readonly strays: readonly Stray[];
  /** Born meanwhile, without parent and terminal, of the same user: nothing shows whose they are. */
  readonly strangers: readonly Stray[];
  /** Nothing was born while we looked. */
  readonly settled: boolean;
}

/** What a terminal or a desktop gives to everything that is started from it. */
const PERSONS = ['TERM', 'DISPLAY', 'WAYLAND_DISPLAY'];

// More than any machine can start; pids that may have come round since then are not judged by their number.
const FORKS_PER_MS = 10;

/** One pass over the process table. Never lists this process or one it descends from. */
export function findStrays(hunt: Hunt): Found {
  const table = hunt.table ?? systemTable;
  const { main } = hunt;
  // Nothing outlives a boot.
  if (main && main.boot !== table.boot()) return { strays: [], strangers: [], settled: true };

  const group = main && groupIsStillIts(main, table) ? main.pid : undefined;
  const listing = table.list(newerThan(hunt, table));
  const earliest = main ? startOrder(main.started) : 0;
  const young = listing.rows.filter(row => !row.zombie && startOrder(row.started) >= earliest);
  if (young.length === 0) return { strays: [], strangers: [], settled: listing.settled };

  const family = ancestors(table);
  const candidates = young.filter(row => !family.has(row.pid));
  const inGroup = (row: Row) => group !== undefined && (row.group === group || row.session === group);
  const marked = candidates.filter(
    row =>
      inGroup(row) ||
      (hunt.lease !== undefined && table.variable(row.pid, LEASE) === hunt.lease) ||
      Object.entries(hunt.marks ?? {}).some(([name, isOurs]) => isOurs(table.variable(row.pid, name) ?? '')) ||
      (hunt.pipes !== undefined && table.holds(row.pid, hunt.pipes)),
  );
  const certain = withDescendants(marked, candidates);
  const rest = candidates.filter(row => !certain.has(row));
  const { near, far } = main ? findSuspects({ hunt, table, family, rest }) : { near: [], far: [] };

  const stray = (row: Row, isCertain: boolean): Stray => ({
    id: { pid: row.pid, started: row.started, boot: table.boot() },
    parent: row.parent,
    inGroup: row.group === group,
    certain: isCertain,
    bare: !isCertain && PERSONS.every(name => table.variable(row.pid, name) === undefined),
  });
  return {
    strays: [...[...certain].map(row => stray(row, true)), ...[...near].map(row => stray(row, false))],
    strangers: [...far].map(row => stray(row, false)),
    settled: listing.settled,
  };
}

/** A pid cannot be given away while a group bears it, so a stranger under it means that the group is gone. */
function groupIsStillIts(main: ProcessId, table: ProcessTable): boolean {
  const row = table.row(main.pid);
  return row === undefined || row.started === main.started;
}

function newerThan({ main, mainAgeMs }: Hunt, table: ProcessTable): number | undefined {
  if (!main || mainAgeMs === undefined) return undefined;
  return mainAgeMs * FORKS_PER_MS < table.pidLimit() ? main.pid : undefined;
}

function ancestors(table: ProcessTable): ReadonlySet<number> {
  const found = new Set<number>([1]);
  for (let pid = process.pid; pid > 0 && !found.has(pid); pid = table.row(pid)?.parent ?? 0) found.add(pid);
  return found;
}

function withDescendants(roots: readonly Row[], candidates: readonly Row[]): ReadonlySet<Row> {
  const found = new Set(roots);
  const pids = new Set(roots.map(row => row.pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of candidates) {
      if (!pids.has(row.parent)) continue;
      found.add(row);
      pids.add(row.pid);
    }
  }
  return found;
}

interface SuspectSearch {
  readonly hunt: Hunt;
  readonly table: ProcessTable;
  readonly family: ReadonlySet<number>;
  readonly rest: readonly Row[];
}

/**
 * What shed every mark (`env -i setsid`, then a second fork) still has three: it lost its parent to init or to a
 * subreaper, which is always one of our ancestors; it has no terminal; and it sits where the agent worked.
 */
function findSuspects({ hunt, table, family, rest }: SuspectSearch): {
  readonly near: Iterable<Row>;
  readonly far: Iterable<Row>;
} {
  const older = olderSessions(hunt, table);
  const orphans = rest.filter(
    row => !row.terminal && row.parent !== process.pid && family.has(row.parent) && !older(row.session),
  );
  if (hunt.workspace === undefined || orphans.length === 0) return { near: [], far: [] };
  const workspace = realPath(hunt.workspace);
  // Another iteration's process is that iteration's business.
  const roots = orphans.filter(row => table.variable(row.pid, LEASE) === undefined);
  const isNear = (row: Row) => {
    const folder = table.folder(row.pid);
    if (hunt.except !== undefined && folder?.startsWith(realPath(hunt.except) + sep)) return false;
    if (folder === workspace || folder?.startsWith(workspace + sep)) return true;
    return table.worksIn?.(row.pid, workspace) === true;
  };
  const near = withDescendants(roots.filter(isNear), rest);
  const own = table.kin?.(process.pid);
  const far = roots.filter(row => !near.has(row) && own !== undefined && table.kin?.(row.pid) === own);
  return { near, far: withDescendants(far, rest) };
}

/**
 * An agent begins a session of its own, and nothing can join one that is there: whoever is in an older one, as what a
 * script starts beside `ralph run` is, does not come of the agent.
 */
function olderSessions({ main }: Hunt, table: ProcessTable): (session: number) => boolean {
  const own = table.row(process.pid)?.session;
  return session => {
    // 0: begun outside this process namespace, where no agent of ours is.
    if (session === own || session === 0) return true;
    const leader = main && table.row(session);
    return leader !== undefined && startOrder(leader.started) < startOrder(main?.started ?? '');
  };
}
