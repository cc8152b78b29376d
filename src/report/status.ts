/** `ralph status`: where a run is, live or not, for people and for programs. */
import type { Recorded, StopReason } from '../events.ts';
import type { ItemStatus, ReviewVerdict, Usage, Verdict } from '../protocol.ts';
import type { OpenReview, RunState } from '../state.ts';
import { showCost, showDuration } from '../util/show.ts';
import { type ClockTime, localTime } from './layout.ts';
import { showUsage, VERDICT_TONES } from './narrate.ts';
import { type ItemRow, type Overview, overview, type PlanItem } from './overview.ts';
import { bar } from './progress.ts';
import { reviewCounts } from './reviews.ts';
import { describeStop, verdictReason } from './sentences.ts';
import { dots, painter, say, shellWord } from './style.ts';
import { itemCounts } from './summary.ts';

/** Who holds the lock. */
export interface LockOwner {
  readonly pid: number;
  readonly command: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface StatusInput {
  readonly state: RunState;
  readonly items: readonly PlanItem[];
  /** The run's journal; only the latest iteration and verdict are taken from it. */
  readonly records: Iterable<Recorded>;
  /** Undefined when no runner is alive. */
  readonly owner: LockOwner | undefined;
}

/** What `ralph status --json` prints. Times are epoch milliseconds; what there is none of is null. */
export interface StatusJson {
  readonly run: string;
  readonly live: boolean;
  readonly owner: LockOwner | null;
  readonly plan: { readonly path: string; readonly format: string; readonly name: string };
  readonly branch: string;
  readonly done: number;
  readonly total: number;
  readonly blocked: number;
  readonly skipped: number;
  /** Items still to be done, the current one included. */
  readonly pending: number;
  readonly iterations: number;
  readonly current: {
    readonly iteration: number;
    readonly item: string;
    readonly attempt: number;
    readonly since: number;
  } | null;
  /** The review that is being made. */
  readonly reviewing: {
    readonly review: number;
    readonly item: string;
    readonly round: number;
    readonly since: number;
  } | null;
  readonly waiting: { readonly until: number; readonly why: string } | null;
  readonly paused: boolean;
  readonly last: { readonly item: string; readonly verdict: Verdict['type']; readonly why: string } | null;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly activeMs: number;
  readonly finished: { readonly reason: StopReason; readonly why: string; readonly at: number } | null;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: ItemStatus;
    /** Rejections so far. */
    readonly attempts: number;
    readonly commit: string | null;
    readonly why: string;
    /** What its reviews came to. */
    readonly review: { readonly verdict: ReviewVerdict; readonly rounds: number; readonly findings: number } | null;
  }[];
}

export function statusJson({ state, items, records, owner }: StatusInput): StatusJson {
  const { rows, ...counts } = overview(state, items);
  const { since, verdict } = latest(records, state);
  const { open } = state;
  return {
    run: state.run,
    live: owner !== undefined,
    owner: owner ?? null,
    plan: state.plan,
    branch: state.branch,
    ...counts,
    iterations: state.iterations,
    current: open ? { iteration: open.iteration, item: open.item, attempt: open.attempt, since } : null,
    reviewing: state.openReview ? reviewing(state.openReview) : null,
    waiting: state.waitUntil === undefined ? null : { until: state.waitUntil, why: state.waitWhy },
    paused: state.paused,
    last: verdict ? { item: verdict.item, verdict: verdict.verdict.type, why: verdictReason(verdict.verdict) } : null,
    usage: state.usage,
    costUsd: state.costUsd,
    activeMs: state.activeMs,
    finished: state.finished ?? null,
    items: rows.map(row => ({
      id: row.id,
      title: row.title,
      status: row.status,
      attempts: row.state.attempts,
      commit: row.state.commit ?? null,
      why: row.why,
      review: reviewOf(row),
    })),
  };
}

function reviewOf({ state }: ItemRow): StatusJson['items'][number]['review'] {
  const { review } = state;
  return review ? { verdict: review.verdict, rounds: review.rounds, findings: review.findings.length } : null;
}

const reviewing = ({ review, item, round, startedAt }: OpenReview): StatusJson['reviewing'] => ({
  review,
  item,
  round,
  since: startedAt,
});

export interface StatusTextInput extends StatusInput {
  readonly now: number;
  readonly color: boolean;
  readonly clockTime?: ClockTime | undefined;
}

const LABEL = 10;
const BAR = 32;
const BLOCKED_SHOWN = 10;

export function statusText({ now, color, clockTime = localTime, ...input }: StatusTextInput): string {
  const paint = painter({ color });
  const { state, owner } = input;
  const view = overview(state, input.items);
  const { since, verdict } = latest(input.records, state);
  const blocked = view.rows.filter(item => item.status === 'blocked');
  const row = (label: string, text: string) => `${paint('dim', label.padEnd(LABEL))}${text}`;
  const lines = [
    row('run', dots(paint('strong', say(state.run)), livenessOf(state, owner, { paint, clockTime }))),
    row('plan', dots(say(state.plan.path), `branch ${say(state.branch)}`, `agent ${say(state.agent)}`)),
    row('items', `${bar(view, BAR, paint)}  ${itemCounts(view)}`),
  ];
  if (state.finished && !owner) {
    const { reason, why } = state.finished;
    lines.push(row('end', paint(reason === 'complete' ? 'good' : 'warn', describeStop(reason, why))));
  }
  if (state.open) {
    const { item, attempt, iteration } = state.open;
    const title = say(state.items.get(item)?.title ?? '');
    const time = owner ? `for ${showDuration(Math.max(0, now - since))}` : `since ${clockTime(since)}`;
    const words = `${say(item)}${title ? ` ${title}` : ''}`;
    lines.push(row(owner ? 'now' : 'cut off', dots(words, `attempt ${attempt}`, `iteration ${iteration}`, time)));
  }
  if (state.openReview) {
    const { item, round, startedAt } = state.openReview;
    const time = owner ? `for ${showDuration(Math.max(0, now - startedAt))}` : `since ${clockTime(startedAt)}`;
    lines.push(row(owner ? 'now' : 'cut off', dots(`review of ${say(item)}`, `round ${round}`, time)));
  }
  if (state.waitUntil !== undefined && owner) {
    const left = showDuration(Math.max(0, state.waitUntil - now));
    const why = state.waitWhy ? `: ${say(state.waitWhy, 300)}` : '';
    lines.push(row('waiting', `until ${clockTime(state.waitUntil)}, ${left} left${why}`));
  }
  if (verdict) {
    const { type } = verdict.verdict;
    lines.push(
      row('last', `${paint(VERDICT_TONES[type], type)} ${say(verdict.item)}: ${verdictReason(verdict.verdict)}`),
    );
  }
  const reviews = reviewCounts(view);
  if (reviews) lines.push(row('reviews', reviews));
  const cost = state.costUsd > 0 ? showCost(state.costUsd) : '';
  lines.push(
    row('spent', dots(showUsage(state.usage), cost, `iteration ${state.iterations}`, showDuration(state.activeMs))),
  );
  for (const item of blocked.slice(0, BLOCKED_SHOWN)) {
    const why = item.why ? `: ${say(item.why, 300)}` : '';
    lines.push(row('blocked', `${paint('bad', say(item.id))} ${say(item.title)}${why}`));
  }
  if (blocked.length > BLOCKED_SHOWN) lines.push(row('', `and ${blocked.length - BLOCKED_SHOWN} more`));
  lines.push(row('next', nextStep(state, view, owner)));
  return `${lines.join('\n')}\n`;
}

function livenessOf(
  state: RunState,
  owner: LockOwner | undefined,
  { paint, clockTime }: { readonly paint: ReturnType<typeof painter>; readonly clockTime: ClockTime },
): string {
  if (owner) {
    const word = state.paused ? paint('warn', 'paused') : paint('good', 'running');
    return `${word} since ${clockTime(owner.since)} (pid ${owner.pid}, ${say(owner.command, 60)})`;
  }
  if (!state.finished) return paint('warn', 'not running; it was cut off');
  return `ended at ${clockTime(state.finished.at)}`;
}

function nextStep(state: RunState, view: Overview, owner: LockOwner | undefined): string {
  if (owner) return state.paused ? 'ralph resume' : 'ralph logs -f  # or: ralph stop';
  if (state.finished?.reason === 'complete') return 'ralph report';
  const first = view.rows.find(row => row.status === 'blocked');
  if (first && (view.pending === 0 || state.finished?.reason === 'blocked'))
    return `ralph unblock ${shellWord(first.id)} && ralph run  # once it is solved`;
  const unreviewed = view.rows.find(row => row.state.review && row.state.review.verdict !== 'pass');
  if (unreviewed && state.finished?.reason === 'review')
    return `ralph retry ${shellWord(unreviewed.id)} --with "..." && ralph run  # or: ralph done ${shellWord(unreviewed.id)}`;
  return 'ralph run';
}

interface Latest {
  readonly since: number;
  readonly verdict: Extract<Recorded, { type: 'verdict' }> | undefined;
}

function latest(records: Iterable<Recorded>, state: RunState): Latest {
  let since = state.lastAt;
  let verdict: Latest['verdict'];
  for (const record of records) {
    if (record.type === 'iteration.started') since = record.at;
    if (record.type === 'verdict') verdict = record;
  }
  return { since, verdict };
}
