/**
 * The consequences of a review: the mark in the plan and, if there are findings, an item that fixes them. The journal already contains the
 * verdict, so a restart repeats this and arrives at the same plan.
 */
import { appendToPlan, rereadPlan, reviewPlan } from '../plan/index.ts';
import type { NewItem, ReviewFinding } from '../protocol.ts';
import type { ReviewState } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { addToPlan, freeFixId } from './add-fix.ts';
import { commitPlan } from './commit-plan.ts';
import type { Session } from './session.ts';
import { rereadTrusted } from './trusted-plan.ts';

/** The id of the item that fixes the findings; undefined if the plan's format cannot take new items. */
export function fixFor(session: Session, item: string, findings: readonly ReviewFinding[]): string | undefined {
  const id = freeFixId(session);
  return appendToPlan(rereadPlan(session.plan), fixItem(id, item, findings)).ok ? id : undefined;
}

export async function settleReviews(session: Session): Promise<Result<void>> {
  const { state } = session;
  if (state.reviews === 0) return ok(undefined);
  for (const [item, { review }] of state.items) {
    if (!review || review.settled) continue;
    const settled = await settle(session, item, review);
    if (!settled.ok) return settled;
  }
  return ok(undefined);
}

async function settle(session: Session, item: string, review: ReviewState): Promise<Result<void>> {
  const passed = review.verdict === 'pass';
  const fix = !passed && review.fixes.length === review.rounds ? review.fixes.at(-1) : undefined;
  const what = passed ? 'passed' : `needs a fix${fix === undefined ? '' : ` (${fix})`}`;
  const committed = await commitPlan(session, {
    message: `chore(ralph): review of ${oneLine(item, 60)}: ${what}\n\nRalph-Run: ${session.state.run}\n`,
    write: () => {
      const added = fix === undefined ? ok(undefined) : addToPlan(session, fixItem(fix, item, review.findings));
      if (!added.ok) return added;
      writeMark(session, { id: item, to: passed ? 'reviewed' : 'needs-fix', ...(fix ? { note: fix } : {}) });
      return ok([]);
    },
  });
  if (!committed.ok) return committed;
  if (fix !== undefined) {
    session.record({ type: 'item.added', item: fix, why: `a review of ${item} found something`, mends: item });
  }
  const commit = committed.value === undefined ? {} : { commit: committed.value };
  session.record({ type: 'review.settled', review: session.state.reviews, item, ...commit });
  return ok(undefined);
}

function writeMark(session: Session, mark: Parameters<typeof reviewPlan>[1]): void {
  const current = rereadTrusted(session);
  session.plan = current;
  const reviewed = reviewPlan(current, mark);
  // A person may have removed the item from the plan meanwhile; the verdict is in the journal anyway.
  if (!reviewed?.ok || reviewed.value.bytes.equals(current.bytes)) return;
  writeAtomic(current.path, reviewed.value.bytes);
  session.plan = reviewed.value;
}

function fixItem(id: string, item: string, findings: readonly ReviewFinding[]): NewItem {
  return {
    id,
    title: `Fix what the review of ${oneLine(item, 60)} found`,
    body: [
      `${oneLine(item, 60)} was accepted, and a review of it found this:`,
      '',
      ...findings.map(({ severity, text, file, line }, index) => {
        const place = file === undefined ? '' : ` ${file}${line === undefined ? '' : `:${line}`}`;
        return `${index + 1}. (${severity})${place} ${text}`;
      }),
      '',
      'Validate each of them first. Fix what is true at its cause; where one is wrong, prove it with a test.',
    ].join('\n'),
    criteria: [
      'Every finding is fixed, or shown by a test to be wrong',
      `Everything ${oneLine(item, 60)} asks for holds`,
    ],
  };
}
