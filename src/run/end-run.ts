/** Ends a run, however it stopped: cleans the tree and records the reason; if that fails, the next start recovers. */
import type { StopReason } from '../events.ts';
import { packOldIterations } from '../journal/index.ts';
import { commitMemory, endRemembering, isOver, type Kept, packObjects, type Session, type Stop } from '../loop.ts';
import { exitCode } from '../report/index.ts';
import { openWork, type RunState } from '../state.ts';
import { describeFailure, ok, type Result } from '../util/result.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { commitState, leaveClean } from './hand-over.ts';

export interface Ended {
  readonly exit: number;
  readonly reason: StopReason;
  readonly why: string;
  readonly state: RunState;
  /** Where the run was archived, if it is over. */
  readonly archive?: Kept;
}

export async function endRun(session: Session, stop: Result<Stop>): Promise<Ended> {
  const { reason, why }: Stop = stop.ok ? stop.value : { reason: 'failed', why: describeFailure(stop.error) };
  const exit = !stop.ok && stop.error.reason.startsWith('plan-') ? 2 : exitCode(reason);
  const settled = await orSystemFailure(() => settleTree(session, stop));
  if (!settled.ok) session.notice('warn', `the work tree could not be restored: ${settled.error.message}`);
  const unsettled = settled.ok && settled.value === 'settled' ? {} : { unsettled: true as const };
  const recorded = await orSystemFailure(async () => {
    await session.written();
    const { actor } = session.options.stopper.request ?? {};
    session.record({ type: 'run.finished', reason, why, ...unsettled, ...(actor ? { actor } : {}) });
    const kept = endRemembering(session);
    const committed = isOver(reason) ? await commitMemory(session) : ok(undefined);
    if (!committed.ok) session.notice('warn', `what was learned could not be committed: ${committed.error.message}`);
    // After Ctrl-C a person wants the shell prompt back at once.
    if (!session.options.stopper.request) await packAtEnd(session);
    return ok(kept);
  });
  if (recorded.ok) {
    return { exit, reason, why, state: session.state, ...(recorded.value ? { archive: recorded.value } : {}) };
  }
  // A run without a recorded end is resumed like one whose runner died.
  const unwritten = stop.ok ? { reason: 'failed' as const, why: describeFailure(recorded.error) } : { reason, why };
  const finished = { ...unwritten, at: session.clock.now() };
  return { exit: exitCode('failed'), ...unwritten, state: { ...session.state, finished } };
}

/** Packs files that are no longer needed one by one; a file that cannot be packed stays as it is. */
async function packAtEnd(session: Session): Promise<void> {
  const { folder } = session.options;
  const { runFolder, state } = session;
  await packOldIterations({ base: folder.root, runFolder, finished: state.iterations }).catch(() => 0);
  await packObjects(session, 'at-end');
}

/** The next start recovers an open iteration; without one, the tree is restored here. */
async function settleTree(session: Session, stop: Result<Stop>): Promise<Result<'settled' | 'unsettled'>> {
  for (const note of session.options.vault.mend('by-size')) session.notice('warn', note);
  if (openWork(session.state).length > 0) return ok('settled');
  // An unreadable plan is probably being edited, and restoring the tree would destroy that edit.
  if (!stop.ok && stop.error.reason.startsWith('plan-')) return await holdsAttempt(session);
  if (stop.ok) {
    const recorded = await commitState(session);
    if (!recorded.ok) session.notice('warn', `the plan's state could not be committed: ${recorded.error.message}`);
  }
  const left = await leaveClean(session);
  // Without the flush, a power cut could leave empty files that look like a person's uncommitted work.
  const flushed = left.ok ? await session.workspace.flushFiles(session.startedFrom) : left;
  return flushed.ok ? ok('settled') : flushed;
}

async function holdsAttempt({ state, workspace }: Session): Promise<Result<'settled' | 'unsettled'>> {
  const tip = await workspace.tip();
  const clean = tip.ok ? await workspace.treeOf(tip.value) : tip;
  return clean.ok ? ok(['', clean.value].includes(state.lastTree) ? 'settled' : 'unsettled') : clean;
}
