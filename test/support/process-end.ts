import type { ProcessEnd } from '../../src/protocol.ts';

/** A process that exited with code 0, unless the test changes something. */
export function processEnd(change: Partial<ProcessEnd> = {}): ProcessEnd {
  return {
    reason: 'exited',
    code: 0,
    signal: null,
    durationMs: 1000,
    leftovers: [],
    outputBytes: 0,
    droppedBytes: 0,
    tail: '',
    ...change,
  };
}
