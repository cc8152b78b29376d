import { expect, test } from 'vitest';
import { runItems } from '../../src/report/run-items.ts';

const items = (...ids: readonly string[]) => ids.map(id => ({ id, title: id }));
const joined = (plan: readonly string[], worked: readonly string[]) =>
  runItems(items(...plan), { ids: worked, items: () => items(...worked) }).map(({ id }) => id);

test('the items of a run are those of its plan on whichever branch is checked out, and what the run added', () => {
  expect(joined(['A', 'B', 'C'], ['A'])).toEqual(['A', 'B', 'C']);
  expect(joined(['A', 'B', 'C'], ['A', 'FIX-1'])).toEqual(['A', 'B', 'C', 'FIX-1']);
  // An item that was added on the run's branch.
  expect(joined(['A', 'B'], ['A', 'C'])).toEqual(['A', 'B', 'C']);
  // Another plan is under that path now.
  expect(joined(['X', 'Y'], ['A', 'FIX-1'])).toEqual(['A', 'FIX-1']);
  expect(joined([], ['A'])).toEqual(['A']);
  const other = [{ id: 'A', title: 'Another story' }];
  expect(runItems(other, { ids: ['A', 'B'], items: () => items('A', 'B') })).toEqual(items('A', 'B'));
});
