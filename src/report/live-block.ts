/** What the status block under the scrolling lines says: state from events, a few lines from state. */
import type { Event } from '../events.ts';
import type { AgentSignal, Clock, Usage } from '../protocol.ts';
import { addUsage, noUsage, type RunState } from '../state.ts';
import { showCost, showDuration } from '../util/show.ts';
import { type ClockTime, localMoment } from './layout.ts';
import { REVIEW_WORDS, showUsage, VERDICT_TONES } from './narrate.ts';
import { bar, tally } from './progress.ts';
import { type EndLimits, showLimit, verdictReason } from './sentences.ts';
import { dots, type Paint, say } from './style.ts';
import { displayWidth, fit } from './width.ts';

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
}

export interface LiveBlock {
  see(event: Event): void;
  lines(columns: number): readonly string[];
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

export function liveBlock({ clock, paint, clockTime, limits, from }: LiveBlockOptions): LiveBlock {
  const plan = tally();
  const startedAt = clock.monotonic();
  let current: Current | undefined;
  let doing = 'starting';
  /** A step of the runner's own; while it is set, the agent's silence means nothing. */
  let step: { readonly words: string; readonly since: number } | undefined;
  let heardAt = startedAt;
  let wait: { readonly until: number; readonly why: string } | undefined;
  let paused = false;
  /** Waits and pauses are not work: when the one that goes on began, and how long those before it took. */
  let restsSince: number | undefined;
  let rested = 0;
  let { usage, costUsd, iterations } = from;
  let running: Usage = noUsage;
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
        doing = 'starting the agent';
        step = undefined;
        heardAt = now;
        verdict = '';
        return;
      }
      case 'agent.signal':
        heardAt = now;
        if (event.signal.type === 'usage') running = event.signal.usage;
        doing = describeSignal(event.signal) || doing;
        return;
      case 'agent.output':
        heardAt = now;
        return;
      case 'agent.finished':
        usage = addUsage(usage, event.usage);
        costUsd += event.costUsd;
        running = noUsage;
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
        doing = 'starting the reviewer';
        step = undefined;
        heardAt = now;
        return;
      case 'review.finished':
      case 'review.aborted':
        usage = addUsage(usage, event.usage);
        costUsd += event.costUsd;
        running = noUsage;
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

  const nowDoing = (now: number): { readonly words: string; readonly suffix: string } => {
    if (paused) return { words: paint('warn', 'paused'), suffix: ' · go on with: ralph resume' };
    if (wait) {
      const left = Math.max(0, wait.until - clock.now());
      const until = `waiting until ${localMoment(wait.until, clock.now(), clockTime)}, ${ticking(left)} left`;
      return { words: paint('warn', until) + (wait.why ? `: ${wait.why}` : ''), suffix: '' };
    }
    if (step) return { words: step.words, suffix: ` · ${ticking(now - step.since)}` };
    if (!current) return { words: 'choosing the next item', suffix: '' };
    const silent = now - heardAt;
    if (silent < SILENCE_MS) return { words: doing, suffix: paint('dim', ` · ${ticking(silent)} ago`) };
    const limit = limits.idleMs === undefined ? '' : ` of ${showLimit(limits.idleMs)}`;
    return { words: doing, suffix: paint('warn', ` · silent for ${ticking(silent)}${limit}`) };
  };

  const lines = (columns: number): readonly string[] => {
    const now = clock.monotonic();
    const margin = columns >= WIDE_ENOUGH ? '       ' : '';
    const row = (label: string, words: string, suffix = ''): string => {
      const head = margin + paint('dim', label.padEnd(LABEL));
      const room = Math.max(0, columns - displayWidth(head) - displayWidth(suffix));
      return fit(head + fit(words, room) + suffix, columns);
    };
    const progress = plan.progress();
    const active = from.activeMs + (restsSince ?? now) - startedAt - rested;
    const activity = nowDoing(now);
    const spent = dots(
      showUsage(addUsage(usage, running)),
      costUsd > 0 || limits.costUsd !== undefined ? against(showCost(costUsd), limits.costUsd, showCost) : '',
      against(`iteration ${iterations}`, limits.iterations, String),
      against(ticking(active), limits.timeMs, showLimit),
    );
    const counts = progress ? countWords(progress) : '';
    const barWidth = Math.min(48, columns - margin.length - displayWidth(counts) - 2);
    return [
      ...(progress && barWidth >= 8 ? [`${margin}${bar(progress, barWidth, paint)}  ${counts}`] : []),
      ...(current ? [row('now', paint('strong', current.words), ` · ${ticking(now - current.since)}`)] : []),
      row(current ? 'doing' : 'now', activity.words, activity.suffix),
      row('spent', spent),
      ...(last ? [row('last', last)] : []),
    ];
  };

  return { see, lines };
}

function describeSignal(signal: AgentSignal): string {
  switch (signal.type) {
    case 'text':
      return say(signal.text, 200);
    case 'tool':
      return `${say(signal.name, 40)} ${say(signal.detail, 160)}`.trim();
    case 'retrying':
      return `retrying: ${say(signal.detail, 160)}`;
    case 'finished':
      return 'finished, leaving';
    case 'usage':
      return '';
  }
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
