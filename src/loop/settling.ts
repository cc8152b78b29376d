/** Green work that was kept without a claim, and a fresh session that neither claims it nor has anything to add. */
import { asksPerson } from '../agents/index.ts';
import type { AgentOutcome, Claim } from '../protocol.ts';
import type { ItemState } from '../state.ts';
import type { Session } from './session.ts';

export interface Heard {
  readonly known: ItemState;
  /** The last attempt's work is what this session started from. */
  readonly carried: boolean;
  readonly claim: Claim;
  readonly outcome: AgentOutcome;
}

/** Whether the item has settled if the tree is as it was. A prompt ends with its promise, so it never settles. */
export function isSettling({ settings, plan }: Session, { known, carried, claim, outcome }: Heard): boolean {
  if (settings.claims !== 'settle' || plan.plan.repeats) return false;
  if (!isUnclaimed(known, carried) || claim.type !== 'none' || outcome.failure) return false;
  return !asksPerson(outcome.message) && (outcome.denied ?? []).length === 0;
}

/** The last attempt was green and nobody claimed it. */
export const isUnclaimed = ({ signature }: ItemState, carried: boolean): boolean => carried && signature === 'no-claim';

/** The one more session that work without a claim gets, although its attempts are used up. */
export const mayStillSettle = ({ settings, plan }: Session, known: ItemState): boolean =>
  settings.claims === 'settle' && !plan.plan.repeats && known.signature === 'no-claim' && known.repeats === 1;
