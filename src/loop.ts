/**
 * The loop: next item, brief, agent, evidence, verdict, keep, record. Everything it decides is in the journal before it
 * is done, and everything it knows comes from files, so it can be stopped at any point and started again.
 */
import type { StopReason } from './events.ts';
import { finishPlan } from './loop/finish-plan.ts';
import { iterate } from './loop/iterate.ts';
import { limitReached } from './loop/limits.ts';
import { obey } from './loop/obey.ts';
import { readPlan } from './loop/read-plan.ts';
import type { Session } from './loop/session.ts';
import { markByRunner, trackVerdict } from './loop/track.ts';
import { waitUntil } from './loop/wait-until.ts';
import { pickNext, tally } from './plan/next.ts';
import type { Item, ItemStatus, Verdict } from './protocol.ts';
import { react } from './retry/wait.ts';
import { effectiveStatus, itemOf } from './state.ts';
import { ok, type Result } from './util/result.ts';

export interface Stop {
  readonly reason: StopReason;
  readonly why: string;
}

export async function loop(session: Session): Promise<Result<Stop>> {
  for (;;) {
    const request = await obey(session);
    if (request) return ok(request);
    const plan = await readPlan(session);
    if (!plan.ok) return plan;

    const items = plan.value.plan.items;
    const status = (item: Item): ItemStatus => effectiveStatus(item.status, itemOf(session.state, item.id));
    const counts = tally(items, status);
    session.show({ type: 'plan.read', done: counts.done, total: counts.total, blocked: counts.blocked });

    const { next, why } = pickNext({ items, status, ...only(session) });
    if (!next) {
      const end = await finishPlan(session, { items, status });
      if (!end.ok) return end;
      if (end.value) return ok(end.value);
      continue;
    }
    const limit = limitReached(session);
    if (limit) return ok(limit);
    if (next.id !== firstOpen(items, status)) session.notice('info', why);

    const waited = await waitUntil(session);
    if (waited) return ok(waited);
    const iterated = await iterate(session, next);
    if (!iterated.ok) return iterated;
    if (iterated.value.type === 'cut-off') continue;
    const stop = await after(session, next, iterated.value.verdict);
    if (stop) return ok(stop);
  }
}

const firstOpen = (items: readonly Item[], status: (item: Item) => ItemStatus): string | undefined =>
  items.find(item => ['pending', 'in-progress'].includes(status(item)))?.id;

const only = (session: Session): { only?: string } =>
  session.options.only === undefined ? {} : { only: session.options.only };

/** What a verdict means for the item and for the run. */
async function after(session: Session, item: Item, verdict: Verdict): Promise<Stop | undefined> {
  if (verdict.type === 'retry') return afterTrouble(session, item, verdict);
  const known = itemOf(session.state, item.id);
  const { attempts, stuck } = session.settings.limits;
  const mark = (to: 'blocked' | 'skipped', why: string) => markByRunner(session, { id: item.id, to, note: why });
  if (verdict.type === 'rejected') {
    const repeats = session.plan.plan.repeats;
    if (known.repeats >= stuck) mark('blocked', `the same failure ${known.repeats} times in a row: ${verdict.why}`);
    else if (known.attempts >= attempts && !repeats)
      mark('blocked', `${known.attempts} attempts were rejected: ${verdict.why}`);
  }
  if (verdict.type === 'blocked' && verdict.cause === 'refused' && session.settings.onValidation === 'skip') {
    mark('skipped', verdict.why);
  }
  trackVerdict(session, item.id);
  return await attend(session, item, verdict);
}

function afterTrouble(session: Session, item: Item, verdict: Extract<Verdict, { type: 'retry' }>): Stop | undefined {
  const known = itemOf(session.state, item.id);
  const { now, random } = { now: session.clock.now(), random: session.clock.random() };
  if (verdict.failure.class === 'timeout' && known.repeats >= session.settings.limits.stuck) {
    const why = `the agent was ended ${known.repeats} times in a row: ${verdict.why}`;
    markByRunner(session, { id: item.id, to: 'blocked', note: why });
    trackVerdict(session, item.id);
    return undefined;
  }
  trackVerdict(session, item.id);
  const reaction = react({ failure: verdict.failure, retries: session.state.retries - 1, now, random });
  if (reaction.type === 'give-up') return { reason: 'agent-unavailable', why: reaction.why };
  if (reaction.type === 'wait') session.record({ type: 'wait.started', until: reaction.until, why: reaction.why });
  return undefined;
}

async function attend(session: Session, item: Item, verdict: Verdict): Promise<Stop | undefined> {
  const { ask, once } = session.options;
  if (ask) {
    const answer = await ask({ item: item.id, title: item.title, verdict: verdict.type });
    switch (answer.type) {
      case 'stop':
        return { reason: 'stop-requested', why: 'stopped by you' };
      case 'skip':
        session.record({ type: 'item.marked', item: item.id, to: 'skipped', by: 'person', why: 'skipped by you' });
        break;
      case 'retry':
        session.record({ type: 'item.marked', item: item.id, to: 'pending', by: 'person', why: 'to be tried again' });
        if (answer.hint) session.record({ type: 'steered', text: answer.hint });
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
