import type { ProcessEnd } from '../../src/protocol.ts';

/** A process that left by itself with code 0, unless the test says otherwise. */
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
