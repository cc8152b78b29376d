/** The next review: whether it may start, and which reviewer does it. */
import type { DueReview } from '../evidence/index.ts';
import { ok, type Result } from '../util/result.ts';
import { spentLimit } from './limits.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';
import { waitUntil } from './wait-until.ts';
import { firstFree, reviewersOf } from './workers.ts';

/** A review is part of a finished iteration: it takes time and money but does not count as an iteration. */
export async function nextReview(session: Session, due: DueReview): Promise<Result<Stop | undefined>> {
  const limit = spentLimit(session);
  if (limit) return ok(limit);
  if (session.state.waitUntil !== undefined) return ok(await waitUntil(session));
  return await startReview(session, due);
}

export async function startReview(session: Session, due: DueReview): Promise<Result<Stop | undefined>> {
  const reviewer = firstFree(session, reviewersOf(session));
  if (!reviewer) return ok(undefined);
  if ('reason' in reviewer) return ok({ ...reviewer, why: `the reviewer: ${reviewer.why}` });
  const { reviewItem } = await import('./afterwards.ts');
  return await reviewItem(session, due, reviewer);
}
