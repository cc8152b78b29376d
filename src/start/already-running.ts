/** One plan is never worked on by two runs at once. */
import { type LiveSeat, liveSeats } from '../journal/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { Failure } from '../util/result.ts';
import type { Project } from './project.ts';

/** Why this plan cannot be run now: a live run has it. */
export function refuseTwice(
  { folder }: Pick<Project, 'folder'>,
  { run, plan }: { readonly run: string; readonly plan: string },
): Failure | undefined {
  const other = othersLive({ folder }).find(({ owner }) => owner.run === run || owner.plan === plan);
  if (!other) return undefined;
  const its = other.owner.run ?? run;
  return {
    reason: 'locked',
    message: `this plan is being worked on already: run ${its}, pid ${other.owner.process.pid}`,
    hint: `See it with: ralph watch --run ${its}. End it with: ralph stop --run ${its}`,
  };
}

/** Runners beside this process. */
export const othersLive = ({ folder }: Pick<Project, 'folder'>): readonly LiveSeat[] =>
  liveSeats(folder, { isAlive }).filter(({ owner }) => owner.process.pid !== self().pid);
