/** What this process has started and not yet seen to its end: all of it can be ended at once, without waiting for anybody. */
import type { Leftover, ProcessId } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { identify, isAlive } from './identity.ts';
import { findStrays, type Hunt } from './strays.ts';
import { systemTable } from './system-table.ts';

/** A short call in a group of its own, or a supervised process with all that came of it. */
type Running = { readonly pid: number; readonly command: string } | Hunt;

const running = new Set<Running>();

/** Until the returned function is called. */
export function keepTrack(started: Running): () => void {
  running.add(started);
  return () => running.delete(started);
}

/** Whether an agent or a gate runs, and not only a short call. */
export const isSupervising = (): boolean => [...running].some(started => !('command' in started));

const PATIENCE_MS = 3_000;
const PAUSE_MS = 20;

/**
 * KILL to everything, at once: for when somebody does not want to wait any longer. Blocks for a moment, because the program
 * leaves right after it; says what it met.
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
      kill(id.pid);
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

function kill(pid: number): void {
  // The group where it leads one, and the process itself where it does not.
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Gone already, leads no group, or not ours to signal; the next look tells.
    }
  }
}
