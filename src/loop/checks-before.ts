/** Runs the item's own checks before any agent has worked on it, to know which are red from the start. */

import { runChecks, verifyGates } from '../checks/index.ts';
import type { GateResult, Item } from '../protocol.ts';
import type { ItemState } from '../state.ts';
import type { Session } from './session.ts';

export interface ChecksBefore {
  readonly wasRed: boolean;
  /** Commands that the shell could not start: a mistake in the plan, so no attempt is charged for them. */
  readonly unstartable: readonly string[];
}

/** The exit codes of a shell for "command not found" and "not executable". */
export const cannotStart = ({ exit }: Pick<GateResult, 'exit'>): boolean => exit === 127 || exit === 126;

/** Runs once per item; later attempts use the recorded result. */
export async function checksBefore(session: Session, item: Item, known: ItemState): Promise<ChecksBefore> {
  if (known.verifyWasRed !== undefined || item.verify.length === 0) {
    return { wasRed: known.verifyWasRed ?? false, unstartable: known.unstartable ?? [] };
  }
  // One at a time, because a red check would otherwise skip those after it.
  const results: GateResult[] = [];
  for (const gate of verifyGates(item)) results.push(...(await runChecks(session, { gates: [gate], phase: 'item' })));
  const unstartable = results.filter(cannotStart).map(({ run }) => run);
  for (const run of unstartable) {
    const what = `${item.id}: its check \`${run}\` cannot be started, so it decides nothing unless the work makes it run`;
    session.notice('warn', `${what}; correct it in the plan`);
  }
  return { wasRed: results.some(({ status }) => status !== 'green'), unstartable };
}
