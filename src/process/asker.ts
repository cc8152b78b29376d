/**
 * Whether a request comes from a person. Every process of an agent is in a session that started with the agent or later: a process can
 * leave its session for a new one, but never join an older one. So a process in a session older than the agent was not started by it.
 */
import { lstatSync } from 'node:fs';
import type { ProcessId } from '../protocol.ts';
import { isAlive } from './identity.ts';
import { fileKey } from './pipes.ts';
import { type ProcessTable, startOrder } from './process-table.ts';
import { systemTable } from './system-table.ts';

export interface Asking {
  readonly asker: ProcessId;
  /** The file with the request, which the sender keeps open, so that no process can send a request in another's name. */
  readonly file: string;
  /** Words of the request that the sender's command line has to contain, because the file could have been changed since. */
  readonly words: readonly string[];
  /** The first process of the run that executed code other than the runner's; undefined if there was none yet. */
  readonly agent: ProcessId | undefined;
}

export function isPerson({ asker, file, words, agent }: Asking): boolean {
  if (!isAlive(asker)) return false;
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || !systemTable.holds(asker.pid, new Set([fileKey(stat)]))) return false;
  const command = ` ${systemTable.command(asker.pid)} `;
  if (!words.every(word => command.includes(` ${word} `))) return false;
  if (agent === undefined) return true;
  // Agents are started in sessions of their own, so none of their processes is in this one.
  const sessionOf = (pid: number) => systemTable.row(pid)?.session;
  return sessionOf(asker.pid) === sessionOf(process.pid) || isInOlderSession(asker.pid, agent);
}

/** Whether a process is in a session that existed before another process was started. */
export function isInOlderSession(pid: number, than: ProcessId, table: ProcessTable = systemTable): boolean {
  const session = table.row(pid)?.session;
  if (session === undefined || session < 0) return false;
  // The session started outside this process namespace (a container's, for example), where no agent's process can be.
  if (session === 0) return true;
  const border = startOrder(than.started);
  const leader = table.row(session);
  if (leader) return leader.session === session && startOrder(leader.started) < border;
  // The leader has exited; its number is not reused as long as the session has processes.
  return table.list().rows.some(row => row.session === session && startOrder(row.started) < border);
}
