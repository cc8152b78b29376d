/** Settling: green work without a claim is accepted when a fresh session neither claims it nor has anything to add. */
import { asksPerson } from '../agents/index.ts';
import type { AgentOutcome, Claim } from '../protocol.ts';
import type { ItemState } from '../state.ts';
import type { Session } from './session.ts';

export interface Heard {
  readonly known: ItemState;
  /** This session started from the work of the last attempt. */
  readonly carried: boolean;
  readonly claim: Claim;
  readonly outcome: AgentOutcome;
}

/** Whether the item settles if the tree has not changed. A prompt ends with its promise, so it never settles. */
export function isSettling({ settings, plan }: Session, { known, carried, claim, outcome }: Heard): boolean {
  if (settings.claims !== 'settle' || plan.plan.repeats) return false;
  if (!isUnclaimed(known, carried) || claim.type !== 'none' || outcome.failure) return false;
  return !asksPerson(outcome.message) && (outcome.denied ?? []).length === 0;
}

/** The last attempt was green but made no claim. */
export const isUnclaimed = ({ signature }: ItemState, carried: boolean): boolean => carried && signature === 'no-claim';

/** Unclaimed work gets one more session, even if its attempts are used up. */
export const mayStillSettle = ({ settings, plan }: Session, known: ItemState): boolean =>
  settings.claims === 'settle' && !plan.plan.repeats && known.signature === 'no-claim' && known.repeats === 1;
