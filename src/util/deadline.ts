/** Parses a deadline: a time of day, or a date with a time. */

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;
/** Seconds and zone are optional; the default zone is the machine's. */
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?$/;

/** The time in epoch milliseconds; `07:00` means the next one after `now`. Undefined for anything else. */
export function deadlineAt(text: string, now: number): number | undefined {
  const [, hour, minute] = TIME.exec(text.trim()) ?? [];
  if (hour === undefined) return momentOf(text.trim());
  const today = new Date(now);
  const on = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, Number(hour), Number(minute)).getTime();
  // When clocks go forward, a time of day may not exist on that day; then the next day is used.
  return [0, 1, 2].map(on).find(at => at > now);
}

function momentOf(text: string): number | undefined {
  if (!MOMENT.test(text)) return undefined;
  const at = new Date(text.replace(' ', 'T')).getTime();
  return Number.isNaN(at) ? undefined : at;
}

export const isDeadline = (text: string): boolean => deadlineAt(text, 0) !== undefined;
