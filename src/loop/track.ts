/** Formats that keep every state in their file (sprints, groups) are told of each; for the others the journal knows. */
import { markPlan, planFrom } from '../plan/index.ts';
import type { Begin, Mark } from '../protocol.ts';
import { itemOf } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { encode } from '../util/text.ts';
import type { Session } from './session.ts';
import { rereadTrusted } from './trusted-plan.ts';

export function trackBegin(session: Session, begin: Begin): Result<void> {
  const current = rereadTrusted(session);
  const text = current.format.begin?.(current.decoded.text, begin);
  if (!text) return ok(undefined);
  if (!text.ok) return text;
  write(session, encode({ text: text.value, encoding: current.decoded.encoding }));
  return ok(undefined);
}

/** The runner's own decision about an item, beyond what its verdict says. */
export function markByRunner(
  session: Session,
  mark: Mark & { readonly to: 'blocked' | 'skipped'; readonly note: string },
): void {
  session.record({ type: 'item.marked', item: mark.id, to: mark.to, by: 'runner', why: mark.note });
}

/** After a verdict that did not finish the item: its state as the journal has it now. */
export function trackVerdict(session: Session, id: string): void {
  if (!session.plan.format.begin) return;
  const { status, why } = itemOf(session.state, id);
  if (status === 'done') return;
  const current = rereadTrusted(session);
  const mark: Mark = {
    id,
    to: status,
    at: session.clock.now(),
    ...(status === 'pending' ? { again: true } : {}),
    ...(why ? { note: why } : {}),
  };
  const bytes = markPlan(current, mark);
  if (bytes.ok) write(session, bytes.value);
  else session.notice('warn', `the plan could not be marked: ${bytes.error.message}`);
}

function write(session: Session, bytes: Buffer): void {
  if (bytes.equals(rereadTrusted(session).bytes)) return;
  writeAtomic(session.plan.path, bytes);
  session.plan = planFrom(session.plan, bytes);
  session.tree = '';
}
