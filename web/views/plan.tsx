/** Plan: how far is the run, and what blocks it? */
import { useMemo, useState } from 'preact/hooks';
import type { ItemsView, ItemView, RunView } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { type Loaded, useView, useViews } from '../data/store.ts';
import { Hints } from '../parts/bits.tsx';
import { Said } from '../parts/seal.tsx';
import { go, route } from '../route.ts';
import { ItemDetail } from './plan-item.tsx';
import { PlanList } from './plan-list.tsx';
import { PlanMap } from './plan-map.tsx';
import { Groups, Sprint } from './plan-shapes.tsx';
import { Loading, TroubleView } from './states.tsx';

const PAGE = 1000;

/** All items, over all pages. */
function useItems(run: string): Loaded<ItemsView> {
  const page = (from: number) => address('/runs/{run}/items', { run }, { from, count: PAGE });
  const first = useView(page(0));
  const total = first.value?.matching ?? 0;
  const got = first.value?.rows.length ?? 0;
  const more = got === 0 ? 0 : Math.max(0, Math.ceil(total / got) - 1);
  const others = useViews(Array.from({ length: more }, (_, index) => page((index + 1) * got)));
  return useMemo(() => {
    if (!first.value) return first;
    const rows = [...first.value.rows, ...others.flatMap(({ value }) => value?.rows ?? [])];
    return { ...first, value: { ...first.value, rows } };
  }, [first, ...others]);
}

export function Plan({ run }: { readonly run: RunView }) {
  const { value: items, trouble } = useItems(run.id);
  const chosen = route.value.item;
  const choose = useMemo(() => (item: string) => go({ view: 'plan', run: run.id, item }), [run.id]);
  if (!items) return trouble ? <TroubleView trouble={trouble} /> : <Loading what="Reading the plan" />;
  const item = items.rows.find(each => each.id === chosen);
  return (
    <>
      <section class="lede">
        <h1>{items.sentence}</h1>
        <Counts items={items} run={run} />
        {items.problem === null ? null : (
          <p class="v no">
            {items.problem.message} {items.problem.hint ?? ''}
          </p>
        )}
      </section>
      {item === undefined ? null : <ItemDetail key={item.id} run={run} item={item} />}
      <Shape items={items} chosen={chosen} run={run} choose={choose} />
      <Hints
        keys={[
          ['j k', 'move'],
          ['Enter', 'open'],
          ['Esc', 'back'],
          ['?', 'all keys'],
        ]}
      />
    </>
  );
}

function Counts({ items: { rows }, run }: { readonly items: ItemsView; readonly run: RunView }) {
  const count = (status: ItemView['status']) => rows.filter(row => row.status === status).length;
  const [done, working, open, blocked, held, skipped] = [
    count('done'),
    count('in-progress'),
    count('open'),
    count('blocked'),
    count('held'),
    count('skipped'),
  ];
  return (
    <div class="facts">
      <span class="id">{run.plan.path}</span>
      <span>{run.plan.format}</span>
      <Said seal="ok">{done} proven</Said>
      {working > 0 ? <Said seal="live">{working} working</Said> : null}
      {open > 0 ? <Said seal="todo">{open} open</Said> : null}
      {blocked > 0 ? <Said seal="halt">{blocked} blocked</Said> : null}
      {held > 0 ? <Said seal="held">{held} wait for others</Said> : null}
      {skipped > 0 ? <Said seal="skip">{skipped} skipped</Said> : null}
    </div>
  );
}

interface ShapeProps {
  readonly items: ItemsView;
  readonly chosen: string | undefined;
  readonly run: RunView;
  readonly choose: (item: string) => void;
}

function Shape({ items, chosen, run, choose }: ShapeProps) {
  const [map, setMap] = useState(true);
  const { rows, shape, columns } = items;
  const isCut = rows.some(row => row.cell !== null);
  return (
    <>
      {shape === 'sprint' && isCut ? <Sprint rows={rows} columns={columns} chosen={chosen} choose={choose} /> : null}
      {shape === 'groups' ? <Groups rows={rows} chosen={chosen} choose={choose} /> : null}
      {shape === 'list' ? <PlanMap rows={rows} chosen={chosen} choose={choose} shown={map} show={setMap} /> : null}
      <PlanList rows={rows} chosen={chosen} run={run.id} choose={choose} ordered={shape !== 'list'} />
    </>
  );
}
