/**
 * The cost of forgetting: the tokens that agents read with a fresh context per iteration, compared with what one growing
 * session would have read for the same outputs. A growing session re-reads every earlier brief and output; here it does so
 * once per iteration and not once per turn, so the comparison is a lower bound.
 */
import { showCost, showTokens } from '../util/show.ts';
import type { Attempt } from './history.ts';

export interface Forgetting {
  readonly iterations: readonly {
    readonly iteration: number;
    /** Tokens that were really read. */
    readonly fresh: number;
    /** Tokens that a growing session would have read in addition. */
    readonly carried: number;
  }[];
  readonly fresh: number;
  readonly growing: number;
  /** Set if the cost is known; the growing session is priced at the run's own average per token. */
  readonly freshUsd?: number;
  readonly growingUsd?: number;
}

export interface ForgettingInput {
  readonly attempts: readonly Pick<Attempt, 'iteration' | 'usage' | 'costUsd'>[];
  /** Tokens of an iteration's brief; 0 if unknown. */
  readonly briefTokens?: (iteration: number) => number;
}

const ROWS = 16;
const WIDTH = 40;

/** Undefined if there is nothing to compare: no usage, or only one iteration. */
export function forgetting({ attempts, briefTokens = () => 0 }: ForgettingInput): Forgetting | undefined {
  const told = attempts.filter(({ usage }) => usage.inputTokens + usage.cachedTokens > 0);
  if (told.length < 2) return undefined;
  let before = 0;
  const iterations = told.map(({ iteration, usage }) => {
    const carried = before;
    before += briefTokens(iteration) + usage.outputTokens;
    return { iteration, fresh: usage.inputTokens + usage.cachedTokens, carried };
  });
  const fresh = sum(iterations.map(each => each.fresh));
  const growing = fresh + sum(iterations.map(each => each.carried));
  const freshUsd = sum(told.map(attempt => attempt.costUsd));
  if (freshUsd === 0) return { iterations, fresh, growing };
  const price = freshUsd / (fresh + sum(told.map(({ usage }) => usage.outputTokens)));
  return { iterations, fresh, growing, freshUsd, growingUsd: freshUsd + (growing - fresh) * price };
}

/** One bar per iteration (or per group of them in a long run), and the totals. */
export function showForgetting({ iterations, fresh, growing, freshUsd, growingUsd }: Forgetting): readonly string[] {
  const rows = grouped(iterations);
  const most = Math.max(...rows.map(row => row.fresh + row.carried));
  const widest = Math.max(...rows.map(row => row.label.length));
  const bar = (tokens: number, mark: string) => mark.repeat(Math.round((WIDTH * tokens) / most));
  const money =
    freshUsd === undefined || growingUsd === undefined
      ? ''
      : `, ${showCost(freshUsd)} against about ${showCost(growingUsd)}`;
  return [
    'Tokens read per iteration: █ as it was, each agent in a fresh context; ░ what one growing session would have read on top.',
    '',
    '```text',
    ...rows.map(
      ({ label, fresh: read, carried }) =>
        `${label.padStart(widest)}  ${bar(read, '█')}${bar(carried, '░')}  ${showTokens(read)}${carried > 0 ? ` + ${showTokens(carried)}` : ''}`,
    ),
    '```',
    '',
    `In all ${showTokens(fresh)} against at least ${showTokens(growing)}${money}.`,
  ];
}

/** Averages of neighbours, so that a plot never has more rows than a screen. */
function grouped(iterations: Forgetting['iterations']): readonly { label: string; fresh: number; carried: number }[] {
  const size = Math.ceil(iterations.length / ROWS);
  return Array.from({ length: Math.ceil(iterations.length / size) }, (_, nth) => {
    const group = iterations.slice(nth * size, (nth + 1) * size);
    const [first, last] = [group[0]?.iteration ?? 0, group.at(-1)?.iteration ?? 0];
    const mean = (of: (each: (typeof group)[number]) => number) => Math.round(sum(group.map(of)) / group.length);
    return {
      label: first === last ? String(first) : `${first}-${last}`,
      fresh: mean(each => each.fresh),
      carried: mean(each => each.carried),
    };
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
