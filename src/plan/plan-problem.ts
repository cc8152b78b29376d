import type { Plan, Problem } from '../protocol.ts';
import type { Failure } from '../util/result.ts';
import { deadlock } from './dependencies.ts';
import type { OpenPlan } from './read-file.ts';

/** Why a plan cannot be run, or undefined. */
export function planProblem({ plan }: OpenPlan): Failure | undefined {
  return plan.error && failureOf(plan, plan.error);
}

/** The same after reading every item: a deadlock is in no single item, and other problems are outside the plan. */
export function wholePlanProblem({ plan }: OpenPlan, beside?: Problem): Failure | undefined {
  const error = plan.error ?? deadlock(plan.items) ?? beside;
  return error && failureOf(plan, error);
}

function failureOf(plan: Plan, { message, line, column }: Problem): Failure {
  return {
    reason: 'plan-invalid',
    message,
    file: plan.path,
    line,
    column,
    hint: 'Nothing was written. See: ralph check',
  };
}
