/** The items of a run whose plan may be on another branch than the run's. */

/** What a runner adds to a plan by itself, for a red final gate or a finding of a review. */
const ADDED = /^FIX-\d+$/;

export interface Worked<T> {
  readonly ids: Iterable<string>;
  /** Made only where the plan does not have them all. */
  readonly items: () => readonly T[];
}

/**
 * The plan's items and those that the run added to its own copy. Where the file lacks others that the run worked on, it holds
 * another plan: then only those of the run are known.
 */
export function runItems<T extends { readonly id: string }>(plan: readonly T[], worked: Worked<T>): readonly T[] {
  const ids = new Set(plan.map(({ id }) => id));
  const missing = [...worked.ids].filter(id => !ids.has(id));
  if (plan.length > 0 && missing.length === 0) return plan;
  const own = worked.items();
  return plan.length > 0 && missing.every(id => ADDED.test(id))
    ? [...plan, ...own.filter(({ id }) => missing.includes(id))]
    : own;
}
