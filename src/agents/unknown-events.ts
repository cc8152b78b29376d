/**
 * Events of a stream that no reader here knows: a newer agent's. They change nothing and stay in the stream as it was kept;
 * how many there were is told, so that a reader that lags behind its agent is noticed.
 */

import type { UnknownEvent } from '../protocol.ts';

export interface UnknownEvents {
  /** Tells nothing, whatever it is. */
  see(type: string): readonly [];
  /** Part of an outcome. */
  counts(): { readonly unknown?: readonly UnknownEvent[] };
}

/** Different ones; a stream of random words must not fill the journal. */
const KINDS = 20;
const LONGEST = 60;

/** `quiet` are the ones that are known and have nothing to tell. */
export function unknownEvents(quiet: readonly string[]): UnknownEvents {
  const counted = new Map<string, number>();
  const add = (type: string) => counted.set(type, (counted.get(type) ?? 0) + 1);
  return {
    see: type => {
      const name = type.slice(0, LONGEST);
      if (type !== '' && !quiet.includes(type)) add(counted.has(name) || counted.size < KINDS ? name : 'others');
      return [];
    },
    counts: () => (counted.size > 0 ? { unknown: [...counted].map(([type, count]) => ({ type, count })) } : {}),
  };
}
