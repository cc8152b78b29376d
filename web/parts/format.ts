/** Formats numbers, times and durations for people. */

export const usd = (amount: number): string => `$${amount.toFixed(2)}`;

/** In a table: an agent that reports no cost is not one that costs nothing. */
export const cost = (amount: number): string => (amount > 0 ? usd(amount) : '–');

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 950) return `${(ms / 1000).toFixed(1)}s`;
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
}

/** Minutes and seconds since something began. */
export function offset(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

export function tokens(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(Math.round(count));
}

export function clock(at: number): string {
  const date = new Date(at);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

export const clockWithSeconds = (at: number): string => `${clock(at)}:${pad(new Date(at).getSeconds())}`;

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** The time today, "yesterday", or else the date. */
export function dayOf(at: number, now: number): string {
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000);
  if (days <= 0) return clock(at);
  return days === 1 ? 'yesterday' : day.format(at);
}

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
export const moment = (at: number): string => moments.format(at);

function midnight(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

const pad = (value: number): string => String(value).padStart(2, '0');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const percent = (part: number, whole: number): number => (whole > 0 ? Math.round((part / whole) * 100) : 0);

export const sum = <T>(list: Iterable<T>, of: (each: T) => number): number => {
  let total = 0;
  for (const each of list) total += of(each);
  return total;
};

/** The first line, for rows with room for one. */
export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
