/** The words for states in a PROGRESS.yaml. */
import type { ItemStatus, Mark } from '../../protocol.ts';

const WORDS: Readonly<Record<string, ItemStatus>> = {
  '': 'pending',
  pending: 'pending',
  'not-started': 'pending',
  queued: 'pending',
  todo: 'pending',
  paused: 'pending',
  'in-progress': 'in-progress',
  running: 'in-progress',
  started: 'in-progress',
  completed: 'done',
  complete: 'done',
  done: 'done',
  passed: 'done',
  blocked: 'blocked',
  failed: 'blocked',
  'needs-human': 'blocked',
  skipped: 'skipped',
  cancelled: 'skipped',
};

/** The state that a word means; undefined if it is unknown. */
export function statusOf(word: string): ItemStatus | undefined {
  if (Object.hasOwn(WORDS, word)) return WORDS[word];
  const key = word.toLowerCase().replaceAll(/[_ ]/g, '-');
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
}

export const wordFor: Readonly<Record<Mark['to'], string>> = {
  done: 'completed',
  pending: 'pending',
  blocked: 'blocked',
  skipped: 'skipped',
};

/** Every known word. */
export const statusWords: readonly string[] = Object.keys(WORDS).filter(word => word !== '');
