/** Keeps track of all running child processes, so that they can be killed at once. */
import type { Leftover, ProcessId } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { identify, isAlive } from './identity.ts';
import { killGroup, sendSignal } from './send-signal.ts';
import { findStrays, type Hunt } from './strays.ts';
import { systemTable } from './system-table.ts';

/** A short call in its own process group, or a supervised process with all its descendants. */
type Running = { readonly pid: number; readonly command: string } | Hunt;

const running = new Set<Running>();

/** Tracks it until the returned function is called. */
export function keepTrack(started: Running): () => void {
  running.add(started);
  return () => running.delete(started);
}

/** Whether an agent or a gate is running, not just a short call. */
export const isSupervising = (): boolean => [...running].some(started => !('command' in started));

const PATIENCE_MS = 3_000;
const PAUSE_MS = 20;

/**
 * Sends KILL to everything at once, when a person does not want to wait any longer. Blocks for a moment, because the program exits right
 * after it; returns what it found.
 */
export function killRunning(): readonly Leftover[] {
  const met = new Map<string, { readonly id: ProcessId; readonly command: string }>();
  const began = performance.now();
  do {
    const targets = [...running].flatMap(targetsOf);
    if (targets.length === 0) break;
    for (const id of targets) {
      const key = `${id.pid}:${id.started}`;
      if (!met.has(key)) met.set(key, { id, command: oneLine(systemTable.command(id.pid), 200) });
      // The group if it leads one, and the process itself if it does not.
      killGroup(id.pid);
      sendSignal(id.pid, 'SIGKILL');
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  } while (performance.now() - began < PATIENCE_MS);
  return [...met.values()].map(({ id, command }) => ({ pid: id.pid, command, killed: !isAlive(id) }));
}

function targetsOf(started: Running): readonly ProcessId[] {
  if (!('command' in started)) {
    const { strays } = findStrays(started);
    return strays.filter(stray => stray.certain).map(stray => stray.id);
  }
  const id = identify(started.pid);
  return id && isAlive(id) ? [id] : [];
}
