/** Which accepted item is reviewed next, and which reviews need a person. */
import type { Item, ItemStatus } from '../protocol.ts';
import { itemOf, needsPerson, type ReviewState, type RunState, UNCLEAR_LIMIT } from '../state.ts';
import { globMatcher } from '../util/globs.ts';

/** Which items are reviewed, and after how many rounds a person has to look. */
interface ReviewRule {
  readonly items: readonly string[];
  readonly rounds: number;
}

export interface ReviewPlace {
  readonly state: RunState;
  readonly review: ReviewRule | undefined;
  readonly items: readonly Item[];
  readonly status: (item: Item) => ItemStatus;
}

export interface DueReview {
  readonly item: Item;
  readonly round: number;
}

/** The first accepted item, in the plan's order, whose review is not settled. */
export function dueReview(place: ReviewPlace): DueReview | undefined {
  for (const item of reviewable(place)) {
    const { review } = itemOf(place.state, item.id);
    if (isDue(place, review)) return { item, round: (review?.rounds ?? 0) + 1 };
  }
  return undefined;
}

/** What earlier runs of the plan did for an item. */
export interface Earlier {
  readonly run: string;
  /** The accepted iteration, and the commit of its work. */
  readonly accepted?: number;
  readonly commit?: string;
  readonly isReviewed: boolean;
  /** The item fixed another one, and was reviewed with it. */
  readonly isFix: boolean;
}

/** A request to review items instead of working on them. */
export interface AskedReviews {
  /** Empty means all items that the config selects for review. */
  readonly named: readonly string[];
  readonly earlier: ReadonlyMap<string, Earlier>;
}

/** The next done item that was never reviewed, whoever did it: once each, again if the review was unreadable or its findings are fixed. */
export function dueOfDone(place: ReviewPlace & AskedReviews): DueReview | undefined {
  const { state, review: rule, items, named, earlier, status } = place;
  const matches = globMatcher(rule?.items ?? []);
  const fixes = fixesIn(state);
  for (const item of items) {
    const isMeant = named.length > 0 ? named.includes(item.id) : matches(item.id) || matches(item.title);
    if (!isMeant || status(item) !== 'done' || fixes.has(item.id) || earlier.get(item.id)?.isFix) continue;
    const { review } = itemOf(state, item.id);
    const isNew = item.reviewed === undefined && !earlier.get(item.id)?.isReviewed;
    if (review ? isDue(place, review) : isNew) return { item, round: (review?.rounds ?? 0) + 1 };
  }
  return undefined;
}

const fixesIn = (state: RunState): ReadonlySet<string> =>
  new Set([...state.items.values()].flatMap(known => known.review?.fixes ?? []));

/** Items whose review needs a person. */
export function unsettledReviews(place: ReviewPlace): readonly Item[] {
  const maxRounds = place.review?.rounds ?? 0;
  return reviewable(place).filter(item => {
    const { review } = itemOf(place.state, item.id);
    return review !== undefined && needsPerson(review, { maxRounds });
  });
}

function reviewable({ state, review, items, status }: ReviewPlace): readonly Item[] {
  if (!review) return [];
  const matches = globMatcher(review.items);
  const fixes = fixesIn(state);
  return items.filter(
    item =>
      itemOf(state, item.id).accepted !== undefined &&
      status(item) === 'done' &&
      // A fix is reviewed with the item it fixes; otherwise fixes of fixes would never end.
      !fixes.has(item.id) &&
      (matches(item.id) || matches(item.title)),
  );
}

function isDue({ review: settings, items, status }: ReviewPlace, review: ReviewState | undefined): boolean {
  if (!review) return true;
  if (review.verdict === 'unclear') return review.unclear < UNCLEAR_LIMIT;
  if (review.verdict === 'pass' || needsPerson(review, { maxRounds: settings?.rounds ?? 0 })) return false;
  const fix = items.find(item => item.id === review.fixes.at(-1));
  return fix !== undefined && status(fix) === 'done';
}
