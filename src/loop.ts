/**
 * The loop: next item, brief, agent, evidence, verdict, keep, record. Every decision is in the journal before it is carried out, and all
 * state comes from files, so the loop can be stopped at any point and started again.
 */

import { dueReview } from './evidence/index.ts';
import { afterVerdict, blockIfSpent } from './loop/after-verdict.ts';
import { iterate } from './loop/iterate.ts';
import { limitReached } from './loop/limits.ts';
import { nextReview } from './loop/next-review.ts';
import { obey } from './loop/obey.ts';
import { packObjects } from './loop/pack-objects.ts';
import { pickItem } from './loop/pick-item.ts';
import { itemsNow } from './loop/read-plan.ts';
import type { Session } from './loop/session.ts';
import { settleReviews } from './loop/settle-review.ts';
import type { Stop } from './loop/stop.ts';
import { waitUntil } from './loop/wait-until.ts';
import { takeWorker } from './loop/workers.ts';
import type { Item, ItemStatus } from './protocol.ts';
import { isOpen, itemOf } from './state.ts';
import { pathBelow } from './util/paths.ts';
import { ok, type Result } from './util/result.ts';

export { commitMemory } from './loop/commit-memory.ts';
export { composeBrief } from './loop/compose-brief.ts';
export { foreignPaths, keepForeign } from './loop/foreign-work.ts';
export { removeCheckout, withCheckout } from './loop/fresh-checkout.ts';
export { itemGates } from './loop/item-gates.ts';
export { writeMark } from './loop/mark-by-person.ts';
export { noteStop, watchInbox } from './loop/obey.ts';
export { packObjects } from './loop/pack-objects.ts';
export { endRemembering, isOver, type Kept, startRemembering } from './loop/remember.ts';
export { renderingPaths, writeRenderings } from './loop/renderings.ts';
export { Session } from './loop/session.ts';
export { type Answer, type Ask } from './loop/session-options.ts';
export type { Stop } from './loop/stop.ts';
export { recover } from './loop/take-up.ts';

const loadParallel = () => import('./loop/parallel.ts');

/** Loads the modules that the loop needs later, while the runner waits for something else. */
export async function loadLoop({ settings }: Session): Promise<void> {
  if (settings.parallel > 1) await loadParallel();
}

export async function loop(session: Session): Promise<Result<Stop>> {
  const { reviews } = session.options;
  if (reviews) return await (await import('./loop/review-done.ts')).reviewDone(session, reviews);
  const workers = workersOf(session);
  if (workers > 1) return await (await loadParallel()).loopParallel(session, workers);
  let said = '';
  for (;;) {
    const request = await obey(session);
    if (request) return ok(request);
    if (!session.workspace.isCheckedOut()) return ok({ reason: 'stop-requested', why: switchedAway(session) });
    const now = itemsNow(session);
    if (!now.ok) return now;
    const { items, status } = now.value;

    // A crash may have hit between a review's verdict and its consequences.
    const settled = await settleReviews(session);
    if (!settled.ok) return settled;
    const due = dueReview({
      state: session.state,
      review: session.settings.review,
      items: wanted(session, items),
      status,
    });
    if (due) {
      const end = await nextReview(session, due);
      if (!end.ok) return end;
      if (end.value) return ok(end.value);
      continue;
    }

    const { next, why } = pickItem(session, { items, status });
    if (!next) {
      const { finishPlan } = await import('./loop/afterwards.ts');
      const end = await finishPlan(session, { items, status });
      if (!end.ok) return end;
      if (end.value) return ok(end.value);
      continue;
    }
    const limit = limitReached(session);
    if (limit) return ok(limit);

    if (session.state.waitUntil !== undefined) {
      const stop = await waitUntil(session);
      if (stop) return ok(stop);
      // A wait may take hours, so the plan is read again before the next item.
      continue;
    }
    // A crash may have hit between the last rejection and its consequences.
    if (blockIfSpent(session, next)) continue;
    const worker = takeWorker(session, next.id);
    if (!worker) continue;
    if ('reason' in worker) return ok(worker);
    // Not before each try of the same item.
    if (why !== said && next.id !== firstOpen(items, status)) session.notice('info', why);
    said = why;
    const iterated = await iterate(session, next, worker);
    if (!iterated.ok) return iterated;
    if (iterated.value.type === 'cut-off') continue;
    const stop = await afterVerdict(session, next, iterated.value, worker);
    if (stop) return ok(stop);
    if (session.halt !== undefined) return ok({ reason: 'halted', why: session.halt });
    await packObjects(session, 'between');
  }
}

/** Several workers are possible only if each can have its own checkout and its own copy of the plan. */
function workersOf(session: Session): number {
  const { settings, options, plan, workspace, state } = session;
  const { parallel } = settings;
  if (parallel === 1 || options.once || options.ask || plan.plan.repeats) return 1;
  const why =
    state.workspace === '.'
      ? 'this run began in your checkout'
      : pathBelow(workspace.root, plan.path) === undefined
        ? 'the plan is not in the repository'
        : undefined;
  if (why === undefined) return parallel;
  session.notice('warn', `one item at a time, not ${parallel}: ${why}`);
  return 1;
}

/** With `--only`, only that item is reviewed; the items that fix it are looked up among all items. */
const wanted = ({ options, state }: Session, items: readonly Item[]): readonly Item[] =>
  options.only === undefined
    ? items
    : items.filter(({ id }) => id === options.only || itemOf(state, options.only ?? '').review?.fixes.includes(id));

const switchedAway = ({ workspace }: Session): string =>
  `somebody switched the checkout away from ${workspace.branch}; ralph run switches back and continues`;

const firstOpen = (items: readonly Item[], status: (item: Item) => ItemStatus): string | undefined =>
  items.find(item => isOpen(status(item)))?.id;
