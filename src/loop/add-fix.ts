/** Appends an item to the plan that fixes what a final gate or a review found. */
import { appendToPlan, rereadPlan } from '../plan/index.ts';
import type { NewItem } from '../protocol.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { Session } from './session.ts';
import { rereadTrusted } from './trusted-plan.ts';

/** `FIX-<n>`, with the lowest number that neither the plan nor the run has used. */
export function freeFixId(session: Session): string {
  const taken = new Set([...rereadPlan(session.plan).plan.items.map(item => item.id), ...session.state.items.keys()]);
  let n = 1;
  while (taken.has(`FIX-${n}`)) n += 1;
  return `FIX-${n}`;
}

/** Writes the item into the plan, unless a runner that died already did. */
export function addToPlan(session: Session, item: NewItem): Result<void> {
  const current = rereadTrusted(session);
  session.plan = current;
  if (current.plan.items.some(known => known.id === item.id)) return ok(undefined);
  const appended = appendToPlan(current, item);
  if (!appended.ok) return appended;
  writeAtomic(current.path, appended.value.bytes);
  session.plan = appended.value;
  return ok(undefined);
}
