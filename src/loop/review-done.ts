/** `ralph review --items`: works on no item, but reviews each done item that was never reviewed, once. */
import { type AskedReviews, dueOfDone, unsettledReviews } from '../evidence/index.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { isClosed, statusIn } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { finishPlan } from './finish-plan.ts';
import { nextReview } from './next-review.ts';
import { obey } from './obey.ts';
import { readPlan } from './read-plan.ts';
import type { Session } from './session.ts';
import { settleReviews } from './settle-review.ts';
import type { Stop } from './stop.ts';

export async function reviewDone(session: Session, { named, earlier }: AskedReviews): Promise<Result<Stop>> {
  const { settings, state: before } = session;
  const reviewsBefore = before.reviews;
  for (;;) {
    const request = await obey(session);
    if (request) return ok(request);
    const plan = readPlan(session);
    if (!plan.ok) return plan;
    const { items } = plan.value.plan;
    const status = (item: Item): ItemStatus => statusIn(session.state, item);
    const settled = await settleReviews(session);
    if (!settled.ok) return settled;
    const place = { state: session.state, review: settings.review, items, status };
    const due = dueOfDone({ ...place, named, earlier });
    if (due) {
      const end = await nextReview(session, due);
      if (!end.ok) return end;
      if (end.value) return ok(end.value);
      continue;
    }
    const isLeft = items.some(item => !isClosed(status(item)));
    // The marks of reviews are new commits, so a complete plan has to pass its final gates again.
    const end = isLeft ? undefined : await finishPlan(session, { items, status });
    if (end && !end.ok) return end;
    if (end?.value) return ok(end.value);
    const waiting = unsettledReviews(place).length;
    const counts = `${plural(session.state.reviews - reviewsBefore, 'review')} made`;
    const person = waiting === 0 ? '' : `, ${waiting} not settled`;
    return ok({ reason: 'once', why: `${counts}${person}; ralph run continues with the plan` });
  }
}
