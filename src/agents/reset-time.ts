/** The clock times in which agents announce the end of a usage limit, for messages without a machine-readable one. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY = 86_400_000;
// The announced minute has no seconds, and clocks differ a little.
const SLACK = 2 * 60_000;
/** A bare clock time further away than this is more likely one that just passed, or one of another zone. */
const HALF_DAY = DAY / 2;
/** No limit lasts longer than a week; a later date was misread. */
const LONGEST = 8 * DAY;

const TIME = /\b(\d{1,2})(?::(\d{2}))?\s*(am|pm)\b(?:\s*\(([A-Za-z0-9_+/-]{1,40})\))?/i;
const DATE =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\s+(\d{1,2})(?:st|nd|rd|th)?(?:,\s*(\d{4}))?[,\s]+(?:at\s+)?$/i;

/**
 * `resets 9:06pm (UTC)`, `resets Nov 18, 9pm`, `try again at 8:55 PM`: the next such moment in epoch milliseconds.
 * Undefined where the text has no time, an unknown zone, or a moment that cannot be the end of a limit.
 */
export function resetTimeIn(text: string, now: number): number | undefined {
  const match = TIME.exec(text.slice(0, 2000));
  if (!match) return undefined;
  const [, hourText = '', minuteText = '0', half = '', zone = ''] = match;
  const hour = (Number(hourText) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  const minute = Number(minuteText);
  if (Number(hourText) < 1 || Number(hourText) > 12 || minute > 59) return undefined;
  const at = momentIn(zone);
  if (!at) return undefined;
  const date = DATE.exec(text.slice(0, match.index));
  const today = new Date(now);
  const candidates = date
    ? yearsFor(date[3], today).map(year =>
        at(year, MONTHS.indexOf((date[1] ?? '').toLowerCase()), Number(date[2]), hour, minute),
      )
    : [-1, 0, 1, 2].map(days => at(today.getFullYear(), today.getMonth(), today.getDate() + days, hour, minute));
  const moment = candidates.find(candidate => candidate >= now - SLACK);
  if (moment === undefined || moment - now > (date ? LONGEST : HALF_DAY)) return undefined;
  // The named minute has to be over, not just begun.
  return moment + 60_000;
}

/** `Try again in ~60 min.`: that long from now. */
export function resetAfterIn(text: string, now: number): number | undefined {
  const match = /\btry again in ~?(\d{1,5}) ?(s|m|h|d)/i.exec(text.slice(0, 2000));
  if (!match) return undefined;
  const unit = { s: 1000, m: 60_000, h: 3_600_000, d: DAY }[match[2]?.toLowerCase() ?? ''] ?? 0;
  const after = Number(match[1]) * unit;
  return after > LONGEST ? undefined : now + after;
}

type Moment = (year: number, month: number, day: number, hour: number, minute: number) => number;

/** Agents print the machine's own zone, or UTC; any other name was not printed on this machine. */
function momentIn(zone: string): Moment | undefined {
  if (zone === 'UTC' || zone === 'GMT') return Date.UTC;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone !== '' && zone !== own) return undefined;
  return (year, month, day, hour, minute) => new Date(year, month, day, hour, minute).getTime();
}

function yearsFor(written: string | undefined, today: Date): readonly number[] {
  return written ? [Number(written)] : [today.getFullYear(), today.getFullYear() + 1];
}
