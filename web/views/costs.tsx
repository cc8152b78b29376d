/** Costs: is it worth it, and does it get better? */
import type { RunView } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { Card } from '../parts/bits.tsx';
import { cost, duration, percent, sum, tokens, usd } from '../parts/format.ts';
import { Pips } from '../parts/pips.tsx';
import { Seal } from '../parts/seal.tsx';
import { type Column, TableHead } from '../parts/table-head.tsx';
import { ITEMS } from '../parts/words.ts';
import { Compounding } from '../plots/compounding.tsx';
import { GateTimes } from '../plots/gate-times.tsx';
import { Growing } from '../plots/growing.tsx';
import { Spending } from '../plots/spending.tsx';
import { hrefOf } from '../route.ts';
import { Loading, TroubleView } from './states.tsx';

const COLUMNS: readonly Column[] = [
  { name: 'State', hidden: true },
  { name: 'Item' },
  { name: 'Attempts', wide: true },
  { name: 'Tokens in', number: true, wide: true },
  { name: 'Time', number: true, wide: true },
  { name: 'Cost', number: true },
];

export function Costs({ run }: { readonly run: RunView }) {
  const { value: costs, trouble } = useView(address('/runs/{run}/costs', { run: run.id }));
  const timeline = useView(address('/runs/{run}/timeline', { run: run.id })).value;
  if (!costs) return trouble ? <TroubleView trouble={trouble} /> : <Loading what="Adding up" />;
  const done = run.counts.done;
  const refused = timeline
    ? sum(
        timeline.columns.costUsd.filter((_, index) => timeline.verdicts[index] === 'r'),
        each => each,
      )
    : 0;
  const each = done > 0 ? `: ${usd(run.costUsd / done)} each` : '';
  const lost = refused > 0 ? `, ${percent(refused, run.costUsd)} % of it on work that was refused` : '';
  return (
    <>
      <section class="lede">
        <h1>
          {usd(run.costUsd)} for {done} proven {done === 1 ? 'item' : 'items'}
          {each}
          {lost}
        </h1>
        <div class="facts">
          {run.limits.costUsd === undefined ? (
            <span>no limit recorded</span>
          ) : (
            <span>limit {usd(run.limits.costUsd)}</span>
          )}
          <span>
            {tokens(run.usage.inputTokens)} tokens in, {tokens(run.usage.outputTokens)} out,{' '}
            {tokens(run.usage.cachedTokens)} from the cache
          </span>
          <span>waits cost nothing</span>
        </div>
      </section>
      <section class="cols plots">
        <Spending plot={costs.spending} />
        <Growing plot={costs.growing} />
        <Compounding plot={costs.compounding} />
        <GateTimes plot={costs.gates} />
      </section>
      {costs.items.length === 0 ? null : (
        <Card title="Where the money went" end="by item, most expensive first">
          <table class="t rows">
            <TableHead columns={COLUMNS} />
            <tbody>
              {costs.items.map(item => (
                <tr key={item.id}>
                  <td>
                    <Seal name={ITEMS[item.status][0]} size={14} label={ITEMS[item.status][1]} />
                  </td>
                  <td class="grow cut">
                    <a href={hrefOf({ view: 'plan', run: run.id, item: item.id })}>
                      <span class="id">{item.id}</span>&ensp;{item.title}
                    </a>
                  </td>
                  <td class="hide-s">
                    <Pips tape={item.tape} />
                  </td>
                  <td class="num quiet hide-s">{tokens(item.inputTokens)}</td>
                  <td class="num quiet hide-s">{duration(item.durationMs)}</td>
                  <td class="num">{cost(item.costUsd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
    </>
  );
}
