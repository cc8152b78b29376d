/** Plans that are parsed on demand: marking one of thousands of items does not need the text of the others. */
import type { Plan, Problem } from '../protocol.ts';
import { once } from '../util/once.ts';

type Told = Pick<Plan, 'format' | 'path' | 'error' | 'repeats' | 'after' | 'documents' | 'testCommand'>;

export interface ReadLater {
  readonly name: () => string;
  readonly ids: () => Plan['ids'];
  readonly items: () => Plan['items'];
  readonly problems: () => Plan['problems'];
  readonly instructions: () => string;
  readonly about?: () => string;
  readonly documents?: () => NonNullable<Plan['documents']>;
}

/** A plan whose other fields are computed on first access. */
export function lazyPlan(told: Told, later: ReadLater): Plan {
  const name = once(later.name);
  const ids = once(later.ids);
  const items = once(later.items);
  const problems = once(later.problems);
  const instructions = once(later.instructions);
  const about = once(later.about ?? (() => ''));
  const documents = once(later.documents ?? (() => []));
  return {
    ...told,
    get name() {
      return name();
    },
    get ids() {
      return ids();
    },
    get items() {
      return items();
    },
    get problems() {
      return problems();
    },
    get instructions() {
      return instructions();
    },
    get about() {
      return about();
    },
    get documents() {
      return documents();
    },
  };
}

/** A plan that is already parsed completely. */
export function wholePlan(plan: Omit<Plan, 'ids' | 'error'>): Plan {
  return { ...plan, ids: plan.items.map(({ id }) => id), error: firstError(plan.problems) };
}

/** Problems in the order of the file. */
export const inOrder = (problems: readonly Problem[]): readonly Problem[] =>
  problems.toSorted((a, b) => a.line - b.line || a.column - b.column);

export const firstError = (problems: readonly Problem[]): Problem | undefined =>
  inOrder(problems).find(({ level }) => level === 'error');
