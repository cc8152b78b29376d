/** Events for programs: one JSON object per line. */
import type { Event, EventSink } from '../events.ts';
import type { Failure } from '../util/result.ts';

/** One line of `ralph run --json`. The build makes its published schema from this type. */
export type JsonLine =
  | (Event & {
      /** When, in epoch milliseconds. */
      readonly at: number;
    })
  | RefusedLine;

/** The only line of a run that was not started. */
export interface RefusedLine extends Failure {
  readonly type: 'refused';
  /** The program's exit code. */
  readonly exit: 2 | 4;
}

/** A longer string keeps only its two ends. */
const STRING_CAP = 4_000;

/** Writes `{at, ...event}` per line; long strings are cut in the middle, with the number of characters left out. */
export function jsonReporter({ write }: { readonly write: (text: string) => void }): EventSink {
  return (event, at) => write(`${toJsonLine({ at, ...event })}\n`);
}

/** JSON on one line that is safe to print on a terminal. */
function toJsonLine(value: JsonLine): string {
  const json = JSON.stringify(value, (_, field: unknown) => (typeof field === 'string' ? capped(field) : field));
  // JSON escapes only the first 32 control codes; terminals also interpret the others.
  return json.replace(/[\u007f-\u009f\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function capped(text: string): string {
  if (text.length <= STRING_CAP) return text;
  const half = STRING_CAP / 2;
  return `${text.slice(0, half)} [${text.length - STRING_CAP} characters left out] ${text.slice(-half)}`;
}
