/** What a new plan must satisfy beyond parsing, because its next reader is a session that cannot ask. */
import type { Item, Plan, Problem } from '../protocol.ts';

export interface RuleOptions {
  /** Any number of items is fine. */
  readonly anySize: boolean;
}

const FEWEST = 5;
const MOST = 12;

/** Errors refuse the plan; warnings are for the person who reviews it. */
export function checkNewPlan(plan: Plan, { anySize }: RuleOptions): readonly Problem[] {
  // What is only odd in a plan that people keep is a mistake in one that was just written.
  const parsed = plan.problems.map((problem): Problem => ({ ...problem, level: 'error' }));
  const { items } = plan;
  const size = items.length;
  const problems: Problem[] = [...parsed, ...items.flatMap(checkItem), ...forwardDependencies(items)];
  if (!anySize && size > 0 && (size < FEWEST || size > MOST)) {
    problems.push({
      level: 'warning',
      line: 1,
      column: 1,
      message: `a good plan has ${FEWEST} to ${MOST} items, this one has ${size}`,
    });
  }
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function checkItem(item: Item): readonly Problem[] {
  const { id, line } = item;
  const at = (level: Problem['level'], message: string): Problem => ({
    level,
    line,
    column: 1,
    message: `${id}: ${message}`,
  });
  return [
    item.status === 'pending' ? undefined : at('error', `a new item is pending, not ${item.status}`),
    item.title === id ? at('error', 'the item has no title') : undefined,
    item.criteria.length === 0 ? at('error', 'the item has no acceptance criteria') : undefined,
    item.allow === undefined || item.allow.length === 0
      ? undefined
      : at('error', `only a person may lift a guard (allow: ${item.allow.join(', ')})`),
    item.verify.length === 0
      ? at('warning', 'no check command of its own: only the gates and a claim prove it')
      : undefined,
  ].filter(problem => problem !== undefined);
}

/** Allowed, because dependencies decide; but the order of the file then misleads the reader. */
function forwardDependencies(items: readonly Item[]): readonly Problem[] {
  const position = new Map(items.map((item, index) => [item.id, index]));
  return items.flatMap((item, index) =>
    item.dependsOn
      .filter(id => (position.get(id) ?? -1) > index)
      .map(id => ({
        level: 'warning' as const,
        line: item.line,
        column: 1,
        message: `${item.id} depends on ${id}, which comes after it`,
      })),
  );
}
