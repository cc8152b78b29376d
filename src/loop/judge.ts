/** Decides the verdict on an attempt, and records it with its evidence. */
import { UNTIL } from '../config/index.ts';
import { verdict as decide } from '../evidence/index.ts';
import type { AgentOutcome, Evidence, Verdict } from '../protocol.ts';
import { shownSandbox } from '../state.ts';
import type { Begun } from './begin-iteration.ts';
import { commitMessage } from './commit-message.ts';
import type { Look } from './gather.ts';
import { withLastWords } from './last-words.ts';
import type { Worked } from './run-agent.ts';
import type { Session } from './session.ts';

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

export async function judge(session: Session, { begun, worked, look, evidence }: Seen): Promise<Judged> {
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
    goal: UNTIL,
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
    gates: evidence.gates.filter(gate => gate.name !== UNTIL || gate.status === 'green').map(gate => gate.name),
    said: outcome.message,
    agent: [worker.agent.name, model].filter(Boolean).join(', '),
    sandbox: shownSandbox(session.state),
    template: session.settings.commit,
  });
  // Memory compares the diff files of a failed attempt and of the one that fixed it, so both have to be written first.
  if (verdict.type === 'rejected' || known.attempts > 0) await session.written();
  const { at } = session.record({ type: 'verdict', ...key, verdict, message });
  return { verdict, message, at };
}

/** Whether a model answered, whatever the answer was. */
const hasAnswered = ({ failure, usage }: AgentOutcome): boolean =>
  !failure || usage.outputTokens > 0 || (failure.class === 'logic' && !failure.unanswered);
