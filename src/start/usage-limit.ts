/** What a usage limit of some hours would mean for a run that starts now. */
import { localMoment } from '../report/layout.ts';
import { deadlineAt } from '../util/deadline.ts';

const FIVE_HOURS = 5 * 3_600_000;

export function usageLimitMeans(deadline: string | undefined, now: number): string {
  const reset = now + FIVE_HOURS;
  const end = deadline === undefined ? undefined : deadlineAt(deadline, now);
  const at = localMoment(reset, now);
  if (end === undefined)
    return `a usage limit of five hours: the run waits until ${at} and goes on; with --deadline 07:00 it would end instead of waiting past it`;
  if (end <= reset)
    return `a usage limit of five hours: the run ends at once, because ${at} is past the deadline ${localMoment(end, now)}`;
  return `a usage limit of five hours: the run waits until ${at} and goes on until the deadline ${localMoment(end, now)}`;
}
