/** The items of a run, whose plan may be on another branch than the one checked out. */

/** Items that a runner adds to a plan itself, for a red final gate or a finding of a review. */
const ADDED = /^FIX-\d+$/;

export interface Worked<T> {
  readonly ids: Iterable<string>;
  /** Called only if the plan lacks some of them. */
  readonly items: () => readonly T[];
}

/**
 * The plan's items, and those that the run added to its own copy. If the file lacks other items that the run worked on, the
 * file is another plan: then only the run's own items are known.
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
