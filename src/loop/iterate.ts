/** One iteration: a brief, a fresh agent, a look at what it did, a verdict, and what follows from it. */

import { verdict as decide, isBlamed } from '../evidence/index.ts';
import { appendProgress } from '../memory/index.ts';
import type { AgentOutcome, Evidence, Item, Verdict } from '../protocol.ts';
import { shownSandbox } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { type Begun, beginIteration } from './begin-iteration.ts';
import { commitMessage } from './commit-message.ts';
import { conclude } from './conclude.ts';
import { gather } from './gather.ts';
import { withLastWords } from './last-words.ts';
import { abortIteration } from './recover.ts';
import { runAgent, type Worked } from './run-agent.ts';
import type { Session } from './session.ts';
import { isSettling } from './settling.ts';
import type { Worker } from './workers.ts';

export type Iterated =
  | {
      readonly type: 'decided';
      readonly iteration: number;
      readonly verdict: Verdict;
      /** The tree is another than the one it began with. */
      readonly moved: boolean;
      /** The gate that refused the work. */
      readonly gate?: string;
    }
  /** A stop request cut it off; its work is kept aside and its number is used again. */
  | { readonly type: 'cut-off' };

export async function iterate(session: Session, item: Item, worker: Worker): Promise<Result<Iterated>> {
  const begun = await beginIteration(session, item, worker);
  if (!begun.ok) return begun;
  const worked = await runAgent(session, begun.value);
  if (!worked.ok) return worked;
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
  const aborted = await abortIteration(session, 'stopped on request');
  return aborted.ok ? ok({ type: 'cut-off' }) : aborted;
}

type Look = Parameters<typeof gather>[1];

function lookOf(session: Session, begun: Begun, { claim, outcome }: Worked): Look {
  const { item, iteration, base, known, carried, startTree, wasRed, unstartable, since, ground } = begun;
  const settling = isSettling(session, { known, carried, claim, outcome }) ? { settling: { tree: startTree } } : {};
  const facts = { item, iteration, base, claim, failure: outcome.failure, wasRed, unstartable, since, ground };
  return { ...settling, ...facts };
}

interface Seen {
  readonly begun: Begun;
  readonly worked: Worked;
  readonly look: Look;
  readonly evidence: Evidence;
}

interface Judged {
  readonly verdict: Verdict;
  readonly message: string;
  readonly at: number;
}

async function judge(session: Session, { begun, worked, look, evidence }: Seen): Promise<Judged> {
  const { item, iteration, known, worker } = begun;
  const { claim, end, outcome, model } = worked;
  const key = { iteration, item: item.id };
  const byGates = session.takeReplaced();
  if (byGates.length > 0) session.record({ type: 'plan.restored', ...key, edits: byGates });
  session.record({ type: 'evidence', ...key, evidence });
  const judged = decide({
    item,
    claim,
    end,
    evidence,
    repeats: session.plan.plan.repeats,
    answered: session.answered,
    ...(outcome.denied ? { denied: outcome.denied } : {}),
    ...(look.settling ? { settling: look.settling } : {}),
    ...(outcome.failure ? { failure: outcome.failure } : {}),
  });
  const verdict = withLastWords(judged, outcome);
  session.answered ||= hasAnswered(outcome);
  const message = commitMessage({
    run: session.state.run,
    item,
    iteration,
    verdict,
    gates: evidence.gates.map(gate => gate.name),
    said: outcome.message,
    agent: [worker.agent.name, model].filter(Boolean).join(', '),
    sandbox: shownSandbox(session.state),
    template: session.settings.commit,
  });
  // Memory learns from what an attempt that failed, and the one that mended it, had changed: from a file of each.
  if (verdict.type === 'rejected' || known.attempts > 0) await session.written();
  const { at } = session.record({ type: 'verdict', ...key, verdict, message });
  return { verdict, message, at };
}

/** Whatever it said or did, a model was reached. */
const hasAnswered = ({ failure, usage }: AgentOutcome): boolean =>
  !failure || usage.outputTokens > 0 || (failure.class === 'logic' && !failure.unanswered);

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
