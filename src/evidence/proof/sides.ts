/** A change taken apart into its tests and the rest, so that either can be tried without the other. */

import { isTestName, roleOf } from '../../audit/index.ts';
import type { Change } from '../../protocol.ts';

/** What decides whether tests pass besides the code: tests, helpers, set-up, runner settings, fixtures, snapshots. */
export const isTestSide = ({ path }: Pick<Change, 'path'>): boolean =>
  ['test', 'test-support', 'fixture', 'snapshot'].includes(roleOf(path));

/** One path of a tree; without an object it is to be gone. */
export interface Entry {
  readonly path: string;
  readonly mode: string;
  /** Undefined: there is no such file. */
  readonly content: string | undefined;
}

/** These paths as they were before, or as they are after. */
export function entriesOf(changes: readonly Change[], side: 'before' | 'after'): readonly Entry[] {
  return changes.map(change => {
    const mode = side === 'before' ? (change.oldMode ?? change.mode) : change.mode;
    return { path: change.path, mode, content: change[side] };
  });
}

/** Whether the old tests may say something else than the gates said: a new file of tests changes nothing for them. */
export const disturbsOldTests = (change: Change): boolean =>
  isTestSide(change) && !(change.kind === 'added' && isTestName(change.path));
