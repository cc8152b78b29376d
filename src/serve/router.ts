/** Maps URLs to views. Ids are looked up among known ones; none is ever used as a path. */

import { redact as redacted } from '../audit/index.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plain } from '../util/show.ts';
import {
  type Archives,
  costsView,
  type IterationFile,
  itemDetail,
  itemsView,
  iterationView,
  type Library,
  type Look,
  lessonsView,
  type MetaView,
  MOST_ITEMS,
  morningView,
  noSuchRun,
  type RowCache,
  readIterationFile,
  runsView,
  runView,
  searchView,
  timelineView,
} from '../view/index.ts';

export interface Views {
  readonly library: Library;
  readonly archives: Archives;
  readonly rows: RowCache;
  readonly isReadonly: boolean;
}

/** A response: JSON or plain text. */
export type Found = { readonly json: unknown } | { readonly text: string };

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_QUERY = 200;

/** The decoded parts of a path below `/api/v1`; undefined if one cannot be decoded. */
export function partsOf(path: string): readonly string[] | undefined {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Every readable route, except for the stream. */
export async function read(
  views: Views,
  parts: readonly string[],
  query: URLSearchParams,
  meta: () => MetaView,
): Promise<Result<Found>> {
  const { library, archives } = views;
  const [first = '', second, third, fourth, fifth, ...rest] = parts;
  const nothing = fail(notFound(parts.join('/')));
  if (rest.length > 0) return nothing;
  if (second === undefined) {
    switch (first) {
      case 'meta':
        return json(meta());
      case 'runs':
        return json(runsView(library, views.rows));
      case 'morning':
        return json(await morningView(library, number(query.get('since')) ?? Date.now() - DAY_MS));
      case 'lessons':
        return json(lessonsView(library.project));
      case 'archives':
        return json(archives.list());
      case 'search':
        return json(searchView(library, archives, (query.get('q') ?? '').slice(0, LONGEST_QUERY)));
      default:
        return nothing;
    }
  }
  if (first === 'archives' && third === undefined) {
    const archive = archives.one(second);
    return archive ? json(archive) : nothing;
  }
  if (first !== 'runs') return nothing;
  const located = library.find(second);
  if (!located) return fail(noSuchRun(second));
  const look = library.look(located);
  return (await ofRun(look, views, [third, fourth, fifth], query)) ?? nothing;
}

async function ofRun(
  look: Look,
  { library, isReadonly, archives }: Views,
  [what, id, more]: readonly (string | undefined)[],
  query: URLSearchParams,
): Promise<Result<Found> | undefined> {
  if (id === undefined) {
    switch (what) {
      case undefined:
        return json(await runView(library, look, { isReadonly }));
      case 'items':
        return json(itemsView(look, itemsQuery(query)));
      case 'timeline':
        return json(timelineView(look));
      case 'costs':
        return json(costsView(look, archives.records()));
      default:
        return undefined;
    }
  }
  if (what === 'items' && more === undefined) {
    const item = itemDetail(look, id);
    return item ? json(item) : undefined;
  }
  const n = what === 'iterations' ? number(id) : undefined;
  if (n === undefined || !look.facts.byNumber.has(n)) return undefined;
  if (more === undefined) return json(iterationView(look, n));
  const file = FILES[more];
  const bytes = file && readIterationFile(look, n, file)?.bytes;
  return bytes ? ok({ text: harmless(bytes) }) : undefined;
}

const FILES: Readonly<Partial<Record<string, IterationFile>>> = {
  brief: 'brief.md',
  output: 'output.log',
  diff: 'diff.patch',
};

const harmless = (bytes: Buffer): string => redacted(plain(bytes.toString('utf8')));

const json = (value: unknown): Result<Found> => ok({ json: value });

/** A whole number in plain digits. */
function number(text: string | null | undefined): number | undefined {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const itemsQuery = (query: URLSearchParams) => ({
  from: number(query.get('from')) ?? 0,
  count: Math.min(MOST_ITEMS, number(query.get('count')) ?? MOST_ITEMS),
  words: (query.get('q') ?? '').slice(0, LONGEST_QUERY),
  status: (query.get('status') ?? '').split(',').filter(Boolean),
});

const notFound = (path: string): Failure => ({
  reason: 'not-found',
  message: `there is nothing at ${plain(path).slice(0, 120)}`,
  hint: 'Every address is in docs/http.md',
});
