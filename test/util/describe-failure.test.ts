import { expect, test } from 'vitest';
import { describeFailure } from '../../src/util/result.ts';

test('every line of a hint is indented below its failure', () => {
  const text = describeFailure({
    reason: 'wrong-kind',
    message: 'no item',
    hint: 'Add one.\nOr name another plan.',
    file: 'prd.json',
    line: 3,
  });
  expect(text).toBe('prd.json:3: no item\n  Add one.\n  Or name another plan.');
});
