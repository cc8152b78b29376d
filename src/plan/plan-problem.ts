import type { Failure } from '../util/result.ts';
import type { OpenPlan } from './read-file.ts';

/** Why a plan cannot be run, if it cannot. */
export function planProblem({ plan }: OpenPlan): Failure | undefined {
  if (!plan.error) return undefined;
  const { message, line, column } = plan.error;
  return {
    reason: 'plan-invalid',
    message,
    file: plan.path,
    line,
    column,
    hint: 'Nothing was written. See: ralph check',
  };
}
