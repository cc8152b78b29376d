/**
 * The loop: next item, brief, agent, evidence, verdict, keep, record. Everything it decides is in the journal before it
 * is done, and everything it knows comes from files, so it can be stopped at any point and started again.
 */

import { type DueReview, dueReview } from './evidence/index.ts';
import { finishPlan } from './loop/finish-plan.ts';
import { type Iterated, iterate } from './loop/iterate.ts';
import { limitReached, spentLimit } from './loop/limits.ts';
import { ANSWER, markByPerson, retryByPerson } from './loop/mark-by-person.ts';
import { obey } from './loop/obey.ts';
import { readPlan } from './loop/read-plan.ts';
import { reviewItem } from './loop/review.ts';
import type { Session } from './loop/session.ts';
import { settleReviews } from './loop/settle-review.ts';
import { mayStillSettle } from './loop/settling.ts';
import type { Stop } from './loop/stop.ts';
import { markByRunner, trackVerdict } from './loop/track.ts';
import { isProviders, sitOut } from './loop/trouble.ts';
import { waitUntil } from './loop/wait-until.ts';
import { takeWorker, type Worker } from './loop/workers.ts';
import { type Pick, type PickInput, pickNext, tally } from './plan/index.ts';
import type { Item, ItemStatus, Verdict } from './protocol.ts';
import { effectiveStatus, itemOf } from './state.ts';
import { ok, type Result } from './util/result.ts';
import { plural } from './util/show.ts';

export { commitMemory } from './loop/commit-memory.ts';
export { composeBrief } from './loop/compose-brief.ts';
export { foreignPaths, keepForeign, listed } from './loop/foreign-work.ts';
export { removeCheckout, withCheckout } from './loop/fresh-checkout.ts';
export { noteStop, watchInbox } from './loop/obey.ts';
export { recover } from './loop/recover.ts';
export { endRemembering, isOver, type Kept, startRemembering } from './loop/remember.ts';
export { renderingPaths, writeRenderings } from './loop/renderings.ts';
export { type Answer, type Ask, itemGates, Session } from './loop/session.ts';
export type { Stop } from './loop/stop.ts';

export async function loop(session: Session): Promise<Result<Stop>> {
  for (;;) {
    const request = await obey(session);
    if (request) return ok(request);
    if (!session.workspace.isCheckedOut()) return ok({ reason: 'stop-requested', why: switchedAway(session) });
    const plan = await readPlan(session);
    if (!plan.ok) return plan;

    const items = plan.value.plan.items;
    const status = (item: Item): ItemStatus => effectiveStatus(item.status, itemOf(session.state, item.id));
    const counts = tally(items, status);
    session.show({ type: 'plan.read', done: counts.done, total: counts.total, blocked: counts.blocked });

    // A crash may have come between a verdict of a reviewer and what follows from it.
    const settled = await settleReviews(session);
    if (!settled.ok) return settled;
    const due = dueReview({
      state: session.state,
      review: session.settings.review,
      items: wanted(session, items),
      status,
    });
    if (due) {
      const end = await review(session, due);
      if (!end.ok) return end;
      if (end.value) return ok(end.value);
      continue;
    }

    const { next, why } = pick(session, { items, status });
    if (!next) {
      const end = await finishPlan(session, { items, status });
      if (!end.ok) return end;
      if (end.value) return ok(end.value);
      continue;
    }
    const limit = limitReached(session);
    if (limit) return ok(limit);
    if (next.id !== firstOpen(items, status)) session.notice('info', why);

    if (session.state.waitUntil !== undefined) {
      const stop = await waitUntil(session);
      if (stop) return ok(stop);
      // A wait may take hours, and the plan is read again before the next item.
      continue;
    }
    // A crash may have come between the last rejection and what follows from it.
    if (blockIfSpent(session, next)) continue;
    const worker = takeWorker(session, next.id);
    if (!worker) continue;
    if ('reason' in worker) return ok(worker);
    const iterated = await iterate(session, next, worker);
    if (!iterated.ok) return iterated;
    if (iterated.value.type === 'cut-off') continue;
    const stop = await after(session, next, iterated.value, worker);
    if (stop) return ok(stop);
    if (session.halt !== undefined) return ok({ reason: 'blocked', why: session.halt });
  }
}

/** A review belongs to an iteration that is over: it takes time and money, but no iteration. */
async function review(session: Session, due: DueReview): Promise<Result<Stop | undefined>> {
  const limit = spentLimit(session);
  if (limit) return ok(limit);
  if (session.state.waitUntil !== undefined) return ok(await waitUntil(session));
  return await reviewItem(session, due);
}

/** With `--only` nothing but that item is reviewed, either; what mends it is looked up among all. */
const wanted = ({ options, state }: Session, items: readonly Item[]): readonly Item[] =>
  options.only === undefined
    ? items
    : items.filter(({ id }) => id === options.only || itemOf(state, options.only ?? '').review?.fixes.includes(id));

const switchedAway = ({ workspace }: Session): string =>
  `somebody switched the checkout away from ${workspace.branch}; ralph run switches back and goes on`;

const firstOpen = (items: readonly Item[], status: (item: Item) => ItemStatus): string | undefined =>
  items.find(item => ['pending', 'in-progress'].includes(status(item)))?.id;

const only = (session: Session): { only?: string } =>
  session.options.only === undefined ? {} : { only: session.options.only };

type Decided = Extract<Iterated, { type: 'decided' }>;
/** What a person asked for again is next, as long as it can be. */
function pick(session: Session, input: PickInput): Pick {
  const { again } = session;
  session.again = undefined;
  const first = again === undefined ? undefined : pickNext({ ...input, only: again });
  return first?.next ? first : pickNext({ ...input, ...only(session) });
}

const answered = (session: Session, done: Result<void>): void => {
  if (!done.ok) session.notice('warn', `that could not be written into the plan: ${done.error.message}`);
};

/** What a verdict means for the item and for the run. */
async function after(session: Session, item: Item, decided: Decided, worker: Worker): Promise<Stop | undefined> {
  const { verdict } = decided;
  if (verdict.type === 'retry') return afterTrouble(session, item, verdict, worker);
  if (verdict.type === 'rejected') blockIfSpent(session, item);
  session.brake.see({ ...decided, item: item.id, ...cameOf(session, item, decided) });
  if (verdict.type === 'blocked' && verdict.cause === 'refused' && session.settings.onValidation === 'skip') {
    markByRunner(session, { id: item.id, to: 'skipped', note: verdict.why });
  }
  trackVerdict(session, item.id);
  return await attend(session, item, verdict);
}

/** A repeating item may stay red for long: as long as its tree changes it gets somewhere. */
function cameOf(
  session: Session,
  { id }: Item,
  { verdict, moved }: Decided,
): { readonly fruit: boolean; readonly blocked: boolean } {
  const steps = verdict.type === 'progress' || session.plan.plan.repeats;
  return {
    fruit: verdict.type === 'accepted' || (steps && moved),
    blocked: itemOf(session.state, id).status === 'blocked',
  };
}

/** Attempts are used up, or the same trouble came too often: the item is blocked and the loop goes on. */
function blockIfSpent(session: Session, { id }: Item): boolean {
  const known = itemOf(session.state, id);
  const { attempts, stuck } = session.settings.limits;
  const what =
    known.repeats >= stuck
      ? `the same failure ${plural(known.repeats, 'time')} in a row`
      : known.still >= stuck
        ? `${plural(known.still, 'iteration')} in a row changed neither the tree nor what the checks say`
        : known.attempts >= attempts && !session.plan.plan.repeats && !mayStillSettle(session, known)
          ? `${plural(known.attempts, 'attempt')} ${known.attempts === 1 ? 'was' : 'were'} rejected`
          : undefined;
  if (what === undefined) return false;
  markByRunner(session, { id, to: 'blocked', note: known.why ? `${what}: ${known.why}` : what });
  return true;
}

function afterTrouble(
  session: Session,
  item: Item,
  verdict: Extract<Verdict, { type: 'retry' }>,
  worker: Worker,
): Stop | undefined {
  const known = itemOf(session.state, item.id);
  // What a provider cut off is paid for by nobody, and is no iteration.
  if (isProviders(verdict.failure)) session.iterations -= 1;
  if (verdict.failure.class === 'timeout' && known.repeats >= session.settings.limits.stuck) {
    const why = `the agent was ended ${plural(known.repeats, 'time')} in a row: ${verdict.why}`;
    markByRunner(session, { id: item.id, to: 'blocked', note: why });
    trackVerdict(session, item.id);
    return undefined;
  }
  trackVerdict(session, item.id);
  return sitOut(session, verdict.failure, { worker });
}

async function attend(session: Session, item: Item, verdict: Verdict): Promise<Stop | undefined> {
  const { ask, once } = session.options;
  if (ask) {
    const question = { item: item.id, title: item.title, verdict: verdict.type };
    const answer = await session.resting(() => ask(question));
    session.brake.release();
    switch (answer.type) {
      case 'stop':
        return { reason: session.options.stopper.request?.reason ?? 'stop-requested', why: 'stopped by you' };
      case 'skip':
        answered(session, markByPerson(session, { id: item.id, to: 'skipped', note: 'skipped by you' }));
        break;
      case 'retry':
        answered(session, retryByPerson(session, { item: item.id, hint: answer.hint, actor: ANSWER }));
        session.again = item.id;
        break;
      case 'go-on':
        break;
    }
  }
  if (!once) return undefined;
  // The one iteration may have been the last that was needed: only the loop's own look at the plan can tell.
  session.onceDone = true;
  return undefined;
}
