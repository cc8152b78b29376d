/** How long each gate and the proof took, per iteration. */
import type uPlot from 'uplot';
import type { GatesPlot } from '../../src/view/index.ts';
import { duration } from '../parts/format.ts';
import { axis, nameAt, Plot } from './plot.tsx';

const DASHES = [[], [5, 3], [2, 3], [8, 3, 2, 3]];

export function GateTimes({ plot }: { readonly plot: GatesPlot }) {
  const { names, n, ms, proofMs, title } = plot;
  const seconds = (list: readonly (number | null)[]) => list.map(each => (each === null ? null : each / 1000));
  const hasProof = proofMs.some(each => each !== null && each > 0);
  const words = names
    .map((name, index) => `${name} ${duration(ms[index]?.findLast(each => each !== null) ?? 0)}`)
    .join(', ');
  return (
    <Plot
      title={title}
      words={`Last: ${words}`}
      deps={[plot]}
      empty={
        n.length < 2 || names.length === 0 ? 'The lines begin with the second iteration that has gates.' : undefined
      }
      draw={(colour, font) => {
        const strokes = [colour.live, colour.wait, colour.halt, colour.no];
        const lines = names.map(
          (name, index): uPlot.Series => ({
            label: name,
            stroke: strokes[index % strokes.length] ?? colour.ink,
            width: 2,
            dash: [...(DASHES[index % DASHES.length] ?? [])],
            spanGaps: true,
            points: { show: false },
            value: (_, value) => duration(value * 1000),
          }),
        );
        return {
          options: {
            scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(0.1, most) * 1.15] } },
            axes: [
              axis(colour, font, {
                values: (_, splits) => splits.map(each => (Number.isInteger(each) ? `#${each}` : '')),
              }),
              axis(colour, font, { size: 48, values: (_, splits) => splits.map(each => `${+each.toFixed(2)}s`) }),
            ],
            series: [
              {},
              {
                label: 'proof',
                stroke: colour.ink,
                width: 2,
                spanGaps: true,
                points: { show: false },
                show: hasProof,
                value: (_, value) => duration(value * 1000),
              },
              ...lines,
            ],
            hooks: {
              draw: [
                ...(hasProof ? [nameAt(1, 0.15, { text: 'proof', colour: colour.ink, font })] : []),
                ...names.map((name, index) =>
                  nameAt(index + 2, 0.2 + 0.25 * index, {
                    text: name,
                    colour: strokes[index % strokes.length] ?? colour.ink,
                    font,
                  }),
                ),
              ],
            },
          },
          data: [[...n], seconds(proofMs), ...ms.map(seconds)] as uPlot.AlignedData,
        };
      }}
    >
      Seconds per iteration.
    </Plot>
  );
}
