/** The status block below the scrolling lines: events update its state, and its lines are made from that state. */
import type { Event } from '../events.ts';
import type { Clock } from '../protocol.ts';
import { addUsage, type RunState } from '../state.ts';
import { showCost, showDuration } from '../util/show.ts';
import { showUsage } from './detail-lines.ts';
import { VERDICT_TONES } from './iteration-lines.ts';
import { type ClockTime, localMoment } from './layout.ts';
import { type LiveWorker, liveWorker } from './live-worker.ts';
import { bar, tally } from './progress.ts';
import { REVIEW_WORDS } from './review-lines.ts';
import { type EndLimits, showLimit, verdictReason } from './sentences.ts';
import { dots, type Paint, say } from './style.ts';
import { displayWidth, fit, fitWords } from './width.ts';

/** The limits of the run, shown beside what was used. */
export interface LiveLimits extends EndLimits {
  readonly iterations?: number | undefined;
  readonly timeMs?: number | undefined;
  readonly costUsd?: number | undefined;
}

export interface LiveBlockOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly paint: Paint;
  readonly clockTime: ClockTime;
  readonly limits: LiveLimits;
  /** What the run had used before this process resumed it. */
  readonly from: Pick<RunState, 'usage' | 'costUsd' | 'activeMs' | 'iterations'>;
  /** How many of the agent's last steps are shown (4). */
  readonly steps?: number | undefined;
}

export interface LiveBlock {
  see(event: Event): void;
  lines(columns: number): readonly string[];
}

interface Doing {
  /** The lines before it. */
  readonly before?: readonly string[];
  readonly words: string;
  readonly suffix: string;
}

interface Rows {
  readonly now: number;
  readonly row: (label: string, words: string, suffix?: string) => string;
}

/** Below this age of the last output the agent is simply working; above it, the silence is shown. */
const SILENCE_MS = 30_000;
const WIDE_ENOUGH = 60;
const LABEL = 11;
const STEPS = 4;

export function liveBlock({
  clock,
  paint,
  clockTime,
  limits,
  from,
  steps: shown = STEPS,
}: LiveBlockOptions): LiveBlock {
  const plan = tally();
  const startedAt = clock.monotonic();
  /** By worker number; a run with only one worker has number 0. */
  const workers = new Map<number, LiveWorker>();
  const worker = (number: number): LiveWorker => {
    const known = workers.get(number) ?? liveWorker({ steps: shown, now: startedAt });
    workers.set(number, known);
    return known;
  };
  let wait: { readonly until: number; readonly why: string } | undefined;
  let paused = false;
  let stoppingSince: number | undefined;
  /** Waits and pauses do not count as run time: the start of the current one, and the total of earlier ones. */
  let restsSince: number | undefined;
  let rested = 0;
  let { usage, costUsd, iterations } = from;
  let last = '';
  const verdicts = new Map<number, string>();

  const see = (event: Event): void => {
    const now = clock.monotonic();
    plan.see(event);
    whose(event)?.see(event, now);
    const resting = wait !== undefined || paused;
    take(event);
    if (resting === (wait !== undefined || paused)) return;
    if (resting) rested += now - (restsSince ?? now);
    restsSince = resting ? undefined : now;
  };

  /** Finds the worker of an event; an agent's signals name only their iteration. */
  const whose = (event: Event): LiveWorker | undefined => {
    if ('worker' in event && event.worker !== undefined) return worker(event.worker);
    if (event.type !== 'agent.signal' && event.type !== 'agent.output') return worker(0);
    if (event.review !== undefined) return worker(0);
    return [...workers.values()].find(({ current }) => current?.iteration === event.iteration) ?? worker(0);
  };

  const take = (event: Event): void => {
    switch (event.type) {
      case 'iteration.started':
        iterations = Math.max(iterations, event.iteration);
        return;
      case 'agent.finished':
        usage = addUsage(usage, event.usage);
        costUsd += event.costUsd;
        return;
      case 'verdict':
        verdicts.set(event.iteration, verdictReason(event.verdict));
        return;
      case 'iteration.finished': {
        const verdict = verdicts.get(event.iteration);
        verdicts.delete(event.iteration);
        const reason = verdict ? `: ${verdict}` : '';
        last = `${paint(VERDICT_TONES[event.verdict], event.verdict)} ${say(event.item)}${reason}`;
        return;
      }
      case 'review.finished':
      case 'review.aborted':
        usage = addUsage(usage, event.usage);
        costUsd += event.costUsd;
        if (event.type === 'review.aborted') return;
        last = `review of ${say(event.item)}: ${paint(REVIEW_WORDS[event.verdict].tone, REVIEW_WORDS[event.verdict].words)}`;
        return;
      case 'wait.started':
        wait = { until: event.until, why: say(event.why, 200) };
        return;
      case 'wait.ended':
        wait = undefined;
        return;
      case 'stopping':
        stoppingSince = clock.monotonic();
        return;
      case 'paused':
      case 'unpaused':
        paused = event.type === 'paused';
        return;
      default:
        return;
    }
  };

  const busy = (): readonly LiveWorker[] =>
    [...workers]
      .toSorted(([one], [other]) => one - other)
      .map(([, each]) => each)
      .filter(({ current }) => current !== undefined);

  const nowDoing = (now: number): Doing => {
    // An agent may take its time, and whoever pressed Ctrl-C has to see that it was noticed.
    if (stoppingSince !== undefined)
      return {
        words: paint('warn', 'stopping: what runs is being ended'),
        suffix: ` · ${ticking(now - stoppingSince)}`,
      };
    if (paused) return { words: paint('warn', 'paused'), suffix: ' · continue with: ralph resume' };
    if (wait) {
      const left = Math.max(0, wait.until - clock.now());
      const until = `waiting until ${localMoment(wait.until, clock.now(), clockTime)}, ${ticking(left)} left`;
      return { words: paint('warn', until) + (wait.why ? `: ${wait.why}` : ''), suffix: '' };
    }
    return doing(busy()[0] ?? worker(0), now);
  };

  const doing = ({ step, current, heardAt, agent }: LiveWorker, now: number): Doing => {
    if (step) return { words: step.words, suffix: ` · ${ticking(now - step.since)}` };
    if (!current) return { words: 'choosing the next item', suffix: '' };
    const silent = now - heardAt;
    const steps = agent.lines();
    const [words = '', before] = [steps.at(-1), steps.slice(0, -1)];
    if (silent < SILENCE_MS) return { before, words, suffix: paint('dim', ` · ${ticking(silent)} ago`) };
    const limit = limits.idleMs === undefined ? '' : ` of ${showLimit(limits.idleMs)}`;
    return { before, words, suffix: paint('warn', ` · silent for ${ticking(silent)}${limit}`) };
  };

  const one = (activity: Doing, { now, row, current }: Rows & { readonly current: LiveWorker['current'] }) => [
    ...(current ? [row('now', paint('strong', current.words), ` · ${ticking(now - current.since)}`)] : []),
    ...[...(activity.before ?? []).map(words => [words, ''] as const), [activity.words, activity.suffix] as const].map(
      ([words, suffix], at) => row(at > 0 ? '' : current ? 'doing' : 'now', words, suffix),
    ),
  ];

  /** One line per worker: what it does, and its last step. */
  const several = (atWork: readonly LiveWorker[], { now, row }: Rows) => {
    const resting = paused || wait || stoppingSince !== undefined ? [nowDoing(now)] : [];
    return [
      ...resting.map(({ words, suffix }) => row('now', words, suffix)),
      ...atWork.map((each, at) => {
        const since = each.current ? ` · ${ticking(now - each.current.since)}` : '';
        const words = `${paint('strong', each.current?.words ?? '')} · ${doing(each, now).words}`;
        return row(at + resting.length > 0 ? '' : 'now', words, since);
      }),
      ...(atWork.length + resting.length === 0 ? [row('now', 'choosing the next item')] : []),
    ];
  };

  const lines = (columns: number): readonly string[] => {
    const now = clock.monotonic();
    const margin = columns >= WIDE_ENOUGH ? '       ' : '';
    const row = (label: string, words: string, suffix = ''): string => {
      const head = margin + paint('dim', label.padEnd(LABEL));
      const room = Math.max(0, columns - displayWidth(head) - displayWidth(suffix));
      return fit(head + fitWords(words, room) + suffix, columns);
    };
    const progress = plan.progress();
    const active = from.activeMs + (restsSince ?? now) - startedAt - rested;
    const activity = nowDoing(now);
    const atWork = busy();
    const running = [...workers.values()].map(({ agent }) => agent.spent());
    const cost = running.reduce((sum, spent) => sum + spent.costUsd, costUsd);
    const used = running.reduce((sum, spent) => addUsage(sum, spent.usage), usage);
    // Limits are shown only if there is room; usage is always shown.
    const spentWithin = ({ iterations: most, timeMs, costUsd: dollars }: LiveLimits) =>
      dots(
        showUsage(used),
        // Some agents never report a cost: a zero would look like a measurement.
        cost > 0 ? against(showCost(cost), dollars, showCost) : '',
        against(`iteration ${iterations}`, most, String),
        against(ticking(active), timeMs, showLimit),
      );
    const fits = displayWidth(spentWithin(limits)) <= columns - margin.length - LABEL;
    const spent = spentWithin(fits ? limits : {});
    const counts = progress ? countWords(progress) : '';
    const barWidth = Math.min(48, columns - margin.length - displayWidth(counts) - 2);
    return [
      ...(progress && barWidth >= 8 ? [`${margin}${bar(progress, barWidth, paint)}  ${counts}`] : []),
      ...(workers.size > 2 || atWork.length > 1
        ? several(atWork, { now, row })
        : one(activity, { now, row, current: atWork[0]?.current })),
      row('spent', spent),
      ...(last ? [row('last', last)] : []),
    ];
  };

  return { see, lines };
}

function countWords({ done, blocked, total }: { done: number; blocked: number; total: number }): string {
  return dots(`${done}/${total} done`, blocked > 0 ? `${blocked} blocked` : '');
}

function against(used: string, limit: number | undefined, show: (limit: number) => string): string {
  return limit === undefined ? used : `${used} of ${show(limit)}`;
}

/** In whole seconds, because digits that change faster are only noise. */
function ticking(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : showDuration(seconds * 1000);
}
