/** The runs that are open here: what a command means that names no plan. */
import { type RalphFolder, readRunFast, storeOf } from '../journal/index.ts';
import { isComplete, type RunState } from '../state.ts';

/** The plans worked on last; older ones can still be named, and nobody waits for a thousand journals to be read. */
const LOOKED_AT = 12;

/**
 * Runs that have not ended as complete, or have items that a person opened again, the last one worked on first. Of the runs of one plan's path only the newest
 * counts: what an older one left undone was taken up, or its file holds another plan.
 */
export function openRuns(folder: RalphFolder): readonly RunState[] {
  const seen = new Set<string>();
  return storeOf(folder)
    .runsWithPlans()
    .slice(0, LOOKED_AT)
    .flatMap(({ run, plan }) => {
      if (plan !== '' && seen.has(plan)) return [];
      seen.add(plan);
      const read = readRunFast(folder, run);
      // What cannot be read is reported where its plan is named.
      if (!read.ok || read.value.state.run === '') return [];
      const { state } = read.value;
      return isComplete(state) || state.discarded ? [] : [state];
    });
}
