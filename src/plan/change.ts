/** Changes to plans: marks, new items, review results, attempts. The caller writes the resulting bytes. */
import type { Begin, Mark, NewItem, PlanDocument, ReviewMark } from '../protocol.ts';
import { readBytes } from '../util/files.ts';
import { once } from '../util/once.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { type Decoded, decode, encode } from '../util/text.ts';
import { diskFiles } from './disk.ts';
import { withDoubts } from './doubts.ts';
import type { OpenPlan } from './read-file.ts';

/** Marks an item. The caller writes the resulting bytes. */
export const markPlan = (open: OpenPlan, mark: Mark): Result<OpenPlan> => changed(open, open.document.mark(mark));

/** The other files that a mark changes, in formats where items have their own files. The caller writes them. */
export function markedFiles(
  open: OpenPlan,
  mark: Mark,
): Result<readonly { readonly path: string; readonly bytes: Buffer }[]> {
  const marked = open.document.markFiles?.(mark) ?? ok([]);
  if (!marked.ok) return marked;
  return ok(marked.value.map(({ path, text }) => ({ path, bytes: encode({ text, encoding: encodingOf(path) }) })));
}

function encodingOf(path: string): Decoded['encoding'] {
  const bytes = readBytes(path);
  const decoded = bytes && decode(bytes, path);
  return decoded?.ok ? decoded.value.encoding : 'utf8';
}

/** Adds an item to the plan. */
export const appendToPlan = (open: OpenPlan, item: NewItem): Result<OpenPlan> =>
  changed(open, open.document.append(item));

/** Records a review result in the plan; undefined if the format has no field for it. */
export function reviewPlan(open: OpenPlan, mark: ReviewMark): Result<OpenPlan> | undefined {
  const reviewed = open.document.review?.(mark);
  return reviewed && changed(open, reviewed);
}

/** Records the start of an attempt in the plan; undefined if the format has no field for it. */
export function beginInPlan(open: OpenPlan, begin: Begin): Result<OpenPlan> | undefined {
  const begun = open.document.begin?.(begin);
  return begun && changed(open, begun);
}

function changed(open: OpenPlan, result: Result<PlanDocument>): Result<OpenPlan> {
  if (!result.ok) return fail({ ...result.error, file: open.path });
  const document = result.value;
  const decoded = { ...open.decoded, text: document.text };
  const { format, path } = open;
  const plan = once(() => withDoubts(document.plan, { text: document.text, files: diskFiles }));
  return ok({
    document,
    get plan() {
      return plan();
    },
    format,
    path,
    decoded,
    bytes: encode(decoded),
  });
}
