/**
 * A runner that dies again and again while the same item is being worked on is killed by that item: by its agent, or by code
 * that the gates run. From the third time on this is a rejected attempt, so that it comes to an end.
 */
import { self } from '../process/index.ts';
import type { Evidence, Verdict } from '../protocol.ts';
import { itemOf, type OpenIteration, type RunState } from '../state.ts';
import { plural } from '../util/show.ts';

const TOLERATED = 2;
const NOTHING = { files: 0, added: 0, deleted: 0, findings: [], gates: [], verify: [], verifyWasRed: false } as const;

/** Which death of its item this is; 0 where a person, a power cut or a failure that was told ended the runner. */
export function deathOf(open: OpenIteration, before: RunState): number {
  // Without an agent nothing of the item ran; in another boot the machine went down with everything on it.
  const isItems = open.process !== undefined && open.process.boot === self().boot;
  if (!isItems || open.stopping || before.finished !== undefined) return 0;
  return (itemOf(before, open.item).deaths ?? 0) + 1;
}

export const isCharged = (death: number): boolean => death > TOLERATED;

/** What there is to judge by: nothing but what was found. */
export function verdictOnDeath(
  death: number,
  found: Pick<Evidence, 'tree' | 'changed'>,
): { readonly evidence: Evidence; readonly verdict: Extract<Verdict, { type: 'rejected' }> } {
  const why = `the runner died ${plural(death, 'time')} while this item was being worked on`;
  return {
    evidence: { ...found, ...NOTHING },
    verdict: {
      type: 'rejected',
      reason: 'runner-died',
      why,
      feedback: `${why}, and all of that work was set aside. End no process that you did not start, and look for tests or scripts that kill their parent or use up the memory.`,
      signature: 'runner-died',
      next: 'fresh',
    },
  };
}
