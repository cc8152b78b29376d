/** The plan as people left it, read again before every item. */

import { appendToPlan, markPlan, type OpenPlan, planFrom, planProblem, reparse, rereadPlan } from '../plan/index.ts';
import { readAgain, writeAtomic } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';
import type { Session } from './session.ts';
import { rereadTrusted, withoutDoubtful } from './trusted-plan.ts';

export async function readPlan(session: Session): Promise<Result<OpenPlan>> {
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

/** A state file that is made from other files says nothing about a change in those. */
function withNewWords(plan: OpenPlan): OpenPlan {
  const fresh = plan.format.create || plan.document.markFiles ? reparse(plan, plan.bytes) : ok(plan);
  return fresh.ok ? fresh.value : plan;
}

/** A run in a worktree: the copy in the person's own checkout is where they edit. What is done stays done. */
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
  // What a final gate or a review found is in the run's own copy alone.
  for (const { id, title, body, criteria } of session.plan.plan.items) {
    if (!/^FIX-\d+$/.test(id) || edited.plan.ids.includes(id)) continue;
    const kept = appendToPlan(edited, { id, title, body, criteria });
    if (kept.ok) edited = kept.value;
  }
  const done = session.plan.plan.items.filter(item => item.status === 'done').map(item => item.id);
  for (const id of done) {
    if (edited.plan.items.find(item => item.id === id)?.status !== 'pending') continue;
    const marked = markPlan(edited, { id, to: 'done' });
    if (marked.ok) edited = marked.value;
  }
  // What is unconfirmed here is the run's own copy's business: the person's file stays as they left it.
  writeAtomic(session.plan.path, withoutDoubtful(session, { found: edited, file: checkoutPlan.path }).bytes);
  session.plan = rereadPlan(session.plan);
  session.tree = '';
}
