/** The consequences of a verdict for its item and for the run. */
import type { Item, Verdict } from '../protocol.ts';
import { itemOf } from '../state.ts';
import type { Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import type { Iterated } from './iterate.ts';
import { ANSWER, markByPerson, retryByPerson } from './mark-by-person.ts';
import type { Session } from './session.ts';
import { mayStillSettle } from './settling.ts';
import type { Stop } from './stop.ts';
import { markByRunner, trackVerdict } from './track.ts';
import { isProviders, sitOut } from './trouble.ts';
import { type Worker, workersFor } from './workers.ts';

type Decided = Extract<Iterated, { type: 'decided' }>;

const answered = (session: Session, done: Result<void>): void => {
  if (!done.ok) session.notice('warn', `that could not be written into the plan: ${done.error.message}`);
};

export async function afterVerdict(
  session: Session,
  item: Item,
  decided: Decided,
  worker: Worker,
): Promise<Stop | undefined> {
  const { verdict } = decided;
  if (verdict.type === 'retry') return afterTrouble(session, item, verdict, worker);
  // The work was accepted on its own, so neither the item nor the run is charged for the conflict.
  if (verdict.type === 'rejected' && verdict.reason === 'merge') return undefined;
  if (verdict.type === 'rejected') blockIfSpent(session, item);
  const isAsked = verdict.type === 'blocked' && verdict.cause === 'asked';
  if (!isAsked) session.brake.see({ ...decided, item: item.id, ...cameOf(session, item, decided) });
  if (verdict.type === 'blocked' && verdict.cause === 'refused' && session.settings.onValidation === 'skip') {
    markByRunner(session, { id: item.id, to: 'skipped', note: verdict.why });
  }
  trackVerdict(session, item.id);
  return await attend(session, item, verdict);
}

/** A repeating item may stay red for a long time: a changed tree counts as fruit. */
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

/** Blocks an item whose attempts are used up or that failed in the same way too often; the loop continues with others. */
export function blockIfSpent(session: Session, { id }: Item): boolean {
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
  // An iteration that the provider cut off does not count.
  if (isProviders(verdict.failure)) session.iterations -= 1;
  if (verdict.failure.class === 'timeout' && known.repeats >= session.settings.limits.stuck) {
    const why = `the agent was ended ${plural(known.repeats, 'time')} in a row: ${verdict.why}`;
    markByRunner(session, { id: item.id, to: 'blocked', note: why });
    trackVerdict(session, item.id);
    return undefined;
  }
  trackVerdict(session, item.id);
  return sitOut(session, verdict.failure, { worker, team: workersFor(session, 2) });
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
  // This iteration may have completed the plan, and only the loop's next look at the plan can tell.
  session.onceDone = true;
  return undefined;
}
