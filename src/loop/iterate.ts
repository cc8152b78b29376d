/** One iteration: a brief, a fresh agent, the evidence, a verdict, and its consequences. */

import { isBlamed } from '../evidence/index.ts';
import { appendProgress } from '../memory/index.ts';
import type { Item, Verdict } from '../protocol.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { type Begun, beginIteration } from './begin-iteration.ts';
import type { Look } from './gather.ts';
import { runAgent, type Worked } from './run-agent.ts';
import type { Session } from './session.ts';
import { isSettling } from './settling.ts';
import type { Worker } from './workers.ts';

const loadAfterwards = () => import('./afterwards.ts');

export type Iterated =
  | {
      readonly type: 'decided';
      readonly iteration: number;
      readonly verdict: Verdict;
      /** Whether the tree differs from the one at the start. */
      readonly moved: boolean;
      /** The gate that rejected the work. */
      readonly gate?: string;
    }
  /** A stop request cut the iteration off; its work is set aside and its number is used again. */
  | { readonly type: 'cut-off' };

export async function iterate(session: Session, item: Item, worker: Worker): Promise<Result<Iterated>> {
  const begun = await beginIteration(session, item, worker);
  if (!begun.ok) return begun;
  // Loading blocks all workers, so the last one that starts its agent does it.
  const meanwhile = () => {
    if (session.main.isStarting?.()) return;
    void loadAfterwards();
    session.main.workspace.expectDiffs();
  };
  const worked = await runAgent(session, begun.value, meanwhile);
  if (!worked.ok) return worked;
  const lost = session.options.vault.lost;
  if (lost) return fail(lost);
  const { conclude, gather, judge } = await loadAfterwards();
  if (isStopped(session)) return await cutOff(session);

  const look = lookOf(session, begun.value, worked.value);
  const evidence = await session.mended(() => gather(session, look));
  if (!evidence.ok) return evidence;
  if (isStopped(session)) return await cutOff(session);

  const judged = await judge(session, { begun: begun.value, worked: worked.value, look, evidence: evidence.value });
  const { iteration, attempt, base, startTree, startedAt } = begun.value;
  const facts = { iteration, item: item.id, attempt, base, startTree, startedAt };
  const concluded = await conclude(session, { ...facts, ...judged, evidence: evidence.value });
  if (!concluded.ok) return concluded;
  const verdict = concluded.value;
  if (!verdict) return ok({ type: 'cut-off' });
  const words = [worked.value.outcome.message, ...worked.value.notes].join('\n\n');
  logProgress(session, { iteration, item: item.id, verdict, at: judged.at, message: words });
  const gate =
    verdict.type === 'rejected' && verdict.reason === 'gate-red' ? evidence.value.gates.find(isBlamed) : undefined;
  const moved = evidence.value.tree !== startTree;
  return ok({ type: 'decided', iteration, verdict, moved, ...(gate ? { gate: gate.name } : {}) });
}

const isStopped = ({ options }: Session): boolean => options.stopper.signal.aborted;

async function cutOff(session: Session): Promise<Result<Iterated>> {
  const { abortIteration } = await loadAfterwards();
  const aborted = await abortIteration(session, 'stopped on request');
  return aborted.ok ? ok({ type: 'cut-off' }) : aborted;
}

function lookOf(session: Session, begun: Begun, { claim, outcome }: Worked): Look {
  const { item, iteration, base, known, carried, startTree, wasRed, unstartable, since, ground } = begun;
  const settling = isSettling(session, { known, carried, claim, outcome }) ? { settling: { tree: startTree } } : {};
  const facts = { item, iteration, base, startTree, wasRed, unstartable, since, ground };
  return { ...settling, ...facts, claim, failure: outcome.failure };
}

interface Entry {
  readonly iteration: number;
  readonly item: string;
  readonly verdict: Verdict;
  readonly at: number;
  readonly message: string;
}

function logProgress(session: Session, { iteration, item, verdict, at, message }: Entry): void {
  const isKept = verdict.type === 'accepted' || verdict.type === 'progress';
  const logged = appendProgress({
    file: session.options.folder.progress,
    entry: {
      run: session.state.run,
      iteration,
      item,
      verdict: verdict.type,
      at,
      message,
      ...(isKept ? {} : { reason: verdict.why }),
    },
  });
  if (!logged.ok) session.notice('warn', logged.error.message);
}
