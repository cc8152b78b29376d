/** Sprints as tables of phases, and groups as a row. */
import type { ItemView } from '../../src/view/index.ts';
import { Card } from '../parts/bits.tsx';
import { duration, usd } from '../parts/format.ts';
import { Pips } from '../parts/pips.tsx';
import { Seal } from '../parts/seal.tsx';
import { ITEMS } from '../parts/words.ts';

interface ShapeProps {
  readonly rows: readonly ItemView[];
  readonly chosen: string | undefined;
  readonly choose: (item: string) => void;
}

const distinct = (list: readonly string[]): readonly string[] => [...new Set(list)];
const doneIn = (items: readonly ItemView[]): number => items.filter(({ status }) => status === 'done').length;

interface SprintProps extends ShapeProps {
  readonly columns: readonly string[];
}

/** Phases below each other. A phase that is repeated per step is a table: one row per step, one column per sub-phase. */
export function Sprint({ rows, columns, chosen, choose }: SprintProps) {
  return (
    <>
      {columns.map((column, index) => {
        const items = rows.filter(({ cell }) => cell?.column === column);
        const [first, ...others] = items;
        const name = `${index + 1}. ${column}`;
        if (first === undefined) return null;
        if (others.length === 0 && first.cell?.row === '') {
          return (
            <Card
              key={column}
              class="phasecard"
              title={
                <h2>
                  {name} <span class="soft">{wordsOf(first)}</span>
                </h2>
              }
              end={<Cell item={first} chosen={chosen} choose={choose} />}
            >
              {null}
            </Card>
          );
        }
        return (
          <Card key={column} title={name} end={`for each step; ${doneIn(items)} of ${items.length} proven`}>
            <Steps items={items} phase={column} chosen={chosen} choose={choose} />
          </Card>
        );
      })}
    </>
  );
}

interface StepsProps extends Omit<ShapeProps, 'rows'> {
  readonly items: readonly ItemView[];
  readonly phase: string;
}

function Steps({ items, phase, chosen, choose }: StepsProps) {
  const steps = distinct(items.map(({ cell }) => cell?.row ?? ''));
  const parts = distinct(items.map(({ cell }) => cell?.part ?? ''));
  return (
    <div class="sidescroll" tabIndex={0} role="region" aria-label={`Steps of ${phase}`}>
      <table class="t sprint-t" style={{ '--parts': String(parts.length) }}>
        <thead>
          <tr>
            <th scope="col">Step</th>
            {parts.map(part => (
              <th scope="col" key={part}>
                {part || phase}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map(step => {
            const ofStep = items.filter(({ cell }) => cell?.row === step);
            const [first] = ofStep;
            return (
              <tr key={step}>
                <th scope="row">
                  {first === undefined ? step : wordsOf(first)} <span class="id">{step}</span>
                </th>
                {parts.map(part => {
                  const item = ofStep.find(({ cell }) => cell?.part === part);
                  return (
                    <td key={part} data-phase={part}>
                      {item === undefined ? null : <Cell item={item} chosen={chosen} choose={choose} />}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The title without the name of its phase, which is shown above: `plan: Read the timetable` becomes `Read the timetable`. */
function wordsOf({ title, cell }: ItemView): string {
  const name = `${cell?.part || cell?.column || ''}: `;
  return title.startsWith(name) ? title.slice(name.length) : title;
}

/** Groups by number: each has its own prompt and is a large piece of work. */
export function Groups({ rows, chosen, choose }: ShapeProps) {
  return (
    <Card title="Groups" end={`by number; ${doneIn(rows)} of ${rows.length} proven`}>
      <ol class="groups">
        {rows.map(item => {
          const [seal, word] = ITEMS[item.status];
          return (
            <li key={item.id}>
              <button
                type="button"
                class={`group ${CLASSES[item.status] ?? ''} ${item.id === chosen ? 'sel' : ''}`}
                onClick={() => choose(item.id)}
              >
                <span class="rank" aria-hidden="true">
                  {item.id}
                </span>
                <b>
                  <span class="vh">Group {item.id}: </span>
                  {item.title}
                </b>
                <span class="state">
                  <Seal name={seal} size={13} /> {word}
                  {item.tape.length > 1 ? <Pips tape={item.tape} /> : null}
                </span>
                <span class="quiet">{item.status === 'blocked' ? item.why : spentOn(item)}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

const spentOn = ({ durationMs, costUsd }: ItemView): string =>
  [durationMs > 0 ? duration(durationMs) : '', costUsd > 0 ? usd(costUsd) : ''].filter(Boolean).join(' · ');

interface CellProps {
  readonly item: ItemView;
  readonly chosen: string | undefined;
  readonly choose: (item: string) => void;
}

const CLASSES: Partial<Record<ItemView['status'], string>> = {
  'in-progress': 'live',
  open: 'todo',
  held: 'todo',
  blocked: 'halt',
};

function Cell({ item, chosen, choose }: CellProps) {
  const [seal, word] = ITEMS[item.status];
  const isDone = item.status === 'done';
  return (
    <button
      type="button"
      class={`cell ${CLASSES[item.status] ?? ''} ${item.id === chosen ? 'sel' : ''}`}
      title={`${item.id} ${item.title}${item.why === '' ? '' : `: ${item.why}`}`}
      onClick={() => choose(item.id)}
    >
      <span class="vh">
        {item.id} {item.title}, {isDone ? word : ''}{' '}
      </span>
      {item.tape.length > 1 ? <Pips tape={item.tape} /> : <Seal name={seal} size={13} />}
      {isDone && item.durationMs > 0 ? duration(item.durationMs) : word}
      {isDone && item.costUsd > 0 ? <span class="quiet hide-s last">{usd(item.costUsd)}</span> : null}
    </button>
  );
}
