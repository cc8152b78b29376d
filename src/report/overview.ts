/** The items of a plan with what a run knows about them, for status, summary and report. */
import type { ItemStatus } from '../protocol.ts';
import { effectiveStatus, type ItemState, isConfirmed, itemOf, type RunState } from '../state.ts';

/** The fields of a plan's item that reports need. */
export interface PlanItem {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStatus;
  /** Why a blocked or skipped item is so, if the plan says it. */
  readonly note?: string | undefined;
}

export interface ItemRow {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStatus;
  /** The run's reason, or else the plan's. */
  readonly why: string;
  readonly state: ItemState;
  /** Its runner died while it was worked on; the next runner resumes it. */
  readonly cutOff?: true;
}

export interface Overview {
  readonly rows: readonly ItemRow[];
  readonly done: number;
  /** How many of the done items were accepted without a claim. */
  readonly settled: number;
  readonly blocked: number;
  readonly skipped: number;
  /** Everything that is neither done nor blocked nor skipped. */
  readonly pending: number;
  readonly total: number;
}

export interface Liveness {
  /** If false, an open iteration was left by a dead runner, and nobody works on it. */
  readonly isLive?: boolean;
}

export function overview(state: RunState, items: readonly PlanItem[], { isLive = true }: Liveness = {}): Overview {
  const rows = items.map(item => {
    const known = itemOf(state, item.id);
    const isMarked = (item.status === 'done' || item.status === 'skipped') && !isConfirmed(state, item.id);
    const settled = effectiveStatus(isMarked ? 'pending' : item.status, known);
    const isOpen = settled === 'pending' && state.openIterations.some(open => open.item === item.id);
    const status = isOpen && isLive ? 'in-progress' : settled;
    const why = isMarked ? `the plan says ${item.status}, but no person confirmed it` : known.why || (item.note ?? '');
    const row = { id: item.id, title: item.title || known.title, status, why, state: known };
    return isOpen && !isLive ? { ...row, cutOff: true as const } : row;
  });
  const count = (status: ItemStatus) => rows.filter(row => row.status === status).length;
  const [done, blocked, skipped] = [count('done'), count('blocked'), count('skipped')];
  const settled = rows.filter(row => row.status === 'done' && row.state.settled).length;
  return { rows, done, settled, blocked, skipped, pending: rows.length - done - blocked - skipped, total: rows.length };
}
