/** What a guard is: one rule on a change, pure, with a name, a reaction and a sentence about itself. */
import type { GuardId, Level } from '../../protocol.ts';
import type { Look } from '../look.ts';

export interface Found {
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  /** Softer than the rule's own, where this case is less certain. */
  readonly level?: Level;
}

export interface Rule {
  readonly id: GuardId;
  readonly level: Level;
  /** On a range of commits, where no item can have named what it touches. */
  readonly inRange?: Level;
  /** `tests: free` turns it off. */
  readonly about: string;
  readonly protects?: 'tests';
  check(look: Look): readonly Found[];
}

const LISTED = 5;

/** The first few of many names. */
export function some(paths: readonly string[]): string {
  const more = paths.length - LISTED;
  return paths.slice(0, LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A piece of somebody else's code inside a sentence. */
export function quote(text: string, width = 80): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `\`${line.length <= width ? line : `${line.slice(0, width - 1)}…`}\``;
}
