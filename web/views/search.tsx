/** Find: words in runs, items, iterations, lessons and archives. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { HitView } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { Card } from '../parts/bits.tsx';
import { useChosen } from '../parts/chosen.ts';
import { plural } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { hrefOf, type Route, route } from '../route.ts';

const ICONS: Readonly<Record<HitView['kind'], IconName>> = {
  run: 'branch',
  item: 'plan',
  iteration: 'time',
  lesson: 'lesson',
  archive: 'archive',
};
/** A delay while somebody types. */
const PAUSE_MS = 200;

export function Search() {
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState(route.value.words ?? '');
  const [asked, setAsked] = useState(words);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(words.trim());
      // Going back returns to the same search.
      history.replaceState(null, '', hrefOf({ view: 'search', words: words.trim() }));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const { value, trouble } = useView(asked === '' ? undefined : address('/search', {}, { q: asked }));
  const hits = value?.hits ?? [];
  const open = useMemo(
    () => (index: number) => {
      const hit = hits[index];
      if (hit) location.hash = hrefOf(routeOf(hit));
    },
    [hits],
  );
  const chosen = useChosen(hits.length, open);
  return (
    <>
      <section class="lede">
        <h1>
          {asked === ''
            ? 'Find anything'
            : value
              ? `${plural(hits.length, 'match', 'matches')}${value.more ? ' and more' : ''} for “${asked}”`
              : 'Searching'}
        </h1>
        <input
          ref={field}
          class="findfield"
          type="search"
          aria-label="Words to find"
          placeholder="An item, a file, words of an agent, a lesson"
          value={words}
          onInput={event => setWords(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key === 'ArrowDown') event.currentTarget.blur();
            if (event.key === 'Enter') open(chosen ?? 0);
          }}
        />
        <p>In runs, items, iterations, lessons and archives of this repository.</p>
      </section>
      {trouble ? <p class="v no">{trouble.message}</p> : null}
      {value && hits.length === 0 ? <p class="quiet">No matches.</p> : null}
      {hits.length === 0 ? null : (
        <Card title="Found">
          <ul class="hits">
            {hits.map((hit, index) => (
              <li
                key={`${hit.kind}/${hit.run ?? ''}/${hit.id}/${hit.n ?? ''}`}
                class={index === chosen ? 'chosen' : ''}
              >
                <a href={hrefOf(routeOf(hit))}>
                  <Icon name={ICONS[hit.kind]} />
                  <span>
                    <b>{hit.title}</b>{' '}
                    <span class="quiet">{hit.kind === 'iteration' ? `iteration ${hit.n ?? ''}` : hit.kind}</span>
                    <small>{hit.excerpt}</small>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function routeOf(hit: HitView): Route {
  const run = hit.run === null ? {} : { run: hit.run };
  switch (hit.kind) {
    case 'run':
      return { view: 'now', ...run };
    case 'item':
      return { view: 'plan', ...run, item: hit.id };
    case 'iteration':
      return { view: 'iteration', ...run, iteration: hit.n ?? 1 };
    case 'lesson':
      return { view: 'lessons' };
    case 'archive':
      return { view: 'archives' };
  }
}
