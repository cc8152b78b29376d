/** The interface of a guard: a pure rule on a change, with an id, a level and a sentence about itself. */
import type { GuardId, Level } from '../../protocol.ts';
import type { Look } from '../look.ts';

export interface Found {
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  /** Lower than the rule's own level, if this case is less certain. */
  readonly level?: Level;
}

export interface Rule {
  readonly id: GuardId;
  readonly level: Level;
  /** The level for a range of commits, where no item can have named what the change touches. */
  readonly inRange?: Level;
  readonly about: string;
  /** The setting `tests: free` turns such a rule off. */
  readonly protects?: 'tests';
  check(look: Look): readonly Found[];
}

const LISTED = 5;

/** The first few of many names. */
export function some(paths: readonly string[]): string {
  const more = paths.length - LISTED;
  return paths.slice(0, LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Quotes a piece of code inside a sentence. */
export function quote(text: string, width = 80): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `\`${line.length <= width ? line : `${line.slice(0, width - 1)}…`}\``;
}
