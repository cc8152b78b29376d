/** One search over runs, items, iterations, lessons and archives: every word must match. */

import type { Library } from './all-runs.ts';
import type { Archives } from './archives.ts';
import { itemRows } from './item-rows.ts';
import { foundLessons } from './lessons.ts';
import type { HitView, SearchView } from './types/repository.ts';

const MOST_HITS = 50;
const OF_KIND = 20;
/** Only the newest runs are searched, and only for this long. */
const RUNS = 50;
const PATIENCE_MS = 1_500;

export function searchView(library: Library, archives: Archives, query: string): SearchView {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (terms.length === 0) return { query, hits: [], more: false };
  const fits = (text: string): boolean => {
    const lower = text.toLowerCase();
    return terms.every(term => lower.includes(term));
  };
  const until = Date.now() + PATIENCE_MS;
  const runs: HitView[] = [];
  const items: HitView[] = [];
  const iterations: HitView[] = [];
  let more = false;
  for (const [at, located] of library.runs().entries()) {
    if (at >= RUNS || Date.now() > until) {
      more = true;
      break;
    }
    const look = library.look(located);
    const { state, rows } = look.facts;
    const hit = { run: located.id, n: null };
    if (fits(`${located.id} ${state.plan.name} ${state.branch} ${state.plan.path}`)) {
      runs.push({ ...hit, kind: 'run', id: located.id, title: state.plan.name || located.run, excerpt: state.branch });
    }
    for (const row of itemRows(look).rows) {
      if (fits(`${row.id} ${row.title} ${row.why}`)) {
        items.push({
          ...hit,
          kind: 'item',
          id: row.id,
          title: `${row.id} ${row.title}`,
          excerpt: row.why || row.status,
        });
      }
    }
    for (const row of rows.toReversed()) {
      if (iterations.length >= 4 * OF_KIND) break;
      if (fits(`${row.item} ${row.why} ${row.reason ?? ''} ${row.commit ?? ''} ${row.ref ?? ''}`)) {
        iterations.push({
          ...hit,
          kind: 'iteration',
          id: row.item,
          n: row.n,
          title: `${row.item}, iteration ${row.n}`,
          excerpt: row.why,
        });
      }
    }
  }
  const lessons = foundLessons(library.project, query).map(
    (lesson): HitView => ({
      kind: 'lesson',
      run: null,
      id: lesson.id,
      n: null,
      title: lesson.id,
      excerpt: lesson.text,
    }),
  );
  const archived = archives
    .list()
    .archives.filter(({ name, plan, run }) => fits(`${name} ${plan} ${run ?? ''}`))
    .map((row): HitView => ({ kind: 'archive', run: null, id: row.name, n: null, title: row.name, excerpt: row.plan }));
  const kinds = [runs, items, lessons, iterations, archived];
  const hits = kinds.flatMap(kind => kind.slice(0, OF_KIND));
  const all = kinds.reduce((sum, kind) => sum + kind.length, 0);
  return { query, hits: hits.slice(0, MOST_HITS), more: more || all > Math.min(hits.length, MOST_HITS) };
}
