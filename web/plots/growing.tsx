/** Fresh contexts compared with one growing session. */
import type { GrowingPlot } from '../../src/view/index.ts';
import { tokens } from '../parts/format.ts';
import { axis, nameAt, Plot } from './plot.tsx';

export function Growing({ plot }: { readonly plot: GrowingPlot }) {
  const { n, fresh, growing, formula, title } = plot;
  return (
    <Plot
      title={title}
      words={`fresh context ${tokens(fresh.at(-1) ?? 0)}, one growing session ${tokens(growing.at(-1) ?? 0)} tokens`}
      deps={[plot]}
      how={formula}
      empty={n.length < 2 ? 'The lines begin with the second iteration.' : undefined}
      draw={(colour, font) => ({
        options: {
          scales: { x: { time: false } },
          axes: [
            axis(colour, font, {
              values: (_, splits) => splits.map(each => (Number.isInteger(each) ? `#${each}` : '')),
            }),
            axis(colour, font, { size: 48, values: (_, splits) => splits.map(tokens) }),
          ],
          series: [
            {},
            {
              label: 'fresh context',
              stroke: colour.ok,
              width: 2.5,
              points: { show: false },
              value: (_, value) => tokens(value),
            },
            {
              label: 'one growing session',
              stroke: colour.no,
              width: 2,
              dash: [6, 4],
              points: { show: false },
              value: (_, value) => tokens(value),
            },
          ],
          hooks: {
            draw: [
              nameAt(1, 0.97, { text: 'fresh context', colour: colour.ok, font, align: 'right' }),
              nameAt(2, 0.74, { text: 'one growing session (estimate)', colour: colour.no, font, align: 'right' }),
            ],
          },
        },
        data: [[...n], [...fresh], [...growing]],
      })}
    >
      Tokens read; the dashed line is an estimate.
    </Plot>
  );
}
