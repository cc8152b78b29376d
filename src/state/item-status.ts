import type { ItemStatus } from '../protocol.ts';

/** Whether an item with this status may be worked on. */
export const isOpen = (status: ItemStatus): boolean => status === 'pending' || status === 'in-progress';

/** Whether nothing is left to do for an item with this status. */
export const isClosed = (status: ItemStatus): boolean => status === 'done' || status === 'skipped';
