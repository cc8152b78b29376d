/** Verdicts, one per line; `j` and `k` move between them. */
import { useMemo, useState } from 'preact/hooks';
import type { VerdictRow } from '../../src/view/index.ts';
import { go, hrefOf } from '../route.ts';
import { Words } from './bits.tsx';
import { useChosen } from './chosen.ts';
import { clock, cost, duration, moment } from './format.ts';
import { Seal } from './seal.tsx';
import { VERDICTS } from './words.ts';

interface VerdictRowsProps {
  readonly rows: readonly VerdictRow[];
  readonly run: string;
  readonly label: string;
  readonly withTime?: boolean;
}

/** More are shown on demand. */
const FIRST = 50;

export function VerdictRows({ rows: all, run, label, withTime = false }: VerdictRowsProps) {
  const [whole, setWhole] = useState(false);
  const rows = whole ? all : all.slice(0, FIRST);
  const open = useMemo(
    () => (index: number) => {
      const row = rows[index];
      if (row) go({ view: 'iteration', run, iteration: row.n });
    },
    [rows, run],
  );
  const chosen = useChosen(rows.length, open);
  return (
    <>
      <table class="t rows verdict-rows" aria-label={label}>
        <thead class={withTime ? '' : 'vh'}>
          <tr>
            <th scope="col">
              <span class="vh">Verdict</span>
            </th>
            <th scope="col">Iteration and reason</th>
            {withTime ? (
              <th scope="col" class="num hide-s">
                At
              </th>
            ) : null}
            <th scope="col" class="num hide-s">
              Time
            </th>
            <th scope="col" class="num">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const [seal, word] = VERDICTS[row.verdict];
            return (
              <tr key={`${row.n}/${row.at}`} class={index === chosen ? 'chosen' : ''}>
                <td>
                  <Seal name={seal} size={14} label={word} />
                </td>
                <td class="grow cut">
                  <a href={hrefOf({ view: 'iteration', run, iteration: row.n })}>
                    <span class="id">{row.item}</span> {row.title}{' '}
                    <span class="quiet">
                      {row.attempt > 1 || row.verdict !== 'accepted' ? `attempt ${row.attempt} · ` : ''}
                      <Words text={row.why} />
                    </span>
                  </a>
                </td>
                {withTime ? (
                  <td class="num quiet hide-s" title={moment(row.at)}>
                    {clock(row.at)}
                  </td>
                ) : null}
                <td class="num quiet hide-s">{duration(row.durationMs)}</td>
                <td class="num quiet">{cost(row.costUsd)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length < all.length ? (
        <p class="in">
          <button class="btn sm" type="button" onClick={() => setWhole(true)}>
            Show all {all.length}
          </button>
        </p>
      ) : null}
    </>
  );
}
