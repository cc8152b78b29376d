/** The cost of a run, its share of refused work, and a forecast for the rest of the plan. */

import type { Recorded } from '../events.ts';
import type { RunState } from '../state.ts';
import { dayOf } from '../util/clock.ts';
import { plural, showCost } from '../util/show.ts';
import type { Attempt } from './history.ts';

/** The cost of earlier runs in this repository, from their archives. */
export interface PastCost {
  readonly runs: number;
  readonly items: number;
  readonly costUsd: number;
}

export const noPast: PastCost = { runs: 0, items: 0, costUsd: 0 };

/** `$1.20, billed · $0.40 per accepted item · 35 % on work that was refused`. */
export function costText(state: RunState, attempts: readonly Attempt[]): string {
  if (state.costUsd <= 0) return 'not reported';
  const accepted = new Set(attempts.filter(({ verdict }) => verdict?.type === 'accepted').map(({ item }) => item)).size;
  const refused = attempts.filter(isRefused).reduce((sum, { costUsd }) => sum + costUsd, 0);
  const share = Math.round((100 * refused) / state.costUsd);
  return [
    showCost(state.costUsd) + billing(state),
    accepted > 0 ? `${showCost(state.costUsd / accepted)} per accepted item` : 'nothing was accepted',
    `${share} % on work that was refused`,
  ].join(' · ');
}

const isRefused = ({ verdict }: Attempt): boolean =>
  verdict?.type === 'rejected' || (verdict?.type === 'blocked' && verdict.cause !== 'asked');

/** Whether a bill follows from the cost. Half a cent counts as a rounding error. */
export function billing({ costUsd, notionalUsd = 0 }: Pick<RunState, 'costUsd' | 'notionalUsd'>): string {
  if (notionalUsd <= 0.005) return '';
  if (costUsd - notionalUsd <= 0.005) return ' (notional: a subscription, or list prices of the tokens)';
  return ` (${showCost(notionalUsd)} of it notional)`;
}

/** `about $3.10 for 4 items that are left, at $0.78 each (this run and 2 before)`; empty if nothing is known. */
export function forecast(
  { costUsd }: Pick<RunState, 'costUsd'>,
  { accepted, left, past }: { readonly accepted: number; readonly left: number; readonly past: PastCost },
): string {
  const items = past.items + accepted;
  const each = items > 0 ? (past.costUsd + costUsd) / items : 0;
  if (left === 0 || each <= 0) return '';
  const before = past.runs > 0 ? plural(past.runs, 'run') : '';
  const from = accepted > 0 ? (before ? `this run and ${before} before` : 'this run') : `${before} before`;
  return `about ${showCost(each * left)} for ${plural(left, 'item')} that ${left === 1 ? 'is' : 'are'} left, at ${showCost(each)} each (${from})`;
}

/** The cost per day, if the run took more than one day. */
export function perDay(records: Iterable<Recorded>): string {
  const days = new Map<string, number>();
  for (const record of records) {
    if (!('costUsd' in record) || record.costUsd <= 0) continue;
    const day = dayOf(record.at);
    days.set(day, (days.get(day) ?? 0) + record.costUsd);
  }
  if (days.size < 2) return '';
  return [...days]
    .slice(-DAYS)
    .map(([day, cost]) => `${day} ${showCost(cost)}`)
    .join(', ');
}

const DAYS = 14;
