/** Iterations per item from run to run, with the lessons gained. */
import uPlot from 'uplot';
import type { CompoundingPlot } from '../../src/view/index.ts';
import { axis, Plot, write } from './plot.tsx';

export function Compounding({ plot: { runs: all, title } }: { readonly plot: CompoundingPlot }) {
  const runs = all.filter(run => run.perItem !== null).slice(-8);
  const places = runs.map((_, index) => index);
  const lessons = runs.map((run, index) => {
    const before = all.slice(0, all.indexOf(run) + 1);
    return index >= 0 ? before.reduce((sum, each) => sum + each.lessonsGained - (each.lessonsRetired ?? 0), 0) : 0;
  });
  const words = runs.map(run => `${run.name} ${run.perItem?.toFixed(2)}`).join(', ');
  return (
    <Plot
      title={title}
      words={`Iterations per item: ${words}`}
      deps={[all]}
      empty={runs.length < 2 ? 'With the second run there is something to compare.' : undefined}
      draw={(colour, font) => {
        const most = Math.max(...runs.map(run => run.perItem ?? 0), 1);
        const k = devicePixelRatio;
        return {
          options: {
            scales: {
              x: { time: false, range: [-0.5, runs.length - 0.5] },
              y: { range: [0, most * 1.35] },
              l: { range: [0, Math.max(1, ...lessons) * 3.2] },
            },
            axes: [
              axis(colour, font, {
                splits: () => [...places],
                values: () => runs.map(run => run.name.slice(0, 14)),
                grid: { show: false },
              }),
              axis(colour, font, { size: 38, values: (_, splits) => splits.map(each => each.toFixed(1)) }),
            ],
            series: [
              {},
              {
                label: 'lessons in use',
                scale: 'l',
                fill: colour.line,
                stroke: colour.idle,
                width: 1,
                points: { show: false },
                ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.42, 60] }) }),
              },
              {
                label: 'iterations per item',
                stroke: colour.ink,
                width: 2,
                points: { show: true, size: 9, fill: colour.sheet, stroke: colour.ink, width: 2 },
              },
            ],
            hooks: {
              draw: [
                drawn => {
                  runs.forEach((run, index) => {
                    const x = drawn.valToPos(index, 'x', true);
                    const per = run.perItem ?? 0;
                    write(drawn, {
                      x,
                      y: drawn.valToPos(per, 'y', true) - 10 * k,
                      text: per.toFixed(2),
                      colour: colour.ink,
                      font,
                      align: 'center',
                    });
                    const retired = run.lessonsRetired ? ` −${run.lessonsRetired}` : '';
                    const text = `${lessons[index]} (+${run.lessonsGained}${retired})`;
                    write(drawn, {
                      x,
                      y: drawn.valToPos(lessons[index] ?? 0, 'l', true) - 6 * k,
                      text,
                      colour: colour['ink-2'],
                      font,
                      align: 'center',
                    });
                  });
                },
              ],
            },
          },
          data: [[...places], lessons, runs.map(run => run.perItem)],
        };
      }}
    >
      Dots: iterations per item in each run. Bars: lessons in use; gained and retired are named.
    </Plot>
  );
}
