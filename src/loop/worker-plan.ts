/** A worker's plan is a copy of the run's; items that an agent added to it are taken over when its work is accepted. */
import { join, relative } from 'node:path';
import { appendToPlan, movedPlan, type OpenPlan } from '../plan/index.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import type { Session } from './session.ts';

/** The same plan in another checkout. */
export function planIn(plan: OpenPlan, { from, to }: { readonly from: string; readonly to: string }): OpenPlan {
  const path = join(to, relative(from, plan.path));
  return movedPlan(plan, path, plan.bytes);
}

/** Writes the run's plan over whatever was checked out. */
export function keepPlan({ plan, options }: Session): void {
  if (options.planInTree && !readBytes(plan.path)?.equals(plan.bytes)) writeAtomic(plan.path, plan.bytes);
}

/** Takes over items that the agent of an accepted iteration added to its copy. */
export function takeAdded(main: Session, { plan, added }: Session): void {
  for (const item of plan.plan.items) {
    const { id } = item;
    if (!added.includes(id) || main.plan.plan.items.some(known => known.id === id)) continue;
    const appended = appendToPlan(main.plan, item);
    if (!appended.ok) {
      main.notice(
        'warn',
        `${id}, which an agent added to the plan, could not be taken over: ${appended.error.message}`,
      );
      continue;
    }
    writeAtomic(main.plan.path, appended.value.bytes);
    main.plan = appended.value;
  }
}
