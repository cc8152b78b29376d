/** Plan documents that are edited as text and parsed again only when needed. */
import type { Begin, Mark, NewItem, NewText, Plan, PlanDocument, ReviewMark } from '../protocol.ts';
import { once } from '../util/once.ts';
import { ok, type Result } from '../util/result.ts';

/** What a format reads from one text. */
export interface TextReading {
  readonly plan: Plan;
  readonly mark: (mark: Mark) => Result<string>;
  readonly append: (item: NewItem) => Result<string>;
  readonly begin?: (begin: Begin) => Result<string>;
  readonly review?: (mark: ReviewMark) => Result<string>;
  readonly markFiles?: (mark: Mark) => Result<readonly NewText[]>;
  readonly renderings?: (at: number) => readonly NewText[];
}

/** The document of a text; `read` parses the new text after every change. */
export function textDocument(text: string, read: (text: string) => TextReading): PlanDocument {
  const { plan, mark, append, begin, review, markFiles, renderings } = read(text);
  const next = (changed: Result<string>): Result<PlanDocument> =>
    changed.ok ? ok(laterDocument(changed.value, document, () => textDocument(changed.value, read))) : changed;
  const document: PlanDocument = {
    text,
    plan,
    mark: wanted => next(mark(wanted)),
    append: item => next(append(item)),
    ...(begin ? { begin: wanted => next(begin(wanted)) } : {}),
    ...(review ? { review: wanted => next(review(wanted)) } : {}),
    ...(markFiles ? { markFiles } : {}),
    ...(renderings ? { renderings } : {}),
  };
  return document;
}

/** A document with the same methods as `like`, parsed only when more than its text is needed: most marks are only written. */
function laterDocument(text: string, like: PlanDocument, make: () => PlanDocument): PlanDocument {
  return laterWith(
    ABILITIES.filter(name => like[name] !== undefined),
    { text, made: once(make) },
  );
}

const ABILITIES = ['begin', 'review', 'markFiles', 'renderings'] as const;

/** A function of its own, because closures made in `laterDocument` would keep the previous document and its text alive. */
function laterWith(
  abilities: readonly (typeof ABILITIES)[number][],
  { text, made }: { readonly text: string; readonly made: () => PlanDocument },
): PlanDocument {
  const able = abilities.map(name => [name, (argument: never) => (made()[name] as (of: never) => unknown)(argument)]);
  return {
    text,
    get plan() {
      return made().plan;
    },
    mark: wanted => made().mark(wanted),
    append: item => made().append(item),
    ...Object.fromEntries(able),
  };
}
