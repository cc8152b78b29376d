/**
 * Whether a person asks. Everything that comes of an agent is in a session that was begun with it or later: a process can
 * leave its session for a new one, and never for an old one. So whoever is in a session that is older than the agent was
 * not started by it.
 */
import { lstatSync } from 'node:fs';
import type { ProcessId } from '../protocol.ts';
import { isAlive } from './identity.ts';
import { fileKey } from './pipes.ts';
import { type ProcessTable, startOrder } from './process-table.ts';
import { systemTable } from './system-table.ts';

export interface Asking {
  readonly asker: ProcessId;
  /** The file with the request, which whoever asks keeps open: nobody can speak for another process. */
  readonly file: string;
  /** Words of the request, which its command line has to hold: the file could have been written to since. */
  readonly words: readonly string[];
  /** The first process of the run that runs code of others; undefined where there was none yet. */
  readonly agent: ProcessId | undefined;
  readonly table?: ProcessTable;
}

export function isPerson({ asker, file, words, agent, table = systemTable }: Asking): boolean {
  if (!isAlive(asker, table)) return false;
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || !table.holds(asker.pid, new Set([fileKey(stat)]))) return false;
  const command = ` ${table.command(asker.pid)} `;
  if (!words.every(word => command.includes(` ${word} `))) return false;
  if (agent === undefined) return true;
  // Agents are started in sessions of their own, so this one holds nothing of theirs.
  return table.row(asker.pid)?.session === table.row(process.pid)?.session || isInOlderSession(asker.pid, agent, table);
}

/** Whether a process is in a session that was there before another process was started. */
export function isInOlderSession(pid: number, than: ProcessId, table: ProcessTable = systemTable): boolean {
  const session = table.row(pid)?.session;
  if (session === undefined || session < 0) return false;
  // Begun outside this process namespace (a container's, for example), where nothing of the agent can be.
  if (session === 0) return true;
  const border = startOrder(than.started);
  const leader = table.row(session);
  if (leader) return leader.session === session && startOrder(leader.started) < border;
  // Its leader is gone; its number is not given away as long as somebody is in it.
  return table.list().rows.some(row => row.session === session && startOrder(row.started) < border);
}
