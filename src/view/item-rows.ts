/** Every item of a run's plan, with what the run knows about it. */
import type { Item } from '../protocol.ts';
import { attemptsMade, type ItemRow, itemCommand, type Liveness, overview } from '../report/index.ts';
import { plain } from '../util/show.ts';
import type { Look } from './all-runs.ts';
import { planFlag, typed } from './place.ts';
import type { PlanNow } from './plan-now.ts';
import type { RunFacts } from './run-index.ts';
import { letterOf } from './tape.ts';
import type { CountsView, ItemRef, ItemStand } from './types/common.ts';
import type { CellView, ItemView } from './types/plan.ts';

export interface ItemRows {
  readonly rows: readonly ItemView[];
  readonly counts: CountsView;
  readonly byId: ReadonlyMap<string, ItemView>;
}

interface Known {
  readonly good: number | undefined;
  readonly items: PlanNow['items'];
  readonly isLive: boolean;
  readonly rows: ItemRows;
}

/** Cached per run: every view needs the rows, and only the journal, the plan and the end of the runner change them. */
const known = new WeakMap<RunFacts, Known>();

export function itemRows(look: Look): ItemRows {
  const { facts, plan, owner } = look;
  const good = facts.place?.good;
  const isLive = owner !== undefined;
  const before = known.get(facts);
  // A plan derived from the journal is a new object each time, so its rows are not cached.
  if (before && before.good === good && before.items === plan.items && before.isLive === isLive) return before.rows;
  const rows = makeRows(look, { isLive });
  known.set(facts, { good, items: plan.items, isLive, rows });
  return rows;
}

function makeRows({ facts, plan, place }: Look, liveness: Liveness): ItemRows {
  const { state, mends } = facts;
  const view = overview(state, plan.items, liveness);
  const planned = new Map(plan.items.map(item => [item.id, item]));
  const status = new Map(view.rows.map(row => [row.id, row.status]));
  const tapes = tapesOf(facts.rows);
  const flags = planFlag(place, state);
  const isSettled = (id: string) => {
    const now = status.get(id);
    // A dependency that is not an item of the plan does not count.
    return now === undefined || now === 'done' || now === 'skipped';
  };
  const rows = view.rows.map((row): ItemView => {
    const item = planned.get(row.id);
    const dependsOn = item?.dependsOn ?? [];
    const heldBy = row.status === 'pending' ? dependsOn.filter(id => !isSettled(id)) : [];
    const stand = standOf(row, heldBy, item);
    const { review } = row.state;
    const tape = tapes.get(row.id);
    return {
      id: row.id,
      title: plain(row.title),
      status: stand,
      why: row.why || (stand === 'held' ? `waits for ${heldBy.join(', ') || (item?.passedOver ?? '')}` : ''),
      dependsOn,
      heldBy,
      priority: item?.priority ?? null,
      cell: cellOf(state.plan.format, row.id),
      attempts: attemptsMade(row),
      tape: tape?.letters ?? '',
      lastIteration: tape?.last ?? null,
      durationMs: row.state.durationMs,
      costUsd: row.state.costUsd,
      commit: row.state.commit ?? null,
      settled: row.state.settled ?? false,
      review: review ? { verdict: review.verdict, rounds: review.rounds, findings: review.findings.length } : null,
      mends: mends.get(row.id) ?? null,
      retryCommand: stand === 'done' ? null : typed(place, itemCommand('retry', row.id, { flags })),
      line: item?.line ?? 0,
    };
  });
  const { rows: _, ...counts } = view;
  return { rows, counts, byId: new Map(rows.map(row => [row.id, row])) };
}

function standOf(row: ItemRow, heldBy: readonly string[], item: Item | undefined): ItemStand {
  if (row.status !== 'pending') return row.status;
  return heldBy.length > 0 || item?.passedOver !== undefined ? 'held' : 'open';
}

function tapesOf(
  rows: Look['facts']['rows'],
): ReadonlyMap<string, { readonly letters: string; readonly last: number }> {
  const tapes = new Map<string, { letters: string; last: number }>();
  for (const { item, verdict, n } of rows) {
    const known = tapes.get(item) ?? { letters: '', last: n };
    // Only the newest tries: a repeating item may have thousands.
    tapes.set(item, { letters: (known.letters + letterOf(verdict)).slice(-60), last: n });
  }
  return tapes;
}

/** In a sprint, `development/step-0/plan` is a cell of a table. */
function cellOf(format: string, id: string): CellView | null {
  if (format !== 'sprint') return null;
  const [column = '', row = '', ...part] = id.split('/');
  return { column, row, part: part.join('/') };
}

export const refOf = ({ id, title, status }: ItemView): ItemRef => ({ id, title, status });
