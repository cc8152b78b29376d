/** The navigation: views of the run, views of the repository, runs. */
import type { MetaView, RunRow, RunView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { address } from '../data/address.ts';
import { lastEvent } from '../data/live.ts';
import { isReport, useView } from '../data/store.ts';
import { dayOf, moment } from '../parts/format.ts';
import { Icon, type IconName, Sign } from '../parts/icon.tsx';
import { Seal } from '../parts/seal.tsx';
import { RUNS, runSeal } from '../parts/words.ts';
import { hrefOf, route, type View } from '../route.ts';

export const TITLES: Readonly<Record<View, string>> = {
  now: 'Now',
  plan: 'Plan',
  timeline: 'Timeline',
  costs: 'Costs',
  iteration: 'Iteration',
  morning: 'Morning',
  lessons: 'Lessons',
  archives: 'Archives',
  search: 'Find',
};

type Entry = readonly [view: View, key: string, icon: IconName];

export const OF_RUN: readonly Entry[] = [
  ['now', 'n', 'now'],
  ['plan', 'p', 'plan'],
  ['timeline', 't', 'time'],
  ['costs', 'c', 'cost'],
];
export const OF_REPOSITORY: readonly Entry[] = [
  ['morning', 'm', 'morning'],
  ['lessons', 'l', 'lesson'],
  ['archives', 'a', 'archive'],
];
/** Runs in the rail; Find has all of them. */
const MOST_RUNS = 12;

export function Rail({ run, meta }: { readonly run: RunView | undefined; readonly meta: MetaView | undefined }) {
  const runs = useView(address('/runs')).value?.runs ?? [];
  const repository = isReport() ? OF_REPOSITORY.filter(([view]) => view === 'lessons') : OF_REPOSITORY;
  return (
    <aside class="rail" aria-label="Views and runs">
      <a class="brand" href="#/now">
        <Sign />
        <span>ralph</span> <small>{meta?.repository ?? ''}</small>
      </a>
      <nav class="nav" aria-label="Views of this run">
        <h2>{run?.name ?? 'This run'}</h2>
        {OF_RUN.map(entry => (
          <Entry key={entry[0]} entry={entry} run={run} />
        ))}
      </nav>
      <nav class="nav" aria-label="Views of the repository">
        <h2>Repository</h2>
        {repository.map(entry => (
          <Entry key={entry[0]} entry={entry} run={run} />
        ))}
      </nav>
      {runs.length < 2 ? null : (
        <nav class="runs" aria-label="Runs">
          <h2>Runs</h2>
          {runs.slice(0, MOST_RUNS).map(each => (
            <RunLink key={each.id} row={each} isShown={each.id === run?.id} />
          ))}
        </nav>
      )}
      <footer>
        {meta?.readonly ? <span>read-only</span> : null}
        {isReport() ? <span>report of {moment(meta?.now ?? 0)}</span> : <span>on this machine only</span>}
        {lastEvent.value === undefined ? null : <span>journal read to {lastEvent.value.split('-', 1)[0]}</span>}
        <span>ralph {meta?.version ?? ''}</span>
      </footer>
    </aside>
  );
}

function Entry({ entry: [view, key, icon], run }: { readonly entry: Entry; readonly run: RunView | undefined }) {
  const isHere = route.value.view === view || (view === 'timeline' && route.value.view === 'iteration');
  return (
    <a
      href={hrefOf({ view, ...(run ? { run: run.id } : {}) })}
      aria-keyshortcuts={`g ${key}`}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon name={icon} />
      <span>{TITLES[view]}</span>
      <kbd aria-hidden="true" data-key={`g ${key}`} />
    </a>
  );
}

function RunLink({ row, isShown }: { readonly row: RunRow; readonly isShown: boolean }) {
  const when = row.isLive ? RUNS[row.status] : dayOf(row.lastAt, now.value);
  const where = row.worktree === null ? '' : `, in ${row.worktree}`;
  return (
    <a
      href={hrefOf({ view: 'now', run: row.id })}
      title={`${row.branch}${where}`}
      aria-current={isShown ? 'true' : undefined}
    >
      <Seal name={runSeal(row)} size={13} label={RUNS[row.status]} />
      <b>{row.name}</b>
      <span>{when}</span>
    </a>
  );
}

/** On a phone: five tabs at the bottom. */
export function Tabs({ run }: { readonly run: RunView | undefined }) {
  const entries: readonly Entry[] = isReport() ? OF_RUN : [...OF_RUN, ['morning', 'm', 'morning']];
  return (
    <nav class="tabs" aria-label="Views">
      {entries.map(([view, , icon]) => (
        <a
          key={view}
          href={hrefOf({ view, ...(run ? { run: run.id } : {}) })}
          aria-current={route.value.view === view ? 'page' : undefined}
        >
          <Icon name={icon} size={18} />
          {TITLES[view]}
        </a>
      ))}
    </nav>
  );
}
