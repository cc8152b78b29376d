/** What a person should look at after a run, most urgent first. */
import type { Finding, GateResult } from '../protocol.ts';
import type { Attempt, History } from './history.ts';
import { code, text } from './markdown-text.ts';
import type { ItemRow } from './overview.ts';
import { gateOutcome } from './sentences.ts';
import { shortCommit } from './style.ts';

export interface ReviewInput {
  readonly rows: readonly ItemRow[];
  readonly past: History;
}

/** Entries per kind: nobody reads a longer list to its end. */
const SHOWN = 30;

/** Markdown list items, or one sentence when there is nothing. */
export function toReview(input: ReviewInput): readonly string[] {
  const lines = reviewLines(input);
  return lines.length > 0 ? lines : [NOTHING_TO_REVIEW];
}

export const NOTHING_TO_REVIEW = 'Nothing stands out.';

export function reviewLines({ rows, past }: ReviewInput): readonly string[] {
  const kinds: readonly (readonly string[])[] = [
    rows.filter(row => row.status === 'blocked').map(blockedItem),
    openReviews(rows, past),
    redGates('Final gate', past.final),
    redGates('Baseline gate', past.baseline),
    past.attempts.flatMap(attempt =>
      attempt.findings.filter(inForce(attempt)).map(finding => guardFinding(attempt, finding)),
    ),
    rows
      .filter(row => row.status === 'done' && row.state.settled)
      .map(row => `- **Accepted without a claim (settled)**: ${text(row.id)} ${text(row.title)}`.trimEnd()),
    past.attempts.flatMap(attempt =>
      attempt.restored.map(edit => `- **Plan edit undone** in ${place(attempt)}: ${text(edit, 300)}`),
    ),
    past.attempts.flatMap(attempt =>
      attempt.leftovers.map(
        ({ pid, command, killed }) =>
          `- **Process left behind** in ${place(attempt)}: ${code(command, 120)} (pid ${pid}), ${killed ? 'killed' : 'still alive'}`,
      ),
    ),
    deaths(past.attempts),
    strangers(past.attempts),
    redAttempts(past.attempts),
    past.byHand.map(
      ({ item, to, why }) =>
        `- **Marked ${to} by hand**: ${text(item)}, without a look at its work${why ? `: ${text(why, 200)}` : ''}`,
    ),
    past.adopted.map(
      ({ item, commit }) => `- **Adopted after a crash**: ${text(item)}, commit ${code(shortCommit(commit))}`,
    ),
  ];
  return kinds.flatMap(kind =>
    kind.length > SHOWN ? [...kind.slice(0, SHOWN), `- and ${kind.length - SHOWN} more like these`] : kind,
  );
}

/** Items whose last review did not pass. */
function openReviews(rows: readonly ItemRow[], past: History): readonly string[] {
  const last = new Map(past.reviews.map(review => [review.item, review]));
  return rows.flatMap(row => {
    const { verdict } = row.state.review ?? {};
    const review = last.get(row.id);
    if (verdict === undefined || verdict === 'pass' || !review) return [];
    const what =
      verdict === 'unclear' ? text(review.why, 300) : review.findings.map(found => text(found.text, 200)).join('; ');
    return [`- **Review not passed** by ${text(row.id)} ${text(row.title)}: ${what}`];
  });
}

function blockedItem(row: ItemRow): string {
  const why = row.why ? `: ${text(row.why, 400)}` : '';
  if (row.state.question)
    return `- **Question** of ${text(row.id)} ${text(row.title)}: ${text(row.state.question.text, 400)}`;
  return `- **Blocked** ${text(row.id)} ${text(row.title)}${why}`;
}

/** A finding of level block already stopped its attempt; a warning on accepted work has not been looked at yet. */
function inForce(attempt: Attempt): (finding: Finding) => boolean {
  return finding => finding.level === 'block' || attempt.commit !== undefined;
}

function guardFinding(attempt: Attempt, finding: Finding): string {
  const kind = finding.level === 'block' ? 'Guard' : 'Guard warning';
  return `- **${kind}** in ${place(attempt)}: ${findingWords(finding)}`;
}

/** Rule, message and path of a finding. */
export function findingWords({ rule, message, path, line }: Finding): string {
  const place = path && line !== undefined ? `${path}:${line}` : path;
  return `${text(rule)}: ${text(message, 300)}${place ? ` (${code(place)})` : ''}`;
}

function redGates(kind: string, gates: readonly GateResult[]): readonly string[] {
  return gates
    .filter(gate => gate.status !== 'green')
    .map(gate => `- **${kind} not green**: ${text(gate.name)}, ${gateOutcome(gate)}`);
}

/** Items in which the runner died: one in which it dies often may be the cause. */
function deaths(attempts: readonly Attempt[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { item, death, verdict } of attempts) {
    const died = death !== undefined || (verdict?.type === 'rejected' && verdict.reason === 'runner-died');
    if (died) counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return [...counts].map(([item, count]) => {
    const times = count === 1 ? 'once' : `${count} times`;
    return `- **Runner died** ${times} while ${text(item)} was being worked on: its agent, or code that the gates run, may have ended it`;
  });
}

/** One line per process: every agent that worked meanwhile has seen it. */
function strangers(attempts: readonly Attempt[]): readonly string[] {
  const first = new Map<string, string>();
  for (const attempt of attempts) {
    for (const { pid, command } of attempt.strangers) {
      const what = `${code(command, 120)} (pid ${pid})`;
      if (!first.has(what)) first.set(what, place(attempt));
    }
  }
  return [...first].map(
    ([what, where]) =>
      `- **Process started meanwhile**, perhaps by you, in ${where}: ${what}; nothing ties it to the agent, so it was left alone`,
  );
}

/** One line per item and gate, however often it was red. */
function redAttempts(attempts: readonly Attempt[]): readonly string[] {
  const seen = new Map<string, { readonly item: string; readonly gate: string; readonly iterations: number[] }>();
  for (const { item, iteration, gates, verify } of attempts) {
    for (const gate of [...verify, ...gates]) {
      if (gate.status !== 'red' && gate.status !== 'timeout') continue;
      const key = JSON.stringify([item, gate.name]);
      const entry = seen.get(key) ?? { item, gate: gate.name, iterations: [] };
      if (entry.iterations.at(-1) !== iteration) entry.iterations.push(iteration);
      seen.set(key, entry);
    }
  }
  return [...seen.values()].map(({ item, gate, iterations }) => {
    const which = iterations.length > 8 ? `${iterations.slice(0, 8).join(', ')} and more` : iterations.join(', ');
    return `- **Gate was red** for ${text(item)}: ${text(gate)}, iteration${iterations.length === 1 ? '' : 's'} ${which}`;
  });
}

function place({ item, iteration }: Attempt): string {
  return `${text(item)} (iteration ${iteration})`;
}
