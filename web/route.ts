/** The route. It is in the URL's fragment, so that the page works from a server and from a file. */
import { signal } from '@preact/signals';

const RUN_VIEWS = ['now', 'plan', 'timeline', 'costs'] as const;
const REPOSITORY_VIEWS = ['morning', 'lessons', 'archives', 'search'] as const;

type RunView = (typeof RUN_VIEWS)[number] | 'iteration';
export type RepositoryView = (typeof REPOSITORY_VIEWS)[number];
export type View = RunView | RepositoryView;

export interface Route {
  readonly view: View;
  /** If absent: the live run, or else the newest. */
  readonly run?: string;
  readonly iteration?: number;
  /** An item, in the views that can select one. */
  readonly item?: string;
  readonly words?: string;
}

export const route = signal<Route>(read(location.hash));

addEventListener('hashchange', () => {
  route.value = read(location.hash);
});

function read(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const words = new URLSearchParams(query);
  const parts = path.split('/').map(decode);
  const [first = '', run = '', view = '', number = ''] = parts;
  if (isIn(REPOSITORY_VIEWS, first)) return { view: first, ...optional('words', words.get('q')) };
  if (first !== 'run' || run === '') return { view: isIn(RUN_VIEWS, first) ? first : 'now' };
  const item = optional('item', words.get('item'));
  if (view === 'iteration' && /^\d+$/.test(number)) return { view, run, iteration: Number(number), ...item };
  return { view: isIn(RUN_VIEWS, view) ? view : 'now', run, ...item };
}

export function hrefOf({ view, run, iteration, item, words }: Route): string {
  const query = new URLSearchParams({ ...(item ? { item } : {}), ...(words ? { q: words } : {}) }).toString();
  const end = query === '' ? '' : `?${query}`;
  if (isIn(REPOSITORY_VIEWS, view) || run === undefined) return `#/${view}${end}`;
  const number = iteration === undefined ? '' : `/${iteration}`;
  return `#/run/${encodeURIComponent(run)}/${view}${number}${end}`;
}

export function go(to: Route): void {
  location.hash = hrefOf(to);
}

function isIn<T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}

function optional<K extends string>(key: K, value: string | null): { readonly [P in K]?: string } {
  return value === null || value === '' ? {} : ({ [key]: value } as { readonly [P in K]?: string });
}

/** A typed URL may contain invalid escapes. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
