/** The labels by which a tracker shows the state of an issue. An issue has at most one of them. */
import type { SourceState } from '../protocol.ts';

export const STATE_LABELS = {
  'in-progress': 'ralph:in-progress',
  blocked: 'ralph:blocked',
  done: 'ralph:done',
} as const;

/** What to put on and what to take off for a state. */
export function labelsFor(to: SourceState): { readonly add: string | undefined; readonly remove: readonly string[] } {
  const add = to === 'closed' ? STATE_LABELS.done : to === 'pending' ? undefined : STATE_LABELS[to];
  return { add, remove: Object.values(STATE_LABELS).filter(label => label !== add) };
}
