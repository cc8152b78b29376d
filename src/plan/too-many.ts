/** A plan of more items than anything here is made for is refused before it is parsed: that alone would take minutes. */
import type { Failure } from '../util/result.ts';

/** Twice what is known to work. */
export const MAX_ITEMS = 200_000;
/** So many items need more than this. */
export const WORTH_COUNTING = 2 * MAX_ITEMS;

/** What stands once in each item of a plan, by the ending of its file. */
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
    // Of a story only one field is counted: the one that most of them have.
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
