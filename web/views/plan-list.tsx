/** Every item in a row of equal height, so that thousands of them scroll smoothly. */
import { useMemo, useState } from 'preact/hooks';
import type { ItemView } from '../../src/view/index.ts';
import { Card, Segments } from '../parts/bits.tsx';
import { useChosen } from '../parts/chosen.ts';
import { duration, usd } from '../parts/format.ts';
import { Pips } from '../parts/pips.tsx';
import { Seal } from '../parts/seal.tsx';
import { type Column, TableHead } from '../parts/table-head.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { ITEMS } from '../parts/words.ts';
import { hrefOf } from '../route.ts';

const COLUMNS: readonly Column[] = [
  { name: 'State', hidden: true },
  { name: 'Item' },
  { name: 'Depends on', wide: true },
  { name: 'Attempts', wide: true },
  { name: 'Time', number: true, wide: true },
  { name: 'Cost', number: true },
];

const ORDERED = COLUMNS.filter(({ name }) => name !== 'Depends on');

type Filter = 'all' | 'open' | 'refused';

interface PlanListProps {
  readonly rows: readonly ItemView[];
  readonly chosen: string | undefined;
  readonly run: string;
  readonly choose: (item: string) => void;
  /** Each item depends on the one above it, so no row has to say so. */
  readonly ordered: boolean;
}

const ROW = 31;
const ROW_ON_PHONE = 41;

export function PlanList({ rows, chosen, run, choose, ordered }: PlanListProps) {
  const [filter, setFilter] = useState<Filter>('all');
  const [words, setWords] = useState('');
  const shown = useMemo(() => filtered(rows, filter, words), [rows, filter, words]);
  const open = useMemo(
    () => (index: number) => {
      const row = shown[index];
      if (row) choose(row.id);
    },
    [shown, choose],
  );
  const at = useChosen(shown.length, open);
  const height = matchMedia('(max-width: 760px)').matches ? ROW_ON_PHONE : ROW;
  return (
    <Card
      title="Items"
      class="itemlist"
      end={
        <>
          <input
            class="filter"
            type="search"
            aria-label="Filter items"
            placeholder="Filter"
            value={words}
            onInput={event => setWords(event.currentTarget.value)}
          />
          <Segments
            label="Show"
            value={filter}
            choose={setFilter}
            options={[
              ['all', `All ${rows.length.toLocaleString('en')}`],
              ['open', 'Open'],
              ['refused', 'Refused at least once'],
            ]}
          />
        </>
      }
    >
      <Windowed
        items={shown}
        rowHeight={height}
        chosen={at}
        render={(row, index) => (
          <Row
            key={row.id}
            row={row}
            index={index}
            run={run}
            isAt={index === at}
            isChosen={row.id === chosen}
            ordered={ordered}
          />
        )}
      >
        {(trs, above, below) => (
          <table class="t one" aria-label="Items" aria-rowcount={shown.length + 1}>
            <TableHead columns={ordered ? ORDERED : COLUMNS} />
            <tbody>
              <Space height={above} />
              {trs}
              <Space height={below} />
            </tbody>
          </table>
        )}
      </Windowed>
      {shown.length === 0 ? <p class="in quiet">No matching items.</p> : null}
    </Card>
  );
}

function Space({ height }: { readonly height: number }) {
  return height > 0 ? <tr aria-hidden="true" class="space" style={{ height: `${height}px` }} /> : null;
}

interface RowProps {
  readonly row: ItemView;
  readonly index: number;
  readonly run: string;
  readonly isAt: boolean;
  readonly isChosen: boolean;
  readonly ordered: boolean;
}

function Row({ row, index, run, isAt, isChosen, ordered }: RowProps) {
  const [seal, word] = ITEMS[row.status];
  return (
    <tr
      aria-rowindex={index + 2}
      class={[isAt ? 'chosen' : '', isChosen || row.status === 'in-progress' ? 'sel' : ''].join(' ')}
    >
      <td>
        <Seal name={seal} size={15} label={word} />
      </td>
      <td class="grow cut">
        <a href={hrefOf({ view: 'plan', run, item: row.id })}>
          <span class="id">{row.id}</span>&ensp;{row.title}
          {row.mends === null ? null : <span class="quiet"> for {row.mends}</span>}
          {row.why === '' || row.status === 'done' ? null : (
            <span class={row.status === 'blocked' ? 'why halt' : 'why'}> {row.why}</span>
          )}
          {row.review === null ? null : (
            <span class="quiet">
              {' '}
              ·{' '}
              {row.review.verdict === 'pass'
                ? 'reviewed'
                : row.review.verdict === 'unclear'
                  ? 'review unclear'
                  : 'review wants a fix'}
              {row.review.rounds > 1 ? ` in round ${row.review.rounds}` : ''}
            </span>
          )}
          {row.settled ? <span class="quiet"> · nobody claimed it</span> : null}
        </a>
      </td>
      {ordered ? null : (
        <td class="hide-s quiet mono nowrap">
          {row.dependsOn.slice(0, 4).join(' ')}
          {row.dependsOn.length > 4 ? ' …' : ''}
        </td>
      )}
      <td class="hide-s">
        <Pips tape={row.tape} />
      </td>
      <td class="num quiet hide-s">{row.durationMs > 0 ? duration(row.durationMs) : ''}</td>
      <td class="num quiet">{row.costUsd > 0 ? usd(row.costUsd) : ''}</td>
    </tr>
  );
}

function filtered(rows: readonly ItemView[], filter: Filter, words: string): readonly ItemView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(row => {
    if (filter === 'open' && (row.status === 'done' || row.status === 'skipped')) return false;
    if (filter === 'refused' && !row.tape.includes('r')) return false;
    const text = wanted.length === 0 ? '' : `${row.id} ${row.title} ${row.why}`.toLowerCase();
    return wanted.every(word => text.includes(word));
  });
}
