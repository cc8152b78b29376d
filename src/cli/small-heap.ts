/** Keeps a long-lived runner small. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EventSink } from '../events.ts';
import { once } from '../util/once.ts';

/** One collection takes some ten milliseconds, which an agent's own time hides. */
const AGENTS = 5;
/** Of at most 64 KiB each: an agent that talks without end. */
const CHUNKS = 250;
const LARGE = 75 * 1024 * 1024;

/**
 * Collects garbage while an agent works. Left alone a heap grows to a hundred megabytes before it is worth collecting,
 * and every process that is started copies the page tables of all of it: that costs more than collecting early.
 */
export function smallHeap(): EventSink {
  setFlagsFromString('--semi-space-growth-factor=1');
  // What gives it takes milliseconds, and the first agent need not wait for that.
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
