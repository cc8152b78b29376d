/** The costs view: is it worth it, does it get better? */
import type { RunRecord } from '../memory/index.ts';
import type { Usage } from '../protocol.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import type { Look } from './all-runs.ts';
import { itemRows } from './item-rows.ts';
import type { Row } from './iteration-row.ts';
import { liveFacts } from './live-work.ts';
import { tokensIn } from './run-index.ts';
import { limitsOf } from './run-view.ts';
import type { CompoundingPlot, CostsView, GatesPlot, GrowingPlot, SpendingPlot } from './types/costs.ts';

const POINTS = 2_000;
const EXPENSIVE = 20;
const RUNS = 60;

/** `past` are the archived runs, oldest first. */
export function costsView(look: Look, past: readonly RunRecord[]): CostsView {
  const worked = look.facts.rows.filter(row => row.agentEnd > 0);
  const { rows } = itemRows(look);
  const read = new Map<string, number>();
  for (const row of worked) read.set(row.item, (read.get(row.item) ?? 0) + tokensIn(row.usage));
  return {
    spending: spending(look, worked),
    growing: growing(worked),
    compounding: compounding(look, past),
    gates: gateTimes(look.facts.rows),
    items: rows
      .filter(({ costUsd, tape }) => costUsd > 0 || tape !== '')
      .toSorted((a, b) => b.costUsd - a.costUsd || b.durationMs - a.durationMs)
      .slice(0, EXPENSIVE)
      .map(({ id, title, status, tape, durationMs, costUsd }) => ({
        id,
        title,
        status,
        tape,
        inputTokens: read.get(id) ?? 0,
        durationMs,
        costUsd,
      })),
  };
}

/** Every n-th element, and always the last one. */
function thin<T>(all: readonly T[]): readonly T[] {
  const step = Math.ceil(all.length / POINTS);
  return step <= 1 ? all : all.filter((_, at) => at % step === step - 1 || at === all.length - 1);
}

function spending(look: Look, worked: readonly Row[]): SpendingPlot {
  const { facts } = look;
  const { state } = facts;
  const paid = [
    ...worked.map(row => ({
      at: row.agentEnd,
      cost: row.costUsd,
      tokens: tokensIn(row.usage) + row.usage.outputTokens,
    })),
    ...facts.reviews.flatMap(({ at, durationMs, costUsd }) =>
      costUsd > 0 ? [{ at: at + durationMs, cost: costUsd, tokens: 0 }] : [],
    ),
  ].toSorted((a, b) => a.at - b.at);
  let [cost, tokens] = [0, 0];
  const points = thin(
    paid.map(each => {
      cost += each.cost;
      tokens += each.tokens;
      return { at: each.at, cost: Math.round(cost * 1e4) / 1e4, tokens };
    }),
  );
  const limits = limitsOf(look, liveFacts(look).limits);
  const proven = [...state.items.values()].filter(({ status }) => status === 'done').length;
  const each = proven > 0 && state.costUsd > 0 ? `, ${showCost(state.costUsd / proven)} per proven item` : '';
  const of = limits.costUsd === undefined ? '' : ` of ${showCost(limits.costUsd)}`;
  return {
    title: state.costUsd > 0 ? `${showCost(state.costUsd)}${of} spent${each}` : 'The agent reports no cost',
    at: [state.startedAt, ...points.map(point => point.at)],
    costUsd: [0, ...points.map(point => point.cost)],
    tokens: [0, ...points.map(point => point.tokens)],
    limits,
    notionalUsd: state.notionalUsd ?? 0,
  };
}

const FORMULA =
  'Fresh contexts: the tokens that agents read, as they report them (input and cached), added up. One growing session: the ' +
  'same, and with each iteration once more all that the iterations before it had added to the context: what they wrote, and ' +
  'what they read that was not cached (only what they wrote, for agents that report no cache). A real session reads all ' +
  'that again with every turn and not once, so this is a lower bound; compaction is not counted.';

/** fresh(n) = sum of read(i); growing(n) = sum of (read(i) + sum over j < i of added(j)); read = input + cached. */
function growing(worked: readonly Row[]): GrowingPlot {
  let [fresh, grown, context] = [0, 0, 0];
  const told = worked.filter(({ usage }) => tokensIn(usage) > 0);
  const points = told.map(({ n, usage }) => {
    fresh += tokensIn(usage);
    grown += tokensIn(usage) + context;
    context += added(usage);
    return { n, fresh, grown };
  });
  const shown = thin(points);
  const ratio = fresh > 0 ? grown / fresh : null;
  return {
    title:
      ratio === null
        ? 'The agent reports no tokens'
        : `One growing session would have read at least ${ratio.toFixed(1)} times as much`,
    n: shown.map(point => point.n),
    fresh: shown.map(point => point.fresh),
    growing: shown.map(point => point.grown),
    formula: FORMULA,
    ratio,
  };
}

/** New tokens of an iteration. Without caching, every turn counts its whole input, which says little about what was new. */
const added = ({ inputTokens, outputTokens, cachedTokens }: Usage): number =>
  outputTokens + (cachedTokens > 0 ? inputTokens : 0);

type RunPoint = CompoundingPlot['runs'][number];

function compounding({ facts }: Look, past: readonly RunRecord[]): CompoundingPlot {
  const { state, rows, lessons } = facts;
  const before = past
    .filter(record => record.run !== state.run && record.startedAt < state.startedAt)
    .slice(1 - RUNS)
    .map(archivedPoint);
  const won = new Set(rows.filter(({ verdict }) => verdict === 'accepted').map(({ item }) => item));
  const decided = rows.filter(({ verdict, item }) => won.has(item) && verdict !== 'retry' && verdict !== 'aborted');
  const here: RunPoint = {
    run: state.run,
    name: state.plan.name,
    at: state.startedAt,
    items: won.size,
    iterations: decided.length,
    perItem: won.size > 0 ? decided.length / won.size : null,
    costUsd: state.costUsd,
    lessonsGained: lessons.gained.size,
    lessonsRetired: lessons.counted ? lessons.retired.size : null,
    lessonsShown: lessons.shown.size,
  };
  const runs = [...before, here];
  const known = runs.filter(run => run.perItem !== null);
  const [first, last] = [known[0]?.perItem, known.at(-1)?.perItem];
  const title =
    known.length < 2 || first === undefined || last === undefined || first === null || last === null
      ? `${here.perItem === null ? 'No item is proven yet' : `${here.perItem.toFixed(2)} iterations per item`}; later runs will stand beside it`
      : `${last.toFixed(2)} iterations per item, ${Math.abs(last - first) < 0.005 ? 'as' : last < first ? 'down from' : 'up from'} ${first.toFixed(2)} ${plural(known.length - 1, 'run')} ago`;
  return { title, runs };
}

function archivedPoint(record: RunRecord): RunPoint {
  const decided = record.items.map(item => item.attempts.filter(({ verdict }) => verdict !== 'retry'));
  const won = decided.filter(attempts => attempts.some(({ verdict }) => verdict === 'accepted'));
  const iterations = won.reduce((sum, attempts) => sum + attempts.length, 0);
  const { retired } = record.lessons as { readonly retired?: readonly unknown[] };
  return {
    run: record.run,
    name: record.plan.name,
    at: record.startedAt,
    items: won.length,
    iterations,
    perItem: won.length > 0 ? iterations / won.length : null,
    costUsd: record.costUsd,
    lessonsGained: record.lessons.born.length,
    lessonsRetired: Array.isArray(retired) ? retired.length : null,
    lessonsShown: Object.keys(record.lessons.shown).length,
  };
}

const GATES = 12;

function gateTimes(rows: readonly Row[]): GatesPlot {
  const judged = thin(rows.filter(({ gates }) => gates.some(({ ms }) => ms >= 0)));
  const totals = new Map<string, { sum: number; count: number }>();
  for (const { gates } of judged) {
    for (const { name, ms } of gates) {
      const known = totals.get(name) ?? { sum: 0, count: 0 };
      totals.set(name, ms < 0 ? known : { sum: known.sum + ms, count: known.count + 1 });
    }
  }
  const names = [...totals]
    .toSorted(([, a], [, b]) => b.sum - a.sum)
    .slice(0, GATES)
    .map(([name]) => name);
  const [slowest] = names;
  const { sum = 0, count = 0 } = slowest === undefined ? {} : (totals.get(slowest) ?? {});
  return {
    title:
      slowest === undefined || count === 0
        ? 'No gate has run yet'
        : `${slowest} takes longest: ${showDuration(sum / count)} each time`,
    names,
    n: judged.map(({ n }) => n),
    ms: names.map(name =>
      judged.map(({ gates }) => {
        const ms = gates.find(gate => gate.name === name)?.ms ?? -1;
        return ms < 0 ? null : Math.round(ms);
      }),
    ),
    proofMs: judged.map(({ proofMs }) => (proofMs > 0 ? Math.round(proofMs) : null)),
  };
}
