/** Looks up an item of a plan by its id, for a change. A plan with an error is never written to. */
import type { Problem } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { unreadablePlan } from './unreadable-plan.ts';

interface Named {
  readonly id: string;
}

/** What the plan has under this id. */
export function namedItem<T extends Named>(known: readonly T[], id: string, error?: Problem): Result<T> {
  if (error) return fail(unreadablePlan(error));
  const found = known.find(each => each.id === id);
  if (found) return ok(found);
  const ids = known.map(each => each.id);
  return fail(unknownItem(id, ids));
}

/** The failure for an unknown item id, with the most similar known id. */
export function unknownItem(id: string, known: readonly string[]): Failure {
  const near = nearest(id, known);
  return {
    reason: 'unknown-item',
    message: `the plan has no item "${id}"`,
    hint: near === undefined ? '`ralph items` lists them.' : `Did you mean "${near}"?`,
  };
}

/** Why an item cannot be added to those that are known. */
export function refuseNew(known: readonly Named[], { id }: Named, error?: Problem): Failure | undefined {
  if (error) return unreadablePlan(error);
  const isTaken = known.some(each => each.id === id);
  return isTaken ? { reason: 'duplicate-item', message: `the plan already has an item "${id}"` } : undefined;
}
