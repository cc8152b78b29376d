/** The morning for programs. */
import type { Branch } from './branches.ts';
import { headline, nextOf } from './review-text.ts';

export function reviewJson(branch: Branch): Readonly<Record<string, unknown>> {
  const { state, view, past, diff, place, isLive } = branch;
  const { lines, isNeeded } = nextOf(branch);
  return {
    run: state.run,
    plan: state.plan.path,
    branch: state.branch,
    from: state.from || null,
    place: isLive ? 'live' : place,
    headline: headline(branch),
    needsPerson: isNeeded,
    done: view.done,
    settled: view.settled,
    blocked: view.blocked,
    pending: view.pending,
    questions: view.rows.flatMap(({ id, state: { question } }) =>
      question ? [{ item: id, question: question.text, iteration: question.iteration }] : [],
    ),
    commits: past.attempts.flatMap(({ item, commit, gates }) =>
      commit === undefined ? [] : [{ item, commit, gates: gates.map(({ name, status }) => ({ name, status })) }],
    ),
    refused: past.attempts.flatMap(({ item, iteration, verdict, ref }) =>
      verdict?.type === 'rejected'
        ? [{ item, iteration, reason: verdict.reason, why: verdict.why, ref: ref ?? null }]
        : [],
    ),
    diff: diff ?? null,
    costUsd: state.costUsd,
    next: lines,
  };
}
