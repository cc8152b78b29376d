/** The tape: position, overview and navigation in 34 px. One tab stop; the arrow keys move inside it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView, TimelineView } from '../../src/view/index.ts';
import { go, hrefOf } from '../route.ts';
import { drawTape } from './tape-canvas.ts';
import { marksOf, marksOfLetters, openItems, type TapeMark } from './tape-marks.ts';

/** More marks than this are drawn on a canvas: so many links neither fit nor are fast. */
const MOST_LINKS = 220;
const MOST_DOTS = 40;

interface TapeProps {
  readonly run: RunView;
  readonly timeline: TimelineView | undefined;
  readonly current: number | undefined;
}

export function Tape({ run, timeline, current }: TapeProps) {
  const { tape, scale } = run.fullTape;
  const marks = timeline && run.iterations <= MOST_LINKS ? marksOf(timeline) : marksOfLetters(tape, scale);
  if (marks.length > MOST_LINKS) return <TapeCanvas run={run} marks={marks} current={current} scale={scale} />;
  return <TapeLinks run={run} marks={marks} current={current} />;
}

interface MarksProps {
  readonly run: RunView;
  readonly marks: readonly TapeMark[];
  readonly current: number | undefined;
}

function TapeLinks({ run, marks, current }: MarksProps) {
  const box = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState<number>();
  const at =
    focused ?? Math.max(0, current === undefined ? marks.length - 1 : marks.findIndex(mark => mark.n === current));
  const move = (event: KeyboardEvent) => {
    const to = target(event.key, at, marks.length);
    if (to === undefined) return;
    event.preventDefault();
    setFocused(to);
    box.current?.querySelectorAll<HTMLElement>('a')[to]?.focus();
  };
  return (
    <nav class="tape" aria-label="All iterations of this run" ref={box} onKeyDown={move}>
      {marks.map((mark, index) => (
        <a
          key={index}
          class={mark.class}
          style={{ '--w': mark.weight.toFixed(3) }}
          href={hrefOf({ view: 'iteration', run: run.id, iteration: mark.n })}
          title={mark.label}
          aria-label={mark.label}
          tabIndex={index === at ? 0 : -1}
          aria-current={mark.n === current && mark.verdict !== undefined ? 'true' : undefined}
          onFocus={() => setFocused(index)}
        />
      ))}
      {Array.from({ length: Math.min(MOST_DOTS, openItems(run)) }, (_, index) => (
        <i key={`t${index}`} class="todo" />
      ))}
    </nav>
  );
}

function target(key: string, at: number, length: number): number | undefined {
  if (key === 'ArrowRight') return Math.min(length - 1, at + 1);
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : undefined;
}

function TapeCanvas({ run, marks, current, scale }: MarksProps & { readonly scale: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [focused, setFocused] = useState<number>();
  const shown = focused ?? (current === undefined ? marks.length - 1 : Math.floor((current - 1) / scale));
  const at = Math.min(Math.max(0, shown), marks.length - 1);
  useEffect(() => {
    const draw = () => {
      if (canvas.current) drawTape(canvas.current, marks, focused ?? (current === undefined ? undefined : at));
    };
    draw();
    addEventListener('resize', draw);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      removeEventListener('resize', draw);
      dark.removeEventListener('change', draw);
    };
  });
  const open = (index: number) => {
    const mark = marks[index];
    if (mark) go({ view: 'iteration', run: run.id, iteration: Math.min(mark.n, run.iterations) });
  };
  return (
    <div class="tape many">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-label="All iterations of this run; Enter opens one"
        aria-valuemin={1}
        aria-valuemax={run.iterations}
        aria-valuenow={marks[at]?.n ?? 1}
        aria-valuetext={marks[at]?.label ?? ''}
        title={marks[at]?.label ?? ''}
        onKeyDown={event => {
          const to = target(event.key, at, marks.length);
          if (to !== undefined) setFocused(to);
          else if (event.key === 'Enter') open(at);
          else return;
          event.preventDefault();
        }}
        onPointerMove={event => setFocused(indexAt(event, marks.length))}
        onPointerLeave={() => setFocused(undefined)}
        onClick={event => open(indexAt(event, marks.length))}
      />
    </div>
  );
}

function indexAt(event: MouseEvent, length: number): number {
  const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return Math.min(length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * length)));
}

interface MiniProps {
  readonly tape: string;
  readonly scale: number;
}

/** The same strip, small and not interactive. */
export function MiniTape({ tape, scale }: MiniProps) {
  const count = (letter: string) => [...tape].filter(each => each === letter).length;
  const more = scale > 1 ? `, each mark the worst of ${scale} iterations` : '';
  return (
    <div
      class="mini"
      role="img"
      aria-label={`${count('a')} accepted, ${count('r')} refused, ${count('b')} blocked${more}`}
    >
      {marksOfLetters(tape, scale).map((mark, index) => (
        <i key={index} class={mark.class} />
      ))}
    </div>
  );
}
