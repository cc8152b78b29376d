/** The status words that a file uses, so that a mark uses the same ones. */
import type { Mark } from '../protocol.ts';
import { statusKey, statusOfWord, statusWord } from './prd-state.ts';
import type { Story } from './prd-stories.ts';

export interface Vocabulary {
  /** Every status word in the file. */
  readonly all: readonly string[];
  /** The field they are in. */
  readonly key: 'status' | 'state';
  /** The file's own word for a status; `now` is the word it replaces. */
  choose(status: Mark['to'], now?: string): string;
}

export function vocabularyOf(stories: readonly Story[]): Vocabulary {
  const counts = new Map<string, number>();
  for (const { value } of stories) {
    const word = statusWord(value);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const all = [...counts.keys()];
  const choose = (status: Mark['to'], now?: string): string => {
    // Not "failed" for pending nor "cancelled" for skipped: similar, but not what was decided.
    const any = status === 'done' || status === 'pending';
    const fits = all.filter(word =>
      any ? statusOfWord(word) === status && !/^(?:failed|)$/i.test(word) : word.toLowerCase() === status,
    );
    const best = fits.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0];
    return best ?? inCaseOf(status, now ?? all[0] ?? '');
  };
  const key = stories.some(({ value }) => statusKey(value) === 'state') ? 'state' : 'status';
  return { all, key, choose };
}

function inCaseOf(word: string, sample: string): string {
  if (!/[A-Z]/.test(sample)) return word;
  return /[a-z]/.test(sample) ? word.charAt(0).toUpperCase() + word.slice(1) : word.toUpperCase();
}
