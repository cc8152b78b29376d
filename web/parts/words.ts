/** The words and seals of all states in one place, so that every view uses the same. */
import type { ItemStand, RunRow, VerdictWord } from '../../src/view/index.ts';
import type { SealName } from './seal.tsx';

type Sealed = readonly [seal: SealName, word: string];

export const VERDICTS: Readonly<Record<VerdictWord, Sealed>> = {
  accepted: ['ok', 'accepted'],
  progress: ['ok', 'kept, continues'],
  rejected: ['no', 'refused'],
  blocked: ['halt', 'blocked'],
  retry: ['retry', 'tried again'],
  aborted: ['skip', 'interrupted'],
  open: ['live', 'working'],
};

export const ITEMS: Readonly<Record<ItemStand, Sealed>> = {
  done: ['ok', 'proven'],
  blocked: ['halt', 'blocked'],
  skipped: ['skip', 'skipped'],
  'in-progress': ['live', 'working'],
  open: ['todo', 'open'],
  held: ['held', 'waits'],
};

const LETTERS: Readonly<Record<string, VerdictWord>> = {
  a: 'accepted',
  p: 'progress',
  r: 'rejected',
  b: 'blocked',
  t: 'retry',
  x: 'aborted',
  o: 'open',
};

export const verdictOf = (letter: string): VerdictWord => LETTERS[letter] ?? 'open';

/** The CSS class of a verdict, on the tape and in the timeline. */
export const CLASSES: Readonly<Record<VerdictWord, string>> = {
  accepted: 'ok',
  progress: 'ok part',
  rejected: 'no',
  blocked: 'halt',
  retry: 'retry',
  aborted: 'cutoff',
  open: 'live',
};

export function runSeal({ status, isLive, needsPerson, problem }: RunRow): SealName {
  if (problem !== null) return 'fix';
  if (isLive) return status === 'waiting' ? 'wait' : status === 'paused' ? 'held' : 'live';
  if (needsPerson && status !== 'complete') return 'halt';
  return status === 'complete' ? 'ok' : 'todo';
}

export const RUNS: Readonly<Record<RunRow['status'], string>> = {
  starting: 'starting',
  running: 'live',
  waiting: 'waiting',
  paused: 'paused',
  complete: 'complete',
  stopped: 'stopped',
  'cut-off': 'interrupted',
  unreadable: 'damaged',
};
