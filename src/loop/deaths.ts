/**
 * If a runner dies again and again while it works on the same item, that item kills it: its agent, or code that the gates run. From the
 * third death on, each counts as a rejected attempt, so that the item is blocked in the end.
 */
import { self } from '../process/index.ts';
import type { Evidence, Verdict } from '../protocol.ts';
import { itemOf, type OpenIteration, type RunState } from '../state.ts';
import { plural } from '../util/show.ts';

const TOLERATED = 2;
const NOTHING = { files: 0, added: 0, deleted: 0, findings: [], gates: [], verify: [], verifyWasRed: false } as const;

/** How many times the runner died on this item; 0 if a person, a power cut or a recorded failure ended it. */
export function deathOf(open: OpenIteration, before: RunState): number {
  // Without an agent none of the item's code ran; after a reboot, the whole machine went down.
  const isItems = open.process !== undefined && open.process.boot === self().boot;
  if (!isItems || open.stopping || before.finished !== undefined) return 0;
  return (itemOf(before, open.item).deaths ?? 0) + 1;
}

export const isCharged = (death: number): boolean => death > TOLERATED;

/** A verdict without evidence: only the tree that was found is known. */
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
