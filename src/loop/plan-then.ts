/** The items of the plan for the snapshot of a run; undefined if the file has changed since it was read. */
import { fileVersion, type PlanThen } from '../journal/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import { readAgain } from '../util/files.ts';

export function planThen({ path, bytes, plan }: OpenPlan): PlanThen | undefined {
  const version = fileVersion(path);
  if (version === undefined || readAgain(path, bytes) !== bytes) return undefined;
  return {
    version,
    items: plan.items.map(({ id, title, status, note }) => ({
      id,
      title,
      status,
      ...(note === undefined ? {} : { note }),
    })),
  };
}
