/** Refuses a plan with more items than Ralph is made for, before parsing it: parsing alone would take minutes. */
import type { Failure } from '../util/result.ts';

/** Twice the number that is known to work. */
export const MAX_ITEMS = 200_000;
/** A smaller file cannot contain that many items. */
export const WORTH_COUNTING = 2 * MAX_ITEMS;

/** A pattern that occurs once per item, by file extension. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  json: /"(?:id|passes|title)"\s*:/g,
  yaml: /^\s*-\s/gm,
  md: /^\s*(?:[-*+]|\d+[.)]) \[[ xX~!-]\]/gm,
};

export function tooMany(text: string, file: string): Failure | undefined {
  if (text.length < WORTH_COUNTING) return undefined;
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  const sign = SIGNS[ending === 'yml' ? 'yaml' : ending];
  if (!sign) return undefined;
  const counts = new Map<string, number>();
  for (const [found] of text.matchAll(sign)) {
    // Each field of a JSON story is counted on its own; the most frequent one decides.
    const kind = ending === 'json' ? found : '';
    const count = (counts.get(kind) ?? 0) + 1;
    if (count > MAX_ITEMS) return failure(file);
    counts.set(kind, count);
  }
  return undefined;
}

const failure = (file: string): Failure => ({
  reason: 'plan-too-many',
  message: `this plan has more than ${MAX_ITEMS.toLocaleString('en')} items, more than one run can handle`,
  file,
  hint: 'Split it into several files, and run one after the other: ralph run part-1.md, then ralph run part-2.md --after part-1.md',
});
