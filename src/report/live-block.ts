/** What the status block under the scrolling lines says: state from events, a few lines from state. */
import type { Event } from '../events.ts';
import type { Clock } from '../protocol.ts';
import { addUsage, type RunState } from '../state.ts';
import { showCost, showDuration } from '../util/show.ts';
import { type ClockTime, localMoment } from './layout.ts';
import { REVIEW_WORDS, showUsage, VERDICT_TONES } from './narrate.ts';
import { bar, tally } from './progress.ts';
import { recentSteps } from './recent-steps.ts';
import { type EndLimits, showLimit, verdictReason } from './sentences.ts';
import { dots, type Paint, say } from './style.ts';
import { displayWidth, fit, fitWords } from './width.ts';

/** The limits of the run, shown beside what is used up. */
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
  /** What the run had used before this process went on with it. */
  readonly from: Pick<RunState, 'usage' | 'costUsd' | 'activeMs' | 'iterations'>;
  /** How many of the agent's last steps are shown (4). */
  readonly steps?: number | undefined;
}

export interface LiveBlock {
  see(event: Event): void;
  lines(columns: number): readonly string[];
}

interface Doing {
  /** What came before it. */
  readonly before?: readonly string[];
  readonly words: string;
  readonly suffix: string;
}

interface Current {
  readonly iteration: number;
  readonly words: string;
  readonly since: number;
}

/** Output younger than this is just the agent at work; older, its silence is what matters. */
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
  let current: Current | undefined;
  const agent = recentSteps(shown);
  /** A step of the runner's own; while it is set, the agent's silence means nothing. */
  let step: { readonly words: string; readonly since: number } | undefined;
  let heardAt = startedAt;
  let wait: { readonly until: number; readonly why: string } | undefined;
  let paused = false;
  /** Waits and pauses are not work: when the one that goes on began, and how long those before it took. */
  let restsSince: number | undefined;
  let rested = 0;
  let { usage, costUsd, iterations } = from;
  let last = '';
  let verdict = '';

  const see = (event: Event): void => {
    const now = clock.monotonic();
    plan.see(event);
    const resting = wait !== undefined || paused;
    take(event, now);
    if (resting === (wait !== undefined || paused)) return;
    if (resting) rested += now - (restsSince ?? now);
    restsSince = resting ? undefined : now;
  };

  const take = (event: Event, now: number): void => {
    switch (event.type) {
      case 'iteration.started': {
        const attempt = event.attempt > 1 ? ` (attempt ${event.attempt})` : '';
        const words = `${[say(event.item), say(event.title)].filter(Boolean).join(' ')}${attempt}`;
        current = { iteration: event.iteration, words, since: now };
        iterations = event.iteration;
        agent.begin('starting the agent');
        step = undefined;
        heardAt = now;
        verdict = '';
        return;
      }
      case 'agent.signal':
        heardAt = now;
        agent.take(event.signal);
        return;
      case 'agent.output':
        heardAt = now;
        return;
      case 'agent.finished':
        usage = addUsage(usage, event.usage);
        costUsd += event.costUsd;
        agent.settle();
        step = { words: 'looking at the evidence', since: now };
        return;
      case 'gate.started':
        step = { words: `${event.phase === 'item' ? '' : `${event.phase} `}gate ${say(event.name)}`, since: now };
        return;
      case 'gate.finished':
        step = current ? { words: 'looking at the evidence', since: now } : undefined;
        return;
      case 'verdict':
        verdict = verdictReason(event.verdict);
        return;
      case 'iteration.finished': {
        const reason = verdict ? `: ${verdict}` : '';
        last = `${paint(VERDICT_TONES[event.verdict], event.verdict)} ${say(event.item)}${reason}`;
        current = undefined;
        step = undefined;
        return;
      }
      case 'iteration.aborted':
        current = undefined;
        return;
      case 'review.started':
        current = { iteration: iterations, words: `review of ${say(event.item)}, round ${event.round}`, since: now };
        agent.begin('starting the reviewer');
        step = undefined;
        heardAt = now;
        return;
      case 'review.finished':
      case 'review.aborted':
        usage = addUsage(usage, event.usage);
        costUsd += event.costUsd;
        agent.settle();
        current = undefined;
        if (event.type === 'review.aborted') return;
        last = `review of ${say(event.item)}: ${paint(REVIEW_WORDS[event.verdict].tone, REVIEW_WORDS[event.verdict].words)}`;
        return;
      case 'wait.started':
        wait = { until: event.until, why: say(event.why, 200) };
        return;
      case 'wait.ended':
        wait = undefined;
        return;
      case 'paused':
      case 'unpaused':
        paused = event.type === 'paused';
        return;
      default:
        return;
    }
  };

  const nowDoing = (now: number): Doing => {
    if (paused) return { words: paint('warn', 'paused'), suffix: ' · go on with: ralph resume' };
    if (wait) {
      const left = Math.max(0, wait.until - clock.now());
      const until = `waiting until ${localMoment(wait.until, clock.now(), clockTime)}, ${ticking(left)} left`;
      return { words: paint('warn', until) + (wait.why ? `: ${wait.why}` : ''), suffix: '' };
    }
    if (step) return { words: step.words, suffix: ` · ${ticking(now - step.since)}` };
    if (!current) return { words: 'choosing the next item', suffix: '' };
    const silent = now - heardAt;
    const steps = agent.lines();
    const [words = '', before] = [steps.at(-1), steps.slice(0, -1)];
    if (silent < SILENCE_MS) return { before, words, suffix: paint('dim', ` · ${ticking(silent)} ago`) };
    const limit = limits.idleMs === undefined ? '' : ` of ${showLimit(limits.idleMs)}`;
    return { before, words, suffix: paint('warn', ` · silent for ${ticking(silent)}${limit}`) };
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
    const running = agent.spent();
    const cost = costUsd + running.costUsd;
    // Limits are told where there is room for them; what is used up always is.
    const spentWithin = ({ iterations: most, timeMs, costUsd: dollars }: LiveLimits) =>
      dots(
        showUsage(addUsage(usage, running.usage)),
        cost > 0 || dollars !== undefined ? against(showCost(cost), dollars, showCost) : '',
        against(`iteration ${iterations}`, most, String),
        against(ticking(active), timeMs, showLimit),
      );
    const fits = displayWidth(spentWithin(limits)) <= columns - margin.length - LABEL;
    const spent = spentWithin(fits ? limits : {});
    const counts = progress ? countWords(progress) : '';
    const barWidth = Math.min(48, columns - margin.length - displayWidth(counts) - 2);
    return [
      ...(progress && barWidth >= 8 ? [`${margin}${bar(progress, barWidth, paint)}  ${counts}`] : []),
      ...(current ? [row('now', paint('strong', current.words), ` · ${ticking(now - current.since)}`)] : []),
      ...[
        ...(activity.before ?? []).map(words => [words, ''] as const),
        [activity.words, activity.suffix] as const,
      ].map(([words, suffix], at) => row(at > 0 ? '' : current ? 'doing' : 'now', words, suffix)),
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

/** Whole seconds: a number that changes faster than the screen is noise. */
function ticking(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : showDuration(seconds * 1000);
}
