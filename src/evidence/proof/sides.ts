/** Splits a change into tests and production code, so that each can be tried without the other. */

import { isTestName, roleOf } from '../../audit/index.ts';
import type { Change } from '../../protocol.ts';

/** Files that decide whether tests pass, besides the code: tests, helpers, set-up, runner settings, fixtures, snapshots. */
export const isTestSide = ({ path }: Pick<Change, 'path'>): boolean =>
  ['test', 'test-support', 'fixture', 'snapshot'].includes(roleOf(path));

/** One path of a tree. */
export interface Entry {
  readonly path: string;
  readonly mode: string;
  /** Undefined if the file must not exist. */
  readonly content: string | undefined;
}

/** These paths as they were before the change, or as they are after it. */
export function entriesOf(changes: readonly Change[], side: 'before' | 'after'): readonly Entry[] {
  return changes.map(change => {
    const mode = side === 'before' ? (change.oldMode ?? change.mode) : change.mode;
    return { path: change.path, mode, content: change[side] };
  });
}

/** Whether old tests could give another result than the gates did; a new test file does not affect them. */
export const disturbsOldTests = (change: Change): boolean =>
  isTestSide(change) && !(change.kind === 'added' && isTestName(change.path));
