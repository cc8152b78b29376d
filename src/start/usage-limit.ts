/** What a usage limit of some hours would mean for a run that starts now. */
import { localMoment } from '../report/index.ts';
import { deadlineAt } from '../util/deadline.ts';

const FIVE_HOURS = 5 * 3_600_000;

export function usageLimitMeans(deadline: string | undefined, now: number): string {
  const reset = now + FIVE_HOURS;
  const end = deadline === undefined ? undefined : deadlineAt(deadline, now);
  const at = localMoment(reset, now);
  if (end === undefined)
    return `at a usage limit of five hours the run would wait until ${at} and continue; with --deadline 07:00 it would stop instead of waiting past it`;
  if (end <= reset)
    return `at a usage limit of five hours the run would stop immediately, because ${at} is past the deadline ${localMoment(end, now)}`;
  return `at a usage limit of five hours the run would wait until ${at} and continue until the deadline ${localMoment(end, now)}`;
}
