/** The dependency map. For a large plan only the neighbourhood of the selected item. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ItemView } from '../../src/view/index.ts';
import { Card, Segments } from '../parts/bits.tsx';
import { Seal } from '../parts/seal.tsx';
import { ITEMS } from '../parts/words.ts';
import { layoutMap, NODE_HEIGHT, neighbourhood } from './plan-map-layout.ts';

interface PlanMapProps {
  readonly rows: readonly ItemView[];
  readonly chosen: string | undefined;
  readonly choose: (item: string) => void;
  readonly shown: boolean;
  readonly show: (shown: boolean) => void;
}

/** The padding of the card, left and right of the map. */
const PADDING = 32;
/** More nodes cannot be read, and take long to lay out. */
const MOST = 150;

export function PlanMap({ rows, chosen, choose, shown, show }: PlanMapProps) {
  const some = useMemo(
    () => (rows.length <= MOST ? rows : chosen === undefined ? [] : neighbourhood(rows, chosen).slice(0, MOST)),
    [rows, rows.length <= MOST ? '' : chosen],
  );
  const hasEdges = rows.some(row => row.dependsOn.length > 0);
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const sized = new ResizeObserver(() => setRoom(element.clientWidth - PADDING));
    sized.observe(element);
    return () => sized.disconnect();
  }, [shown, some.length === 0, hasEdges]);
  const layout = useMemo(() => (shown ? layoutMap(some.map(withMended), room) : undefined), [some, shown, room]);
  if (!hasEdges || some.length === 0) return null;
  return (
    <Card
      title={rows.length > MOST ? `Around ${chosen ?? ''}` : 'What depends on what'}
      class="mapcard"
      end={
        <>
          {some.some(row => row.status === 'blocked') ? (
            <span class="legend">
              <span>
                <Seal name="halt" size={12} />
                dashed: cannot start until it is unblocked
              </span>
            </span>
          ) : null}
          <Segments
            label="Map"
            value={shown ? 'map' : 'off'}
            choose={value => show(value === 'map')}
            options={[
              ['map', 'Map'],
              ['off', 'Off'],
            ]}
          />
        </>
      }
    >
      {layout === undefined ? null : (
        <div class="dag" ref={box} tabIndex={0} role="region" aria-label="Map of dependencies">
          <svg
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            width={layout.width}
            height={layout.height}
            role="group"
            aria-label={`Dependencies of ${some.length} items`}
          >
            {layout.edges.map(({ from, to }) => (
              <path
                key={`${from.item.id}>${to.item.id}`}
                class={edgeClass(from.item, to.item)}
                d={curve(from, to, layout.nodeWidth)}
              />
            ))}
            {layout.nodes.map(({ item, x, y }) => (
              <Node
                key={item.id}
                item={item}
                x={x}
                y={y}
                width={layout.nodeWidth}
                choose={choose}
                isChosen={item.id === chosen}
              />
            ))}
          </svg>
        </div>
      )}
    </Card>
  );
}

/** A fix comes after the item it fixes. */
const withMended = (row: ItemView): ItemView =>
  row.mends === null ? row : { ...row, dependsOn: [...row.dependsOn, row.mends] };

function edgeClass(from: ItemView, to: ItemView): string {
  if (from.status === 'blocked' || (from.status === 'held' && to.status === 'held' && isStuck(from))) return 'e hot';
  return to.status === 'in-progress' ? 'e live' : 'e';
}

const isStuck = (item: ItemView): boolean => item.heldBy.length > 0 && /block/i.test(item.why);

interface Point {
  readonly x: number;
  readonly y: number;
}

function curve(from: Point, to: Point, width: number): string {
  const [x1, y1, x2, y2] = [from.x + width, from.y + NODE_HEIGHT / 2, to.x, to.y + NODE_HEIGHT / 2];
  const bend = Math.max(14, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

interface NodeProps {
  readonly item: ItemView;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly choose: (item: string) => void;
  readonly isChosen: boolean;
}

const CLASSES: Partial<Record<ItemView['status'], string>> = { 'in-progress': 'run', held: 'held', blocked: 'stop' };

function Node({ item, x, y, width, choose, isChosen }: NodeProps) {
  const [seal, word] = ITEMS[item.status];
  const left = 25 + Math.min(item.id.length, 10) * 6.4 + 6;
  return (
    <g
      class={`node ${CLASSES[item.status] ?? ''} ${isChosen ? 'sel' : ''}`}
      transform={`translate(${x} ${y})`}
      role="button"
      tabindex={0}
      onClick={() => choose(item.id)}
      onKeyDown={event => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          choose(item.id);
        }
      }}
    >
      <rect width={width} height={NODE_HEIGHT} rx="5" />
      <g transform="translate(7 7)">
        <Seal name={seal} size={12} label={word} />
      </g>
      <Clipped class="nid" x={25} width={left - 31} text={item.id} />
      <Clipped class="" x={left} width={width - left - 5} text={item.title} />
    </g>
  );
}

/** The approximate width of a letter at 11 px. */
const LETTER = 5.9;
const shortened = (text: string, width: number): string => {
  const most = Math.max(1, Math.floor(width / LETTER));
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
};

/** Text that is shortened to its width; the whole text is in its title. */
function Clipped({
  class: name,
  x,
  width,
  text,
}: {
  readonly class: string;
  readonly x: number;
  readonly width: number;
  readonly text: string;
}) {
  return (
    <svg x={x} y={0} width={Math.max(0, width)} height={NODE_HEIGHT}>
      <title>{text}</title>
      <text class={name} y="17" aria-hidden="true">
        {shortened(text, width)}
      </text>
    </svg>
  );
}
