import { readAgain } from '../util/files.ts';
import { type OpenPlan, reparse } from './open.ts';

/** The plan these bytes hold; bytes that are no text make a plan with an error, like any other broken one. */
export function planFrom(open: OpenPlan, bytes: Buffer): OpenPlan {
  if (bytes.equals(open.bytes)) return open;
  const read = reparse(open, bytes);
  if (read.ok) return read.value;
  const { message, line = 1, column = 1 } = read.error;
  const error = { level: 'error', line, column, message } as const;
  return { ...open, bytes, plan: { ...open.plan, ids: [], items: [], problems: [error], error } };
}

/** The plan as it is on disk now; the last known one when it cannot be read. */
export function rereadPlan(open: OpenPlan): OpenPlan {
  const bytes = readAgain(open.path, open.bytes);
  return bytes ? planFrom(open, bytes) : open;
}
