/** Cost over the run, with the limits as lines. */
import type { SpendingPlot } from '../../src/view/index.ts';
import { clock, clockWithSeconds, tokens, usd } from '../parts/format.ts';
import { axis, levelLine, Plot } from './plot.tsx';

export function Spending({ plot }: { readonly plot: SpendingPlot }) {
  const { at, costUsd, limits, title, notionalUsd } = plot;
  const last = costUsd.at(-1) ?? 0;
  const used = plot.tokens.at(-1) ?? 0;
  const byTokens = last === 0 && used > 0;
  const values = byTokens ? plot.tokens : costUsd;
  const show = byTokens ? tokens : usd;
  const spread = (at.at(-1) ?? 0) - (at[0] ?? 0);
  const limit = byTokens ? undefined : limits.costUsd;
  return (
    <Plot
      title={title}
      words={`${usd(last)}, ${tokens(used)} tokens`}
      deps={[plot]}
      empty={at.length < 2 ? 'The line begins with the second iteration.' : undefined}
      draw={(colour, font) => {
        const top = Math.max(1e-9, ...values, isNear(limit, last) ? limit : 0) * 1.1;
        return {
          options: {
            scales: { y: { range: [0, top] } },
            axes: [
              axis(colour, font, { space: 60, values: (_, splits) => splits.map(each => timeOf(each, spread)) }),
              axis(colour, font, {
                size: 52,
                values: (_, splits) => splits.map(each => (byTokens ? tokens(each) : `$${+each.toFixed(2)}`)),
              }),
            ],
            series: [
              {},
              {
                label: byTokens ? 'tokens' : 'cost',
                stroke: colour.live,
                width: 2,
                points: { show: false },
                fill: colour['live-tint'],
                value: (_, value) => show(value),
              },
            ],
            hooks: {
              draw:
                limit === undefined
                  ? []
                  : [
                      levelLine(limit, `limit ${usd(limit)}: the run stops`, colour.no, [], font),
                      levelLine(limit * 0.8, '80 %', colour.wait, [4, 3], font),
                      levelLine(limit * 0.5, '50 %', colour['ink-3'], [2, 3], font),
                    ],
            },
          },
          data: [at.map(each => each / 1000), [...values]],
        };
      }}
    >
      {byTokens ? 'Tokens over the run; no price is known.' : `Cost over the run. ${limitWords(limit, last)}`}
      {notionalUsd > 0 ? ` No bill follows for ${usd(notionalUsd)} of it.` : ''}
    </Plot>
  );
}

/** A limit far above the line would flatten the plot, so it is only named. */
const isNear = (limit: number | undefined, last: number): limit is number => limit !== undefined && limit <= 4 * last;

function limitWords(limit: number | undefined, last: number): string {
  if (limit === undefined) return 'No limit is recorded.';
  const messages = 'Messages are sent at 50 and 80 % of the limit.';
  return isNear(limit, last) ? messages : `The limit of ${usd(limit)} is far above the line. ${messages}`;
}

/** Seconds are shown only for a short period. */
function timeOf(seconds: number, spread: number): string {
  const at = seconds * 1000;
  return spread > 600_000 ? clock(at) : clockWithSeconds(at);
}
