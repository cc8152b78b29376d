/** The identity of a process beyond its pid: pids are reused, start times are not. */
import type { ProcessId } from '../protocol.ts';
import type { ProcessTable } from './process-table.ts';
import { systemTable } from './system-table.ts';

/** The identity of the process that has this pid now, or undefined. */
export function identify(pid: number): ProcessId | undefined {
  const row = Number.isInteger(pid) && pid > 0 ? systemTable.row(pid) : undefined;
  return row && { pid, started: row.started, boot: systemTable.boot() };
}

/** Whether exactly this process is still running. A zombie is not. */
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
