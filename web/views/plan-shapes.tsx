/** A sprint looks like a sprint, and groups like waves. */
import type { ItemView } from '../../src/view/index.ts';
import { Card } from '../parts/bits.tsx';
import { duration, usd } from '../parts/format.ts';
import { Seal } from '../parts/seal.tsx';
import { ITEMS } from '../parts/words.ts';

interface ShapeProps {
  readonly rows: readonly ItemView[];
  readonly columns: readonly string[];
  readonly chosen: string | undefined;
  readonly choose: (item: string) => void;
}

const distinct = (list: readonly string[]): readonly string[] => [...new Set(list)];

/** Steps go down, the parts of a phase go right: the loop reads it like a page. One table for each phase. */
export function Sprint({ rows, columns, chosen, choose }: ShapeProps) {
  return (
    <>
      {columns.map(column => {
        const items = rows.filter(({ cell }) => cell?.column === column);
        const steps = distinct(items.map(({ cell }) => cell?.row ?? ''));
        const parts = distinct(items.map(({ cell }) => cell?.part ?? ''));
        const done = items.filter(({ status }) => status === 'done').length;
        if (items.length === 0) return null;
        return (
          <Card key={column} title={column} end={`${done} of ${items.length} proven`}>
            <div class="sidescroll" tabIndex={0} role="region" aria-label={`Steps and phases of ${column}`}>
              <table class="t sprint-t" style={{ '--parts': String(parts.length) }}>
                <thead>
                  <tr>
                    <th scope="col">Step</th>
                    {parts.map(part => (
                      <th scope="col" key={part}>
                        {part || 'phase'}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {steps.map(step => (
                    <tr key={step}>
                      <th scope="row">{step || column}</th>
                      {parts.map(part => {
                        const item = items.find(({ cell }) => cell?.row === step && cell.part === part);
                        return (
                          <td key={part} data-phase={part}>
                            {item === undefined ? null : <Cell item={item} chosen={chosen} choose={choose} />}
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Card>
        );
      })}
    </>
  );
}

/** A column for each wave: what stands in one can be done side by side. */
export function Groups({ rows, columns, chosen, choose }: ShapeProps) {
  return (
    <Card title="Waves" end="a wave starts when the one before it is proven">
      <div class="waves" tabIndex={0} role="region" aria-label="Waves">
        {columns.map(column => {
          const items = rows.filter(({ cell }) => cell?.column === column);
          const done = items.filter(({ status }) => status === 'done').length;
          return (
            <section key={column}>
              <h3>
                {column}{' '}
                <span class="quiet">
                  {done} of {items.length}
                </span>
              </h3>
              {items.map(item => (
                <Cell key={item.id} item={item} chosen={chosen} choose={choose} named />
              ))}
            </section>
          );
        })}
      </div>
    </Card>
  );
}

interface CellProps {
  readonly item: ItemView;
  readonly chosen: string | undefined;
  readonly choose: (item: string) => void;
  readonly named?: boolean;
}

const CLASSES: Partial<Record<ItemView['status'], string>> = {
  'in-progress': 'live',
  open: 'todo',
  held: 'todo',
  blocked: 'halt',
};

function Cell({ item, chosen, choose, named = false }: CellProps) {
  const [seal, word] = ITEMS[item.status];
  return (
    <button
      type="button"
      class={`cell ${CLASSES[item.status] ?? ''} ${item.id === chosen ? 'sel' : ''}`}
      title={`${item.id} ${item.title}`}
      aria-label={`${item.id} ${item.title}, ${word}`}
      onClick={() => choose(item.id)}
    >
      <Seal name={seal} size={13} />
      {named ? (
        <span class="named">
          <span class="id">{item.id}</span> {item.title}
        </span>
      ) : item.status === 'done' ? (
        <>
          {item.durationMs > 0 ? duration(item.durationMs) : word}
          <span class="quiet hide-s last">{item.costUsd > 0 ? usd(item.costUsd) : ''}</span>
        </>
      ) : (
        word
      )}
    </button>
  );
}
