/** `ralph status` for people: where a run is, live or not. */
import { addUsage, isComplete, openAgain } from '../state.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import { sandboxWord, showUsage } from './detail-lines.ts';
import { itemTable, shortList } from './item-table.ts';
import { VERDICT_TONES } from './iteration-lines.ts';
import { type ClockTime, localMoment, localTime } from './layout.ts';
import { type Overview, overview } from './overview.ts';
import { bar } from './progress.ts';
import { reviewCounts } from './reviews.ts';
import { howItEnded, verdictReason } from './sentences.ts';
import { type LiveNow, type LockOwner, latest, type StatusInput } from './status-json.ts';
import { dots, itemCommand, painter, say, shellWord } from './style.ts';
import { itemCounts } from './summary.ts';
import { displayWidth, fitWords, wrap } from './width.ts';

export interface StatusTextInput extends StatusInput {
  readonly now: number;
  readonly color: boolean;
  readonly clockTime?: ClockTime | undefined;
  /** Fit into this many columns; if absent, lines are not wrapped. */
  readonly columns?: number | undefined;
}

const LABEL = 10;

const BAR = 32;

export function statusText({ now, color, clockTime = localTime, columns, ...input }: StatusTextInput): string {
  const paint = painter({ color });
  const { state, owner, live = {} } = input;
  const view = overview(state, input.items, { isLive: owner !== undefined });
  const { since, verdict } = latest(input.records, state);
  const starting = isStarting(input);
  const row = (label: string, text: string) => rowText(paint('dim', label.padEnd(LABEL)), text, columns);
  const lines = [
    row('run', dots(paint('strong', say(state.run)), livenessOf(input, { paint, clockTime }))),
    row(
      'plan',
      dots(say(state.plan.path), `branch ${say(state.branch)}`, `agent ${say(state.agent)}`, sandboxWord(state)),
    ),
    row('items', `${bar(view, barWidth(view, columns), paint)}  ${itemCounts(view)}`),
  ];
  if (starting && owner) lines.push(row('now', startingWords(owner, live, now)));
  if (state.finished && !owner) {
    const { pending } = view;
    const tone = isComplete(state) && pending === 0 ? 'good' : 'warn';
    lines.push(row('end', paint(tone, howItEnded(state, { pending }))));
  }
  for (const { item, attempt, iteration, at = since } of starting ? [] : state.openIterations) {
    const title = say(state.items.get(item)?.title ?? '');
    const time = owner ? `for ${showDuration(Math.max(0, now - at))}` : `since ${clockTime(at)}`;
    const words = `${say(item)}${title ? ` ${title}` : ''}`;
    lines.push(row(owner ? 'now' : 'cut off', dots(words, `attempt ${attempt}`, `iteration ${iteration}`, time)));
  }
  for (const { item, round, startedAt } of starting ? [] : state.openReviews) {
    const time = owner ? `for ${showDuration(Math.max(0, now - startedAt))}` : `since ${clockTime(startedAt)}`;
    lines.push(row(owner ? 'now' : 'cut off', dots(`review of ${say(item)}`, `round ${round}`, time)));
  }
  const doing = starting ? '' : doingWords(live, now);
  if (doing && owner) lines.push(row('doing', columns === undefined ? doing : fitWords(doing, columns - LABEL)));
  if (state.waitUntil !== undefined && owner) {
    const left = showDuration(Math.max(0, state.waitUntil - now));
    const why = state.waitWhy ? `: ${say(state.waitWhy, 300)}` : '';
    lines.push(row('waiting', `until ${localMoment(state.waitUntil, now, clockTime)}, ${left} left${why}`));
  }
  if (verdict) {
    const { type } = verdict.verdict;
    lines.push(
      row('last', `${paint(VERDICT_TONES[type], type)} ${say(verdict.item)}: ${verdictReason(verdict.verdict)}`),
    );
  }
  const reviews = reviewCounts(view);
  if (reviews) lines.push(row('reviews', reviews));
  const costUsd = state.costUsd + (live.spent?.costUsd ?? 0);
  const usage = live.spent ? addUsage(state.usage, live.spent.usage) : state.usage;
  // The time of a live run continues after its last record, unless it is paused or waiting.
  const works = owner && !starting && !state.paused && state.waitUntil === undefined;
  const activeMs = state.activeMs + (works ? Math.max(0, now - state.lastAt) : 0);
  const cost = costUsd > 0 ? showCost(costUsd) : '';
  const iterations = owner ? `iteration ${state.iterations}` : plural(state.iterations, 'iteration');
  lines.push(row('spent', dots(showUsage(usage), cost, iterations, showDuration(activeMs))));
  const list = shortList(view.rows);
  if (list.rows.length > 0) lines.push('', ...itemTable({ rows: list.rows, paint, columns }));
  if (list.rest) lines.push(paint('dim', list.rest));
  // A command is not broken into lines, of which the first one would be run without the rest.
  lines.push('', paint('dim', 'next'.padEnd(LABEL)) + nextStep(input, view));
  return `${lines.join('\n')}\n`;
}

/** As wide as fits beside the counts. */
const barWidth = (view: Overview, columns = Infinity): number =>
  Math.max(4, Math.min(BAR, columns - LABEL - 2 - displayWidth(itemCounts(view))));

/** A label and its text, with a hanging indent if it is too long. */
function rowText(label: string, text: string, columns: number | undefined): string {
  if (columns === undefined || displayWidth(text) <= columns - LABEL) return label + text;
  return wrap(text, Math.max(LABEL, columns - LABEL))
    .map((part, at) => (at === 0 ? label : ' '.repeat(LABEL)) + part)
    .join('\n');
}

/** A runner that has recorded nothing yet: it runs the gates before its first item. */
const isStarting = ({ state, owner, live }: Omit<StatusInput, 'items' | 'records'>): boolean =>
  owner !== undefined && live?.runner === true && state.lastAt < owner.since;

function startingWords({ since }: LockOwner, { gate }: LiveNow, now: number): string {
  const time = `for ${showDuration(Math.max(0, now - (gate?.since ?? since)))}`;
  return dots('the gates are being run before the first item', gate && say(gate.name, 60), time);
}

function doingWords({ gate, doing, heardAt }: LiveNow, now: number): string {
  const ago = (at: number) => showDuration(Math.max(0, now - at));
  if (gate) return `gate ${say(gate.name, 60)} · for ${ago(gate.since)}`;
  return doing ? `${doing}${heardAt === undefined ? '' : ` · ${ago(heardAt)} ago`}` : '';
}

/** The status of a run without a journal: only its runner is known. */
export function startingText({
  owner,
  live = {},
  now,
  clockTime = localTime,
}: {
  readonly owner: LockOwner;
  readonly live?: LiveNow;
  readonly now: number;
  readonly clockTime?: ClockTime | undefined;
}): string {
  const row = (label: string, text: string) => `${label.padEnd(LABEL)}${text}\n`;
  return [
    row('run', `starting since ${clockTime(owner.since)} (pid ${owner.pid}, ${say(owner.command, 60)})`),
    row('now', startingWords(owner, live, now)),
    row('next', 'ralph watch, or ralph stop'),
  ].join('');
}

function livenessOf(
  input: Omit<StatusInput, 'items' | 'records'>,
  { paint, clockTime }: { readonly paint: ReturnType<typeof painter>; readonly clockTime: ClockTime },
): string {
  const { state, owner } = input;
  if (owner) {
    const who = `(pid ${owner.pid}, ${say(owner.command, 60)})`;
    if (state.paused) return `${paint('warn', 'paused')} since ${clockTime(state.pausedAt ?? owner.since)} ${who}`;
    const word = paint('good', isStarting(input) ? 'starting' : 'running');
    return `${word} since ${clockTime(owner.since)} ${who}`;
  }
  if (!state.finished) return paint('warn', 'not running; it was cut off');
  return `ended at ${clockTime(state.finished.at)}`;
}

function nextStep({ state, owner, named }: Pick<StatusInput, 'state' | 'owner' | 'named'>, view: Overview): string {
  const its = named ? ` --run ${named.run}` : '';
  const flag = named ? `--plan ${named.plan}` : '';
  const asks = view.rows.find(row => row.state.question);
  const answer = asks ? itemCommand('answer', asks.id, { flags: flag, text: '"..."' }) : '';
  if (owner) {
    if (state.paused) return `ralph resume${its}`;
    const watch = `ralph watch${its}`;
    return answer ? `${answer}  # or: ${watch}` : `${watch}  # or: ralph logs -f${its}, ralph stop${its}`;
  }
  const goOn = named ? `ralph run ${named.plan}` : 'ralph run';
  // New items may have been added to the plan since.
  if (state.discarded) return `ralph report${its}`;
  // Only git knows whether it is merged already, and then the command says so.
  const isApart = state.from !== undefined && state.from !== state.branch && state.commits > 0;
  if (isComplete(state) && view.pending === 0)
    return `ralph report${its}${isApart ? `  # then: ralph merge ${shellWord(state.run)}` : ''}`;
  if (state.finished?.reason === 'complete') return goOn;
  const first = view.rows.find(row => row.status === 'blocked' && !row.state.question);
  const retry = first && itemCommand('retry', first.id, { flags: `${flag} --with "..."`.trim() });
  if (answer) return `${answer} && ${goOn}${retry ? `  # and: ${retry}` : ''}`;
  if (first && (view.pending === 0 || (state.finished?.reason === 'blocked' && openAgain(state).length === 0)))
    return `${itemCommand('unblock', first.id, { flags: flag })} && ${goOn}  # once it is solved`;
  const unreviewed = view.rows.find(row => row.state.review && row.state.review.verdict !== 'pass');
  if (unreviewed && state.finished?.reason === 'review') {
    const retry = itemCommand('retry', unreviewed.id, { flags: `${flag} --with "..."`.trim() });
    return `${retry} && ${goOn}  # or: ${itemCommand('done', unreviewed.id, { flags: flag })}`;
  }
  return goOn;
}
