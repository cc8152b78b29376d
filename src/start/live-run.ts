/** The live run that a command talks to: the one that is named by its id or plan, else the one that began last. */
import { type LiveSeat, liveSeats, seatOfRun, storeOf } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import { ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { findRun } from './find-run.ts';
import { identityOf, meantPlan } from './meant-plan.ts';
import type { Project } from './project.ts';
import { planKeyOf } from './take-over.ts';

export interface Named {
  readonly run?: string | undefined;
  readonly plan?: string | undefined;
}

export interface LiveRun extends LiveSeat {
  /** Other live runs that could have been meant. */
  readonly notes: readonly string[];
}

/** Undefined where none is live, or not the one that is named. */
export function liveRun(project: Project, { run, plan }: Named): Result<LiveRun | undefined> {
  const live = liveSeats(project.folder, { isAlive });
  if (run !== undefined) return ok(known(live.find(({ owner }) => owner.run === run) ?? byJournal(project, run)));
  if (plan !== undefined) {
    const meant = meantPlan(project, plan);
    if (!meant.ok) return { ok: false, error: meant.error.failure };
    const key = planKeyOf(project, meant.value);
    const of = live.find(({ owner }) => owner.plan === key);
    const found = of ? undefined : findRun(project.folder, identityOf(project, meant.value));
    return ok(known(of ?? (found?.ok && found.value ? byJournal(project, found.value.run) : undefined)));
  }
  const [newest, ...others] = live;
  return ok(newest && { ...newest, notes: others.length > 0 ? [alsoLive(newest, others)] : [] });
}

const known = (seat: LiveSeat | undefined): LiveRun | undefined => seat && { ...seat, notes: [] };

/** A runner of an earlier version does not say what it works on. */
function byJournal({ folder }: Project, run: string): LiveSeat | undefined {
  const first = storeOf(folder).firstRecord(run);
  if (first?.type !== 'run.started') return undefined;
  const seat = seatOfRun(folder, first);
  const owner = storeOf(seat).owner({ isAlive });
  return owner && (owner.run === undefined || owner.run === run) ? { seat, owner } : undefined;
}

function alsoLive({ owner }: LiveSeat, others: readonly LiveSeat[]): string {
  const ids = others.slice(0, 3).flatMap(other => (other.owner.run === undefined ? [] : [`--run ${other.owner.run}`]));
  const which = owner.run === undefined ? '' : `, ${owner.run}`;
  return `${plural(others.length + 1, 'run')} are live here; this is the newest${which}. For another: ${ids.join(', ') || 'ralph runs'}`;
}
