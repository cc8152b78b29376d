/** Archives: finished runs, also of other tools. */
import { useState } from 'preact/hooks';
import type { ArchiveRowView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { At, Card, Empty } from '../parts/bits.tsx';
import { cost, dayOf, plural, sum, usd } from '../parts/format.ts';
import { Pips } from '../parts/pips.tsx';
import { Seal } from '../parts/seal.tsx';
import { type Column, TableHead } from '../parts/table-head.tsx';
import { Loading, TroubleView } from './states.tsx';

const COLUMNS: readonly Column[] = [
  { name: 'End', hidden: true },
  { name: 'Run' },
  { name: 'Finished', number: true, wide: true },
  { name: 'Items', number: true, wide: true },
  { name: 'Iterations', number: true, wide: true },
  { name: 'Cost', number: true },
];

export function Archives() {
  const { value, trouble } = useView(address('/archives'));
  const [open, setOpen] = useState<string>();
  if (!value)
    return trouble ? <TroubleView trouble={trouble} path="/archives" /> : <Loading what="Reading the archives" />;
  const { archives } = value;
  if (archives.length === 0) {
    return (
      <Empty title="Nothing is archived yet">
        <p>A run is archived when it is over: its items, what was learned, what it took.</p>
      </Empty>
    );
  }
  const spent = sum(archives, ({ costUsd }) => costUsd);
  return (
    <>
      <section class="lede">
        <h1>
          {plural(archives.length, 'archived run')}: {sum(archives, ({ done }) => done)} of{' '}
          {plural(
            sum(archives, ({ items }) => items),
            'item',
          )}{' '}
          done{spent > 0 ? ` for ${usd(spent)}` : ''}
        </h1>
      </section>
      <Card title="Archives">
        <table class="t rows">
          <TableHead columns={COLUMNS} />
          <tbody>
            {archives.map(row => (
              <Row
                key={row.name}
                row={row}
                isOpen={open === row.name}
                toggle={() => setOpen(open === row.name ? undefined : row.name)}
              />
            ))}
          </tbody>
        </table>
      </Card>
    </>
  );
}

interface RowProps {
  readonly row: ArchiveRowView;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function Row({ row, isOpen, toggle }: RowProps) {
  return (
    <>
      <tr>
        <td>
          <Seal
            name={row.problem === null ? (row.reason === 'complete' ? 'ok' : 'todo') : 'warn'}
            size={14}
            label={row.reason ?? 'of another tool'}
          />
        </td>
        <td class="grow cut">
          <button type="button" class="rowlink" aria-expanded={isOpen} onClick={toggle}>
            <b>{row.name}</b> <span class="quiet">{row.problem?.message ?? row.plan}</span>
          </button>
        </td>
        <td class="num quiet hide-s">
          {row.finishedAt === null ? '' : <At at={row.finishedAt}>{dayOf(row.finishedAt, now.value)}</At>}
        </td>
        <td class="num quiet hide-s">
          {row.done} of {row.items}
        </td>
        <td class="num quiet hide-s">{row.iterations}</td>
        <td class="num quiet">{cost(row.costUsd)}</td>
      </tr>
      {isOpen ? (
        <tr class="inner">
          <td colSpan={6}>
            <Detail name={row.name} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Detail({ name }: { readonly name: string }) {
  const { value, trouble } = useView(address('/archives/{archive}', { archive: name }));
  if (!value) return trouble ? <p class="quiet">{trouble.message}</p> : <Loading what="Reading the archive" />;
  return (
    <div class="in detail">
      {value.why === '' ? null : <p>{value.why}</p>}
      <ul class="listed plainlist">
        {value.rows.map(row => (
          <li key={row.id}>
            <Pips tape={row.tape} /> <span class="id">{row.id}</span> {row.title}{' '}
            <span class="quiet">{row.status}</span>
          </li>
        ))}
      </ul>
      {value.lessons.length === 0 ? null : (
        <>
          <h3>Learned</h3>
          <ul class="listed">
            {value.lessons.map((lesson, index) => (
              <li key={index}>
                <span class="quiet">{lesson.kind}:</span> {lesson.text}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
