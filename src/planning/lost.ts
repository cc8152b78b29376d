/** What a converted plan no longer contains: named with its place, never dropped silently. */
import { oneLine, plural } from '../util/show.ts';

export interface Lost {
  /** Absent where it concerns the plan as a whole. */
  readonly line?: number;
  readonly endLine?: number;
  readonly what: string;
}

/** `line 4`, `lines 4-9` and what stood there. */
export function describeLost({ line, endLine, what }: Lost): string {
  if (line === undefined) return what;
  return endLine === undefined || endLine === line ? `line ${line}: ${what}` : `lines ${line}-${endLine}: ${what}`;
}

const SHOWN_IDS = 6;

/** `priority of US-1, US-2 and 3 more items`. */
export function lostOf(what: string, ids: readonly string[]): Lost {
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  const more = ids.length > SHOWN_IDS ? ` and ${plural(ids.length - SHOWN_IDS, 'more item')}` : '';
  return { what: `${what} of ${shown}${more}` };
}

/** Neighbouring lines as one entry each, named by their first words; blank ones hold neighbours together. */
export function lostLines(lines: readonly { readonly line: number; readonly text: string }[]): readonly Lost[] {
  const found: { line: number; endLine: number; what: string }[] = [];
  let next = 0;
  for (const { line, text } of lines) {
    if (text.trim() === '') {
      if (line === next) next += 1;
      continue;
    }
    const last = found.at(-1);
    if (last && line === next) last.endLine = line;
    else found.push({ line, endLine: line, what: oneLine(text, 60) });
    next = line + 1;
  }
  return found;
}
