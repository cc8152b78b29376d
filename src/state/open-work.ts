/** What is under way in a run: by any number of workers, each with at most one iteration and one review at a time. */
import type { Durable } from '../events.ts';
import type { OpenIteration, OpenReview, RunState } from './run-state.ts';

/** A run without `--parallel` has one worker, and none of its events says so. */
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

/** Agents and reviewers of which nobody knows yet what they did. */
export const unjudged = ({ openIterations, openReviews }: RunState): readonly (OpenIteration | OpenReview)[] => [
  ...openIterations.filter(({ verdict }) => verdict === undefined),
  ...openReviews,
];

/** The event with the worker whose iteration or review it belongs to: only what starts one has to name it. */
export function withWorker<E extends Durable>(state: RunState, event: E): E {
  const { worker } = openBy(state, event) ?? {};
  return worker === undefined ? event : { ...event, worker };
}

function openBy(state: RunState, event: Durable): Worked | undefined {
  if ('review' in event) return state.openReviews.find(({ review }) => review === event.review);
  // An item can be adopted without its iteration.
  if (!('iteration' in event) || event.type === 'item.adopted') return undefined;
  return openIteration(state, event.iteration);
}

/** By its number, which no other worker has. */
export const openIteration = ({ openIterations }: RunState, number: number): OpenIteration | undefined =>
  openIterations.find(({ iteration }) => iteration === number);

export function startIteration(state: RunState, open: OpenIteration): RunState {
  const others = state.openIterations.filter(other => workerOf(other) !== workerOf(open));
  return {
    ...state,
    iterations: Math.max(state.iterations, open.iteration),
    // Between iterations a person may have committed. Of several workers one may begin on what another has left behind.
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

/** Its number is given again, unless a later one is in use already. */
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
