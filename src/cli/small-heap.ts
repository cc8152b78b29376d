/** Keeps the memory of a long-lived runner small. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EventSink } from '../events.ts';
import { once } from '../util/once.ts';

/** One collection takes about ten milliseconds, which the agent's own time hides. */
const AGENTS = 5;
/** Chunks of at most 64 KiB each, for an agent that prints without end. */
const CHUNKS = 125;
const LARGE = 75 * 1024 * 1024;

/**
 * Collects garbage while an agent works. Otherwise the heap grows to a hundred megabytes before V8 collects it, and starting
 * a process copies the page tables of all of it, which costs more than collecting early.
 */
export function smallHeap(): EventSink {
  setFlagsFromString('--semi-space-growth-factor=1');
  // Exposing gc takes milliseconds, which the first agent need not wait for.
  const collector = once(() => {
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc') as (() => void) | undefined;
  });
  let agents = 0;
  let chunks = 0;
  return event => {
    const isDue =
      (event.type === 'agent.started' && (agents += 1) % AGENTS === 0) ||
      (event.type === 'agent.output' && (chunks += 1) % CHUNKS === 0);
    if (isDue && process.memoryUsage.rss() > LARGE) setImmediate(() => collector()?.());
  };
}
