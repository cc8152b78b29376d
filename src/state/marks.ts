/** Marks that a person, or the runner, sets on an item. */
import type { Durable, Recorded } from '../events.ts';
import { withoutQuestion } from './questions.ts';
import { type ItemState, itemOf, newItem, type RunState, setItem, withItem } from './run-state.ts';

export function markItem(
  state: RunState,
  { item: id, to, by, why, at, asked = at }: Recorded<Extract<Durable, { type: 'item.marked' }>>,
): RunState {
  const marked = by === 'person' ? { markedAt: asked } : {};
  if (to === 'pending') return startAgain(state, id, marked);
  return settle(withItem(withoutQuestion(state, id), id, { status: to, why, ...marked }), { id, by });
}

function settle(marked: RunState, { id, by }: { readonly id: string; readonly by: 'person' | 'runner' }): RunState {
  if (by === 'runner') return marked;
  // A person's mark is final: nothing is left to review.
  const { review: _, accepted: __, settled: ___, ...rest } = itemOf(marked, id);
  return setItem(marked, id, rest);
}

/** Resets the count of attempts, but the next attempt starts with the feedback and the tree of the last one. */
export function retryItem(
  state: RunState,
  { item: id, hint, at, asked = at }: Recorded<Extract<Durable, { type: 'item.retried' }>>,
): RunState {
  const { feedback, carry, verifyWasRed, unstartable, costUsd, durationMs, answers } = itemOf(state, id);
  return startAgain(state, id, {
    feedback,
    costUsd,
    durationMs,
    markedAt: asked,
    ...(carry ? { carry } : {}),
    ...(verifyWasRed === undefined ? {} : { verifyWasRed }),
    ...(unstartable === undefined ? {} : { unstartable }),
    ...(hint ? { hint } : {}),
    ...(answers ? { answers } : {}),
  });
}

/** Resets the item except for what is in `kept`; the trees of its attempts stay under their refs. */
function startAgain(state: RunState, id: string, kept: Partial<ItemState>): RunState {
  const { title, refs, tries } = itemOf(state, id);
  return setItem(state, id, { ...newItem, title, refs, tries, ...kept });
}
