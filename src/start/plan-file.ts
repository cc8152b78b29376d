/** A plan for programs that are no runner: read it, see what is next, mark an item. */

import { markOwnFile, markPlan, type OpenPlan, openPlan, pickNext, planProblem, unknownItem } from '../plan/index.ts';
import type { Item, Mark, Plan } from '../protocol.ts';
import { writeAtomic } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';

export interface PlanFile extends Pick<Plan, 'format' | 'path' | 'name' | 'items' | 'problems'> {
  /** The item a run would take up now; none where all are done or wait, or where the plan has an error. */
  readonly next: Item | undefined;
  /** Writes a mark into the file as it is now, and reads it again. Other bytes than those of the mark survive. */
  mark(mark: Mark): Result<PlanFile>;
}

/** The plan at a path: a file, or a folder that is one or holds one in a known place. */
export function planFile(path: string): Result<PlanFile> {
  const open = openPlan(path);
  return open.ok ? ok(fileOf(open.value, path)) : open;
}

function fileOf({ plan, path: file }: OpenPlan, path: string): PlanFile {
  return {
    format: plan.format,
    path: file,
    name: plan.name,
    get items() {
      return plan.items;
    },
    get problems() {
      return plan.problems;
    },
    get next() {
      return plan.error ? undefined : pickNext({ items: plan.items, status: item => item.status }).next;
    },
    mark: mark => writeMark(path, mark),
  };
}

function writeMark(path: string, mark: Mark): Result<PlanFile> {
  // Read again: what others wrote meanwhile must not be lost.
  const open = openPlan(path);
  if (!open.ok) return open;
  const problem = planProblem(open.value);
  if (problem) return fail(problem);
  const { ids } = open.value.plan;
  if (!ids.includes(mark.id)) return fail({ ...unknownItem(mark.id, ids), file: open.value.path });
  const marked = markPlan(open.value, mark);
  if (!marked.ok) return marked;
  const { bytes } = marked.value;
  if (open.value.created || !bytes.equals(open.value.bytes)) writeAtomic(open.value.path, bytes);
  const own = markOwnFile(open.value, mark);
  return own.ok ? planFile(path) : own;
}
