/** Keeps a long-lived runner small. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EventSink } from '../events.ts';

/** One collection takes some ten milliseconds, which an agent's own time hides. */
const INTERVAL = 25;

/**
 * Collects garbage while an agent works. Left alone a heap grows to a hundred megabytes before it is worth collecting,
 * and every process that is started copies the page tables of all of it: that costs more than collecting early.
 */
export function smallHeap(): EventSink {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (() => void) | undefined;
  let agents = 0;
  return event => {
    if (event.type !== 'agent.started') return;
    agents += 1;
    if (agents % INTERVAL === 0) setImmediate(() => collect?.());
  };
}
