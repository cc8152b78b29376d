/** A plot whose title states its finding. It is drawn on a canvas; a table under it has the same data for screen readers. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { type Colours, colours } from '../parts/colours.ts';

export interface Drawing {
  readonly options: Omit<uPlot.Options, 'width' | 'height'>;
  readonly data: uPlot.AlignedData;
}

interface PlotProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The last values, in words. */
  readonly words: string;
  /** Called again when `data` or the colour scheme changes. */
  readonly draw: (colours: Colours, font: string) => Drawing;
  readonly deps: readonly unknown[];
  readonly empty?: string | undefined;
  /** How an estimate is computed. */
  readonly how?: string;
}

const HEIGHT = 236;

export function Plot({ title, children, words, draw, deps, empty, how }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const told = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (empty !== undefined || !box.current) return undefined;
    const element = box.current;
    let plot: uPlot | undefined;
    const make = () => {
      plot?.destroy();
      const font = `11px ${getComputedStyle(document.body).fontFamily}`;
      const { options, data } = draw(colours(), font);
      plot = new uPlot(
        { ...base, ...options, plugins: [hover(told.current)], width: element.clientWidth, height: HEIGHT },
        data,
        element,
      );
    };
    make();
    const sized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', make);
    return () => {
      dark.removeEventListener('change', make);
      sized.disconnect();
      plot?.destroy();
    };
  }, deps);
  return (
    <article class="card plot">
      <div class="in">
        <h2>{title}</h2>
        <p>{children}</p>
        {empty === undefined ? (
          <div class="u" ref={box} role="img" aria-label={`${title}. ${words}`} />
        ) : (
          <p class="quiet none">{empty}</p>
        )}
        <p class="told quiet" ref={told} aria-hidden="true" />
        {how === undefined ? null : (
          <details>
            <summary>How it is estimated</summary>
            <p>{how}</p>
          </details>
        )}
      </div>
    </article>
  );
}

const base = {
  legend: { show: false },
  cursor: { y: false, points: { size: 6 } },
  padding: [14, 12, 0, 0] as [number, number, number, number],
};

/** Shows the values under the pointer as text below the plot; names are never interpreted as HTML. */
function hover(told: HTMLElement | null): uPlot.Plugin {
  return {
    hooks: {
      setCursor: plot => {
        if (!told) return;
        const { idx } = plot.cursor;
        if (idx == null) {
          told.textContent = '';
          return;
        }
        const x = plot.data[0]?.[idx];
        const at = plot.scales['x']?.time === false ? `#${x ?? ''}` : new Date((x ?? 0) * 1000).toLocaleTimeString();
        const values = plot.series.slice(1).flatMap((series, index) => {
          const value = plot.data[index + 1]?.[idx];
          return value == null
            ? []
            : [
                `${typeof series.label === 'string' ? series.label : ''} ${typeof series.value === 'function' ? String(series.value(plot, value, index + 1, idx)) : value}`,
              ];
        });
        told.textContent = [at, ...values].join(' · ');
      },
    },
  };
}

export const axis = (colour: Colours, font: string, more: uPlot.Axis = {}): uPlot.Axis => ({
  size: 26,
  stroke: colour['ink-3'],
  font,
  grid: { stroke: colour.line, width: 1 },
  ticks: { show: false },
  gap: 4,
  ...more,
});

/** A labelled line for a limit. */
export function levelLine(value: number, name: string, colour: string, dash: readonly number[], font: string) {
  return (plot: uPlot): void => {
    const y = plot.valToPos(value, 'y', true);
    const k = devicePixelRatio;
    const { ctx, bbox } = plot;
    if (y < bbox.top) return;
    ctx.save();
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.5 * k;
    ctx.setLineDash(dash.map(each => each * k));
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
    write(plot, { x: bbox.left + 6 * k, y: y - 6 * k, text: name, colour, font });
  };
}

interface Written {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly colour: string;
  readonly font: string;
  readonly align?: CanvasTextAlign;
}

export function write({ ctx }: uPlot, { x, y, text, colour, font, align = 'left' }: Written): void {
  ctx.save();
  ctx.font = `600 ${font.replace(/^11px/, `${11 * devicePixelRatio}px`)}`;
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.fillText(text, x, y);
  ctx.restore();
}

/** Writes the name of a series beside its line, at some point along it. */
export function nameAt(series: number, part: number, options: Omit<Written, 'x' | 'y'>) {
  return (plot: uPlot): void => {
    const values = plot.data[series] ?? [];
    const xs = plot.data[0] ?? [];
    const wanted = Math.min(values.length - 1, Math.floor(values.length * part));
    const index = values[wanted] == null ? values.findIndex(value => value != null) : wanted;
    const [x, y] = [xs[index], values[index]];
    if (x == null || y == null) return;
    const k = devicePixelRatio;
    const scale = plot.series[series]?.scale ?? 'y';
    write(plot, { ...options, x: plot.valToPos(x, 'x', true), y: plot.valToPos(y, scale, true) - 8 * k });
  };
}
