/** Finds processes left behind: by group, session, lease, open pipe and descent; and names those that only look like it. */
import { sep } from 'node:path';
import type { ProcessId } from '../protocol.ts';
import { realPath } from '../util/paths.ts';
import { type ProcessTable, type Row, startOrder } from './process-table.ts';
import { systemTable } from './system-table.ts';

/** The variable in an agent's environment that marks its processes as belonging to one iteration. */
export const LEASE = 'RALPH_LEASE';

/** Which processes to search for. */
export interface Hunt {
  /** Was started as the leader of its own group and session. */
  readonly main?: ProcessId;
  /** How long ago it was started, if known: after a short life only younger pids have to be checked. */
  readonly mainAgeMs?: number;
  readonly lease?: string;
  /** Also processes with one of these variables, if the function accepts its value. */
  readonly marks?: Readonly<Record<string, (value: string) => boolean>>;
  readonly workspace?: string;
  /** A folder in the workspace where other runs work. */
  readonly except?: string;
  /** The pipes of its output, as `fileKey` names them. */
  readonly pipes?: ReadonlySet<string>;
  readonly table?: ProcessTable;
}

export interface Stray {
  readonly id: ProcessId;
  readonly parent: number;
  readonly inGroup: boolean;
  /** False for a process without any mark that started later, lost its parent and works in the workspace. */
  readonly certain: boolean;
  /** A suspect that was not started from a person's terminal or desktop either. */
  readonly bare: boolean;
}

export interface Found {
  readonly strays: readonly Stray[];
  /** Processes of the same user that started meanwhile, without parent or terminal: their owner is unknown. */
  readonly strangers: readonly Stray[];
  /** No process was created during the search. */
  readonly settled: boolean;
}

/** Variables that a terminal or a desktop sets for everything started from it. */
const PERSONS = ['TERM', 'DISPLAY', 'WAYLAND_DISPLAY'];

// More than any machine can start; if pids may have wrapped around since, they are not compared.
const FORKS_PER_MS = 10;

/** One pass over the process table. Never lists this process or one of its ancestors. */
export function findStrays(hunt: Hunt): Found {
  const table = hunt.table ?? systemTable;
  const { main } = hunt;
  // No process survives a reboot.
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

/** A pid is not reused while a group has it, so another process with this pid means that the group is gone. */
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
 * A process that dropped every mark (`env -i setsid`, then a second fork) still has three traits: its parent is now init or a subreaper,
 * which is always one of our ancestors; it has no terminal; and it works where the agent worked.
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
  // A process with a lease belongs to another iteration, which takes care of it.
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
 * An agent starts a session of its own, and no process can join an existing one. So a process in an older session, such as one that a
 * script starts beside `ralph run`, does not descend from the agent.
 */
function olderSessions({ main }: Hunt, table: ProcessTable): (session: number) => boolean {
  const own = table.row(process.pid)?.session;
  return session => {
    // 0: started outside this process namespace, where no agent of this run is.
    if (session === own || session === 0) return true;
    const leader = main && table.row(session);
    return leader !== undefined && startOrder(leader.started) < startOrder(main?.started ?? '');
  };
}
