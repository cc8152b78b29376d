import type { Problem } from '../protocol.ts';
import type { Failure } from '../util/result.ts';

/** The failure for a plan with an error: such a plan is never written to. */
export const unreadablePlan = ({ message, line, column }: Problem): Failure => ({
  reason: 'plan-unreadable',
  message,
  line,
  column,
  hint: 'Repair the plan; `ralph check` shows what it can read.',
});
