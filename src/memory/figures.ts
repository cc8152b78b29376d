/** How efficient a run was, in figures that can be compared with other runs. */
import { showCost } from '../util/show.ts';
import type { RunRecord } from './run-record.ts';

export interface RunFigures {
  readonly run: string;
  readonly startedAt: number;
  /** Items that were accepted in it, and how many of them at the first attempt. */
  readonly accepted: number;
  readonly first: number;
  readonly items: number;
  /** Items that came to a verdict, accepted or not; missing in records of older versions. */
  readonly attempted?: number;
  /** Iterations that came to a verdict on the work; retries of a provider's trouble are nobody's fault. */
  readonly iterations: number;
  readonly rejected: number;
  readonly costUsd: number;
  readonly tokens: number;
}

export function figuresOf(record: RunRecord): RunFigures {
  const decided = record.items.map(item => item.attempts.filter(attempt => attempt.verdict !== 'retry'));
  const isWon = (verdict: string | undefined) => verdict === 'accepted' || verdict === 'progress';
  const count = (verdict: (type: string) => boolean) =>
    decided.flat().filter(attempt => verdict(attempt.verdict)).length;
  const won = decided.filter(attempts => attempts.some(attempt => attempt.verdict === 'accepted'));
  return {
    run: record.run,
    startedAt: record.startedAt,
    items: won.length,
    attempted: decided.filter(attempts => attempts.length > 0).length,
    first: won.filter(attempts => isWon(attempts[0]?.verdict)).length,
    accepted: count(isWon),
    rejected: count(type => type === 'rejected'),
    iterations: won.reduce((sum, attempts) => sum + attempts.length, 0),
    costUsd: record.costUsd,
    tokens: record.usage.inputTokens + record.usage.outputTokens,
  };
}

interface Efficiency {
  readonly iterationsPerItem: number;
  /** Share of the items that were tried whose first attempt was accepted, 0 to 1. */
  readonly firstAttempt: number;
  readonly costPerItem: number;
}

export interface Comparison {
  readonly now: Efficiency | undefined;
  /** All runs before it together. */
  readonly before: Efficiency | undefined;
  /** Iterations per item of the newest runs, this one last. */
  readonly course: readonly { readonly run: string; readonly iterationsPerItem: number }[];
}

const SHOWN = 8;
const WIDTH = 24;

/** This run against those before it. */
export function efficiency(now: RunFigures, before: readonly RunFigures[]): Comparison {
  // Only what came before it: an old run is not compared with what was learned since.
  const past = before.filter(({ run, items, startedAt }) => run !== now.run && items > 0 && startedAt < now.startedAt);
  const order = past.toSorted((a, b) => a.startedAt - b.startedAt).slice(1 - SHOWN);
  const course = [...order, now]
    .filter(figures => figures.items > 0)
    .map(figures => ({ run: figures.run, iterationsPerItem: figures.iterations / figures.items }));
  return { now: efficiencyOf([now]), before: efficiencyOf(past), course };
}

function efficiencyOf(runs: readonly RunFigures[]): Efficiency | undefined {
  const sum = (of: (figures: RunFigures) => number) => runs.reduce((total, figures) => total + of(figures), 0);
  const items = sum(figures => figures.items);
  if (items === 0) return undefined;
  return {
    iterationsPerItem: sum(figures => figures.iterations) / items,
    firstAttempt: sum(figures => figures.first) / sum(figures => figures.attempted ?? figures.items),
    costPerItem: sum(figures => figures.costUsd) / items,
  };
}

/** The comparison in one line, for the end of a run. */
export function efficiencyLine(comparison: Comparison): string | undefined {
  const facts = factsOf(comparison);
  return facts.length === 0 ? undefined : facts.map(([label, value]) => `${label} ${value}`).join(' · ');
}

/** A few lines for a report: the comparison, then a bar per run. */
export function showEfficiency(comparison: Comparison): readonly string[] {
  const { now, course } = comparison;
  if (!now) return [];
  return [
    ...factsOf(comparison).map(([label, value]) => `${label.padEnd(24)}${value}`),
    ...(course.length > 1 ? ['', ...bars(course)] : []),
  ];
}

function factsOf({ now, before }: Comparison): readonly (readonly [label: string, value: string])[] {
  if (!now) return [];
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const fact = (label: string, show: (efficiency: Efficiency) => string) =>
    [label, `${show(now)}${before ? ` (before: ${show(before)})` : ''}`] as const;
  return [
    fact('iterations per item', each => each.iterationsPerItem.toFixed(2)),
    fact('first attempt accepted', each => percent(each.firstAttempt)),
    ...(now.costPerItem > 0 ? [fact('cost per item', each => showCost(each.costPerItem))] : []),
  ];
}

function bars(course: Comparison['course']): readonly string[] {
  const most = Math.max(...course.map(run => run.iterationsPerItem));
  const widest = Math.max(...course.map(run => run.run.length));
  return course.map(({ run, iterationsPerItem }) => {
    const bar = '█'.repeat(Math.max(1, Math.round((WIDTH * iterationsPerItem) / most)));
    return `${run.padEnd(widest)}  ${bar.padEnd(WIDTH)}  ${iterationsPerItem.toFixed(2)}`;
  });
}
