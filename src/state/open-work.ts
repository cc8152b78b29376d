/** The open work of a run: each worker has at most one iteration and one review at a time. */
import type { Durable } from '../events.ts';
import type { OpenIteration, OpenReview, RunState } from './run-state.ts';

/** A run without `--parallel` has one worker, which its events do not name. */
interface Worked {
  readonly worker?: number;
}

const workerOf = ({ worker = 0 }: Worked): number => worker;

/** The iteration that this worker has started and not finished. */
export const openOf = ({ openIterations }: RunState, worker = 0): OpenIteration | undefined =>
  openIterations.find(open => workerOf(open) === worker);

/** The review that this worker has started and not finished. */
export const openReviewOf = ({ openReviews }: RunState, worker = 0): OpenReview | undefined =>
  openReviews.find(open => workerOf(open) === worker);

/** Iterations before reviews, each in the order of their start. */
export const openWork = ({ openIterations, openReviews }: RunState): readonly (OpenIteration | OpenReview)[] => [
  ...openIterations,
  ...openReviews,
];

/** Agents and reviewers whose work has no verdict yet. */
export const unjudged = ({ openIterations, openReviews }: RunState): readonly (OpenIteration | OpenReview)[] => [
  ...openIterations.filter(({ verdict }) => verdict === undefined),
  ...openReviews,
];

/** Adds the number of the worker whose iteration or review the event belongs to, so that only the starting event has to name it. */
export function withWorker<E extends Durable>(state: RunState, event: E): E {
  const { worker } = openBy(state, event) ?? {};
  return worker === undefined ? event : { ...event, worker };
}

function openBy(state: RunState, event: Durable): Worked | undefined {
  if ('review' in event) return state.openReviews.find(({ review }) => review === event.review);
  // An item can be adopted without an open iteration.
  if (!('iteration' in event) || event.type === 'item.adopted') return undefined;
  return openIteration(state, event.iteration);
}

/** Finds an open iteration by its number, which is unique among all workers. */
export const openIteration = ({ openIterations }: RunState, number: number): OpenIteration | undefined =>
  openIterations.find(({ iteration }) => iteration === number);

export function startIteration(state: RunState, open: OpenIteration): RunState {
  const others = state.openIterations.filter(other => workerOf(other) !== workerOf(open));
  return {
    ...state,
    iterations: Math.max(state.iterations, open.iteration),
    // A person may have committed between two iterations. One of several workers may start on an older commit than the tip.
    tip: others.length === 0 && open.worker === undefined ? open.base : state.tip,
    openIterations: [...others, open],
  };
}

export function changeIteration(state: RunState, number: number, change: Partial<OpenIteration>): RunState {
  const changed = (open: OpenIteration) => (open.iteration === number ? { ...open, ...change } : open);
  return { ...state, openIterations: state.openIterations.map(changed) };
}

export const endIteration = (state: RunState, number: number): RunState => ({
  ...state,
  openIterations: state.openIterations.filter(({ iteration }) => iteration !== number),
});

/** Frees the iteration's number for reuse, unless a later number is already in use. */
export const dropIteration = (state: RunState, number: number): RunState => ({
  ...endIteration(state, number),
  iterations: state.iterations === number ? number - 1 : state.iterations,
});

export function startReview(state: RunState, open: OpenReview): RunState {
  const others = state.openReviews.filter(other => workerOf(other) !== workerOf(open));
  return {
    ...state,
    reviews: Math.max(state.reviews, open.review),
    tip: others.length === 0 && state.openIterations.length === 0 ? open.base : state.tip,
    openReviews: [...others, open],
  };
}

export function changeReview(state: RunState, number: number, change: Partial<OpenReview>): RunState {
  const changed = (open: OpenReview) => (open.review === number ? { ...open, ...change } : open);
  return { ...state, openReviews: state.openReviews.map(changed) };
}

export const endReview = (state: RunState, number: number): RunState => ({
  ...state,
  openReviews: state.openReviews.filter(({ review }) => review !== number),
});
