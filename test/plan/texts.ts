/** A format as text in, text out: what most tests want to know of a document. */
import type {
  Begin,
  Mark,
  NewItem,
  NewText,
  Plan,
  PlanDocument,
  PlanFiles,
  PlanFormat,
  PlanPlace,
  ReviewMark,
} from '../../src/protocol.ts';
import { ok, type Result } from '../../src/util/result.ts';

const nowhere: PlanPlace = {
  path: 'plan',
  files: { read: () => undefined, isFolder: () => false, list: () => [] },
};

const textOf = (changed: Result<PlanDocument>): Result<string> => (changed.ok ? ok(changed.value.text) : changed);

export function texts(format: PlanFormat) {
  const document = (text: string, { path, files }: PlanPlace = nowhere) => format.parse(text, path, files);
  return {
    parse: (text: string, path: string, files: PlanFiles): Plan => document(text, { path, files }).plan,
    mark: (text: string, mark: Mark, place?: PlanPlace) => textOf(document(text, place).mark(mark)),
    append: (text: string, item: NewItem, place?: PlanPlace) => textOf(document(text, place).append(item)),
    begin: (text: string, begin: Begin, place?: PlanPlace): Result<string> => {
      const begun = document(text, place).begin?.(begin);
      return begun ? textOf(begun) : ok(text);
    },
    review: (text: string, mark: ReviewMark): Result<string> => {
      const reviewed = document(text).review?.(mark);
      return reviewed ? textOf(reviewed) : ok(text);
    },
    markFiles: (mark: Mark, place: PlanPlace): Result<readonly NewText[]> =>
      document(place.files.read(place.path) ?? '', place).markFiles?.(mark) ?? ok([]),
  };
}
