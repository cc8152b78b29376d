/** The item's own checks before any agent has worked on it: what they say then is nobody's doing. */

import { runChecks, verifyGates } from '../checks/index.ts';
import type { GateResult, Item } from '../protocol.ts';
import type { ItemState } from '../state.ts';
import type { Session } from './session.ts';

export interface ChecksBefore {
  readonly wasRed: boolean;
  /** Commands that the shell could not start: a fault of the plan, for which no attempt is charged. */
  readonly unstartable: readonly string[];
}

/** How a shell says that there is no such program, or that it is none. */
export const cannotStart = ({ exit }: Pick<GateResult, 'exit'>): boolean => exit === 127 || exit === 126;

/** Run once for each item; a later attempt is told what was found then. */
export async function checksBefore(session: Session, item: Item, known: ItemState): Promise<ChecksBefore> {
  if (known.verifyWasRed !== undefined || item.verify.length === 0) {
    return { wasRed: known.verifyWasRed ?? false, unstartable: known.unstartable ?? [] };
  }
  // Each of them alone: the first that is red must not keep the others from being looked at.
  const results: GateResult[] = [];
  for (const gate of verifyGates(item)) results.push(...(await runChecks(session, { gates: [gate], phase: 'item' })));
  const unstartable = results.filter(cannotStart).map(({ run }) => run);
  for (const run of unstartable) {
    const what = `${item.id}: its check \`${run}\` cannot be started, so it decides nothing unless the work makes it run`;
    session.notice('warn', `${what}; correct it in the plan`);
  }
  return { wasRed: results.some(({ status }) => status !== 'green'), unstartable };
}
