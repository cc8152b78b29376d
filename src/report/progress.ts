/** The progress of a plan: the plan's own counts, updated from events until the plan is read again. */
import type { Event } from '../events.ts';
import type { Paint } from './style.ts';

export interface Progress {
  readonly done: number;
  readonly blocked: number;
  readonly total: number;
}

export interface Tally {
  see(event: Event): void;
  /** Undefined until the plan was read once. */
  progress(): Progress | undefined;
}

type Settled = 'done' | 'blocked' | 'pending';

export function tally(): Tally {
  let read: Progress | undefined;
  const since = new Map<string, Settled>();
  return {
    see(event) {
      if (event.type === 'plan.read') {
        read = { done: event.done, blocked: event.blocked, total: event.total };
        since.clear();
      }
      const change = settledBy(event);
      if (change) since.set(change.item, change.to);
    },
    progress() {
      if (!read) return undefined;
      const count = (to: Settled) => [...since.values()].filter(status => status === to).length;
      const done = Math.min(read.total, read.done + count('done'));
      return { total: read.total, done, blocked: Math.min(read.total - done, read.blocked + count('blocked')) };
    },
  };
}

function settledBy(event: Event): { readonly item: string; readonly to: Settled } | undefined {
  if (event.type === 'iteration.finished') {
    if (event.verdict === 'accepted') return { item: event.item, to: 'done' };
    if (event.verdict === 'blocked') return { item: event.item, to: 'blocked' };
  }
  if (event.type === 'item.adopted') return { item: event.item, to: 'done' };
  if (event.type === 'item.marked') {
    return { item: event.item, to: event.to === 'done' || event.to === 'blocked' ? event.to : 'pending' };
  }
  return undefined;
}

/** A bar that is full only if everything is done, and not empty once something is. */
export function bar({ done, blocked, total }: Progress, width: number, paint: Paint): string {
  const doneCells = cells(done, total, width);
  const settled = cells(done + blocked, total, width);
  const blockedCells = blocked > 0 ? Math.min(width - doneCells, Math.max(1, settled - doneCells)) : 0;
  const rest = width - doneCells - blockedCells;
  return paint('good', '━'.repeat(doneCells)) + paint('bad', '╍'.repeat(blockedCells)) + paint('dim', '─'.repeat(rest));
}

function cells(count: number, total: number, width: number): number {
  if (count <= 0 || total <= 0) return 0;
  if (count >= total) return width;
  return Math.min(width - 1, Math.max(1, Math.floor((count / total) * width)));
}
