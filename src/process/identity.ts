/** Who a process is, beyond its pid: a pid is given to someone else sooner or later, a start time is not. */
import type { ProcessId } from '../protocol.ts';
import type { ProcessTable } from './process-table.ts';
import { systemTable } from './system-table.ts';

/** The identity of the process that has this pid now, or nothing when there is none. */
export function identify(pid: number, table: ProcessTable = systemTable): ProcessId | undefined {
  const row = Number.isInteger(pid) && pid > 0 ? table.row(pid) : undefined;
  return row && { pid, started: row.started, boot: table.boot() };
}

/** Whether exactly this process still runs. A zombie does not. */
export function isAlive(id: ProcessId, table: ProcessTable = systemTable): boolean {
  if (id.boot !== table.boot()) return false;
  const row = Number.isInteger(id.pid) && id.pid > 0 ? table.row(id.pid) : undefined;
  return row !== undefined && row.started === id.started && !row.zombie;
}

let own: ProcessId | undefined;

/** The identity of this process. */
export function self(): ProcessId {
  own ??= identify(process.pid) ?? { pid: process.pid, started: '', boot: '' };
  return own;
}
