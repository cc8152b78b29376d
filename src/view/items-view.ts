/** The plan view: how far is the run, and what blocks it? */
import { plural } from '../util/show.ts';
import type { Look } from './all-runs.ts';
import { type ItemRows, itemRows, refOf } from './item-rows.ts';
import { verdictRow } from './iteration-row.ts';
import { errorView } from './run-row.ts';
import type { ItemDetailView, ItemsView, ItemView } from './types/plan.ts';

export interface ItemsQuery {
  readonly from: number;
  readonly count: number;
  readonly words: string;
  /** Empty means all. */
  readonly status: readonly string[];
}

export const ALL_ITEMS: ItemsQuery = { from: 0, count: Number.POSITIVE_INFINITY, words: '', status: [] };
export const MOST_ITEMS = 1_000;

export function itemsView(look: Look, { from, count, words, status }: ItemsQuery): ItemsView {
  const items = itemRows(look);
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (row: ItemView): boolean => {
    const text = `${row.id} ${row.title}`.toLowerCase();
    return (status.length === 0 || status.includes(row.status)) && terms.every(term => text.includes(term));
  };
  const matching = items.rows.filter(fits);
  const { problem } = look.plan;
  return {
    sentence: sentenceOf(items),
    counts: items.counts,
    shape: shapeOf(look),
    columns: [...new Set(items.rows.flatMap(({ cell }) => (cell ? [cell.column] : [])))],
    matching: matching.length,
    from,
    rows: matching.slice(from, from + count),
    problem: problem ? errorView(problem, look.place.root) : null,
  };
}

function shapeOf({ facts }: Look): ItemsView['shape'] {
  const { format } = facts.state.plan;
  return format === 'sprint' || format === 'groups' ? format : 'list';
}

/** `18 of 31 proven, 10 to go, 3 stuck behind FB-16`. */
function sentenceOf(items: ItemRows): string {
  const { counts } = items;
  if (counts.total === 0) return 'The plan has no items.';
  const { blockers, stuck } = stuckIn(items);
  const [blocker] = blockers;
  const behind = blockers.size === 1 ? blocker : plural(blockers.size, 'blocked item');
  const parts = [
    `${counts.done} of ${counts.total} proven`,
    ...(counts.pending > 0 ? [`${counts.pending} to go`] : []),
    ...(counts.blocked > 0 ? [`${counts.blocked} blocked`] : []),
    ...(stuck > 0 ? [`${stuck} stuck behind ${behind}`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** The items that cannot start before a person unblocks another one, directly or indirectly. */
function stuckIn({ rows, byId }: ItemRows): { readonly blockers: ReadonlySet<string>; readonly stuck: number } {
  const blockers = new Set<string>();
  const known = new Map<string, boolean>();
  const isStuck = (row: ItemView): boolean => {
    const before = known.get(row.id);
    if (before !== undefined) return before;
    // Set before the recursion, so that a cycle ends.
    known.set(row.id, false);
    let stuck = false;
    for (const id of row.heldBy) {
      const other = byId.get(id);
      if (other?.status === 'blocked') blockers.add(id);
      if (other && (other.status === 'blocked' || isStuck(other))) stuck = true;
    }
    known.set(row.id, stuck);
    return stuck;
  };
  return { stuck: rows.filter(isStuck).length, blockers };
}

export function itemDetail(look: Look, id: string): ItemDetailView | undefined {
  const items = itemRows(look);
  const row = items.byId.get(id);
  if (!row) return undefined;
  const planned = look.plan.items.find(item => item.id === id);
  const refs = (ids: readonly string[]) =>
    ids.flatMap(each => {
      const other = items.byId.get(each);
      return other ? [refOf(other)] : [];
    });
  return {
    ...row,
    body: planned?.body ?? '',
    criteria: planned?.criteria ?? [],
    verify: planned?.verify ?? [],
    allow: planned?.allow ?? [],
    iterations: look.facts.rows.filter(({ item }) => item === id).map(verdictRow),
    reviews: look.facts.reviews.filter(({ item }) => item === id),
    marks: look.facts.marks.get(id) ?? [],
    before: refs(row.dependsOn),
    after: refs(items.rows.filter(other => other.dependsOn.includes(id)).map(other => other.id)),
  };
}
