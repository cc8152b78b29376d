/** The items of a run, whose plan may be on another branch than the one checked out. */
import { sameTitle } from '../util/same-title.ts';

/** Items that a runner adds to a plan itself, for a red final gate or a finding of a review. */
const ADDED = /^FIX-\d+$/;

interface Named {
  readonly id: string;
  readonly title: string;
}

export interface Worked<T> {
  readonly ids: Iterable<string>;
  /** Called only if the plan lacks some of them. */
  readonly items: () => readonly T[];
}

/**
 * The plan's items, and those that only the run's own copy has. If the file has none of the items that the run worked on, it
 * is another plan: then only the run's own items are known.
 */
export function runItems<T extends Named>(plan: readonly T[], worked: Worked<T>): readonly T[] {
  const titles = new Map(plan.map(({ id, title }) => [id, title]));
  const missing = new Set([...worked.ids].filter(id => !titles.has(id)));
  if (plan.length > 0 && missing.size === 0) return plan;
  const own = worked.items();
  const isSame = own.some(
    ({ id, title }) => titles.has(id) && (title === '' || sameTitle(titles.get(id) ?? '', title)),
  );
  return plan.length > 0 && (isSame || [...missing].every(id => ADDED.test(id)))
    ? [...plan, ...own.filter(({ id }) => missing.has(id))]
    : own;
}
