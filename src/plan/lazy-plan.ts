/** Plans that are read as far as somebody asks: to mark one item of thousands, nobody has to know the words of the others. */
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

/** A plan of which the rest is read when it is first asked for. */
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

/** A plan that is read already. */
export function wholePlan(plan: Omit<Plan, 'ids' | 'error'>): Plan {
  return { ...plan, ids: plan.items.map(({ id }) => id), error: firstError(plan.problems) };
}

/** In the order of the file. */
export const inOrder = (problems: readonly Problem[]): readonly Problem[] =>
  problems.toSorted((a, b) => a.line - b.line || a.column - b.column);

export const firstError = (problems: readonly Problem[]): Problem | undefined =>
  inOrder(problems).find(({ level }) => level === 'error');
