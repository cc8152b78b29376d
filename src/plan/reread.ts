import type { PlanDocument, Problem } from '../protocol.ts';
import { readAgain } from '../util/files.ts';
import { fail } from '../util/result.ts';
import { wholePlan } from './lazy-plan.ts';
import { type OpenPlan, reparse } from './read-file.ts';
import { unreadablePlan } from './unreadable-plan.ts';

/** The plan in these bytes; bytes that are not text give a plan with an error, like any other broken plan. */
export const planFrom = (open: OpenPlan, bytes: Buffer): OpenPlan =>
  bytes.equals(open.bytes) ? open : readAnew(open, bytes);

/** The same plan at another path. */
export const movedPlan = (open: OpenPlan, path: string, bytes: Buffer): OpenPlan => readAnew({ ...open, path }, bytes);

function readAnew(open: OpenPlan, bytes: Buffer): OpenPlan {
  const read = reparse(open, bytes);
  if (read.ok) return read.value;
  const { message, line = 1, column = 1 } = read.error;
  const document = noDocument(open, { level: 'error', line, column, message });
  return { ...open, bytes, document, plan: document.plan };
}

function noDocument({ plan: { format, name, repeats }, path }: OpenPlan, error: Problem): PlanDocument {
  const plan = wholePlan({ format, path, name, repeats, items: [], problems: [error], instructions: '' });
  const refused = () => fail(unreadablePlan(error));
  return { text: '', plan, mark: refused, append: refused };
}

/** The plan as it is on disk now; the last known version if the file cannot be read. */
export function rereadPlan(open: OpenPlan): OpenPlan {
  const bytes = readAgain(open.path, open.bytes);
  return bytes ? planFrom(open, bytes) : open;
}
