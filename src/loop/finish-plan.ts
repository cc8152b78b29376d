/** Handles a plan without open items: complete and proven, or a person is needed. */

import { redact } from '../audit/index.ts';
import { configName } from '../config/index.ts';
import { unsettledReviews } from '../evidence/index.ts';
import { appendToPlan, passedOver, rereadPlan } from '../plan/index.ts';
import type { GateResult, Item, ItemStatus } from '../protocol.ts';
import { allGreen, isClosed, itemOf } from '../state.ts';
import { tailOf } from '../util/bounded.ts';
import { ok, type Result } from '../util/result.ts';
import { itemCommand } from '../util/shell-word.ts';
import { oneLine, plural } from '../util/show.ts';
import { addToPlan, freeFixId } from './add-fix.ts';
import { writeBugNote } from './bug-note.ts';
import { commitPlan } from './commit-plan.ts';
import { finalGates } from './final-gates.ts';
import { waitingSentence } from './questions.ts';
import type { Session } from './session.ts';
import type { Stop } from './stop.ts';

export interface Left {
  readonly items: readonly Item[];
  readonly status: (item: Item) => ItemStatus;
}

/** After this many fix items a person is needed, not another fix item. */
const MAX_FIXES = 3;
const TAIL_CHARS = 2000;

export async function finishPlan(session: Session, { items, status }: Left): Promise<Result<Stop | undefined>> {
  const open = items.filter(item => !isClosed(status(item)));
  const { only } = session.options;
  if (only !== undefined && open.length > 0) {
    const wanted = items.find(item => item.id === only);
    if (wanted && status(wanted) === 'done')
      return ok({ reason: 'once', why: `${only} is done; nothing else was requested` });
  }
  if (open.length > 0) return ok({ reason: 'blocked', why: blockedSentence(session, { open, status }) });
  const gates = await finalGates(session);
  if (!gates.ok) return gates;
  if (session.options.stopper.request) return ok(undefined);
  if (allGreen(gates.value)) return ok(completeOr(session, { items, status }));
  return await addFix(session, gates.value);
}

/** Unsettled reviews are checked last, when everything else is done. */
function completeOr(session: Session, { items, status }: Left): Stop {
  const { state, settings } = session;
  const left = unsettledReviews({ state, review: settings.review, items, status });
  const [first] = left;
  if (!first) {
    const skipped = items.filter(item => status(item) === 'skipped').length;
    const done = `${plural(items.length - skipped, 'item')} done`;
    return { reason: 'complete', why: `${skipped > 0 ? `${done}, ${skipped} skipped` : done}; ${provenBy(session)}` };
  }
  const { review } = itemOf(state, first.id);
  const what =
    review?.verdict === 'unclear'
      ? `no answer of its reviewers could be read (${review.why})`
      : `${plural(review?.findings.length ?? 0, 'finding')} left after ${plural(review?.rounds ?? 0, 'round')}`;
  const more = left.length > 1 ? ` and ${left.length - 1} more` : '';
  const again = itemCommand('retry', first.id, { flags: '--with "..."' });
  const hint = `${again} works on it again, ${itemCommand('done', first.id)} accepts it as it is`;
  return { reason: 'review', why: `${first.id}: ${what}${more}; ${hint}` };
}

/** Says what "complete" is based on, so that a run without gates does not look like one that passed them. */
function provenBy({ settings, plan }: Session): string {
  const { gates, final } = settings;
  if (plan.plan.repeats && gates.length + final.length > 0) return 'the gates are green';
  if (final.length > 0) return 'the final gates are green on a fresh checkout';
  if (gates.length > 0) return 'the gates are green, no final gates are configured';
  return `no gates are configured, so nothing was tested; to add some, in ${configName(settings)}: gates: [npm test]`;
}

async function addFix(session: Session, gates: readonly GateResult[]): Promise<Result<Stop | undefined>> {
  const red = gates.find(gate => gate.status !== 'green');
  if (!red) return ok(undefined);
  const why = `the final gate ${red.name} is not green`;
  if (session.state.fixes >= MAX_FIXES) {
    return ok({ reason: 'halted', why: `${why} after ${plural(session.state.fixes, 'fix item')}` });
  }
  const id = freeFixId(session);
  const output = tailOf(redact(red.tail), TAIL_CHARS);
  const fix = {
    id,
    title: `Make the final gate pass: ${red.name}`,
    body: `\`${red.run}\` failed on a fresh checkout of the finished work:\n\n${output}`,
    criteria: [`\`${red.run}\` exits 0`],
  };
  if (!appendToPlan(rereadPlan(session.plan), fix).ok) return ok({ reason: 'halted', why });
  const { root } = session.workspace;
  const committed = await commitPlan(session, {
    message: `chore(ralph): add ${id}, ${oneLine(why, 100)}\n\nRalph-Run: ${session.state.run}\n`,
    write: () => {
      const added = addToPlan(session, fix);
      if (!added.ok) return added;
      const isChecklist = session.plan.plan.format === 'checklist';
      const note = isChecklist && writeBugNote({ root, gate: red, item: id, output, at: session.clock.now() });
      return ok(note ? [note] : []);
    },
  });
  if (!committed.ok) return committed;
  session.record({ type: 'item.added', item: id, why, gate: red.run });
  return ok(undefined);
}

function blockedSentence(
  session: Session,
  { open, status }: { open: readonly Item[]; status: Left['status'] },
): string {
  const isAsked = (item: Item) => itemOf(session.state, item.id).question !== undefined;
  const waits = waitingSentence(session, open);
  const blocked = open.filter(item => status(item) === 'blocked' && !isAsked(item));
  const first = blocked[0];
  const passed = open.filter(item => item.passedOver !== undefined && status(item) !== 'blocked');
  const waiting = open.filter(item => !isAsked(item)).length - blocked.length - passed.length;
  const parts = [
    blocked.length > 0 ? `${plural(blocked.length, 'item')} blocked` : '',
    waiting > 0 ? `${plural(waiting, 'item')} waiting for others` : '',
    ...passed.slice(0, 1).map(passedOver),
  ].filter(Boolean);
  const why = first ? itemOf(session.state, first.id).why || first.note : '';
  if (parts.length === 0) return waits;
  const rest = waits === '' ? '' : `; ${waits}`;
  return `${parts.join(', ')}${first ? `; ${first.id}: ${why || 'marked blocked in the plan'}` : ''}${rest}`;
}
