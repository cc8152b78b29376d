/** Reads the plan again before every item, because people may have edited it. */

import {
  appendToPlan,
  markPlan,
  type OpenPlan,
  planFrom,
  planProblem,
  reparse,
  rereadPlan,
  tally,
} from '../plan/index.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { statusIn } from '../state.ts';
import { readAgain, writeAtomic } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';
import type { Left } from './finish-plan.ts';
import { settleQuestions } from './questions.ts';
import type { Session } from './session.ts';
import { rereadTrusted, withoutDoubtful } from './trusted-plan.ts';

/** The items as they stand now, with the answers and edits of people. */
export function itemsNow(session: Session): Result<Left> {
  settleQuestions(session);
  const plan = readPlan(session);
  if (!plan.ok) return plan;
  const { items } = plan.value.plan;
  const status = (item: Item): ItemStatus => statusIn(session.state, item);
  const { done, total, blocked } = tally(items, status);
  session.show({ type: 'plan.read', done, total, blocked });
  return ok({ items, status });
}

export function readPlan(session: Session): Result<OpenPlan> {
  takeFromCheckout(session);
  const bytes = readAgain(session.plan.path, session.plan.bytes);
  if (!bytes) {
    return fail({ reason: 'plan-missing', message: 'the plan file is gone', file: session.plan.path });
  }
  const reread = rereadTrusted(session);
  if (reread !== session.plan) {
    session.plan = reread;
    session.tree = '';
    session.notice('info', 'the plan was edited; it is read again');
  }
  const now = withNewWords(session.plan);
  session.plan = now;
  const problem = planProblem(now);
  return problem ? fail(problem) : ok(now);
}

/** A state file that is generated from other files does not show changes in those, so they are read again. */
function withNewWords(plan: OpenPlan): OpenPlan {
  const fresh = plan.format.create || plan.document.markFiles ? reparse(plan, plan.bytes) : ok(plan);
  return fresh.ok ? fresh.value : plan;
}

/** For a run in a worktree: takes over edits from the plan in the person's checkout. Done items stay done. */
function takeFromCheckout(session: Session): void {
  const { checkoutPlan } = session.options;
  if (!checkoutPlan) return;
  const bytes = readAgain(checkoutPlan.path, checkoutPlan.seen);
  if (!bytes || bytes.equals(checkoutPlan.seen)) return;
  checkoutPlan.seen = bytes;
  let edited = planFrom(session.plan, bytes);
  if (planProblem(edited)) {
    session.notice('warn', 'your copy of the plan does not parse; the run continues with the last one');
    return;
  }
  // Fix items, and those that an agent added, exist only in the run's own copy.
  const theirs = new Set([...planFrom(session.plan, checkoutPlan.taken).plan.ids, ...edited.plan.ids]);
  checkoutPlan.taken = bytes;
  for (const item of session.plan.plan.items) {
    const kept = theirs.has(item.id) ? undefined : appendToPlan(edited, item);
    if (kept?.ok) edited = kept.value;
    else if (kept)
      session.notice(
        'warn',
        `${item.id} was only in the plan of the run, and your edited one cannot take it: ${kept.error.message}`,
      );
  }
  const done = session.plan.plan.items.filter(item => item.status === 'done').map(item => item.id);
  for (const id of done) {
    if (edited.plan.items.find(item => item.id === id)?.status !== 'pending') continue;
    const marked = markPlan(edited, { id, to: 'done' });
    if (marked.ok) edited = marked.value;
  }
  // Unconfirmed marks are removed only from the run's copy; the person's file stays as it is.
  writeAtomic(session.plan.path, withoutDoubtful(session, { found: edited, file: checkoutPlan.path }).bytes);
  session.plan = rereadPlan(session.plan);
  session.tree = '';
}
