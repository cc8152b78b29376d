/**
 * Journals that were recorded before a run could have several workers, and what each of their records made of the state
 * then: they are read as they always were. `set` and `gone` are the keys of the state that a record changed.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../src/journal/read-journal.ts';
import { fold, type RunState, reduce } from '../../src/state.ts';

type Keys = Readonly<Record<string, unknown>>;

interface Step {
  readonly seq: number;
  readonly set: Keys;
  readonly gone: readonly string[];
}

const path = (name: string): string => fileURLToPath(new URL(`recorded/${name}`, import.meta.url));

const stepsIn = (name: string): readonly Step[] =>
  readFileSync(path(name), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Step);

/** The state in the shape it had with one worker. */
function asBefore({ openIterations, openReviews, ...state }: RunState): Keys {
  const [open, openReview] = [openIterations[0], openReviews[0]];
  const before = { ...state, items: Object.fromEntries(state.items), open, openReview };
  return JSON.parse(JSON.stringify(before)) as Keys;
}

function stepsOf(file: string): readonly Step[] {
  const steps: Step[] = [];
  let state = fold([]);
  let was: Keys = {};
  const read = readJournal(file, record => {
    state = reduce(state, record);
    const is = asBefore(state);
    const set = Object.entries(is).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key]));
    steps.push({ seq: record.seq, set: Object.fromEntries(set), gone: Object.keys(was).filter(key => !(key in is)) });
    was = is;
  });
  expect(read.ok).toBe(true);
  return steps;
}

describe('a journal of a run with one worker', () => {
  test.each(['killed', 'reviewed'])('that was recorded before folds to the same state: %s', name => {
    const steps = stepsIn(`${name}.states.jsonl`);
    expect(steps.length).toBeGreaterThan(30);
    expect(stepsOf(path(`${name}.jsonl`))).toEqual(steps);
  });
});
