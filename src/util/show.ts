/** Makes text safe for a terminal, and formats numbers for people. */

// CSI, OSC (ended by BEL or ST), other escapes, then single control characters except tab and newline.
const CONTROL =
  // biome-ignore lint: control characters are what this is about
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][\s\S]*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Text without control codes, so that an agent's output cannot move the cursor, set the clipboard or fake a line. */
export function plain(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(CONTROL, '');
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width = 100): string {
  const flat = plain(text).replace(/\s+/g, ' ').trim();
  return flat.length <= width ? flat : `${flat.slice(0, Math.max(0, width - 1))}…`;
}

/** `850ms`, `12s`, `4m 05s`, `2h 10m`. */
export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`;
}

export function showTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(2)}M`;
}

export function showBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  if (bytes < 1024 ** 3) return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

export const showCost = (usd: number): string => `$${usd.toFixed(2)}`;

/** How a red gate ended, in words. */
export const gateEnd = ({ status, exit }: { readonly status: string; readonly exit: number | null }): string =>
  status === 'timeout' ? 'ran out of time' : `exited ${exit ?? 'by a signal'}`;

/** `a, b, c and 2 more`. */
export const firstFew = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');

/** `1 item`, `2 items`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
