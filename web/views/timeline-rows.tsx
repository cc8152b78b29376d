/** One line per iteration: for one item, and for a closer look. */
import { useMemo } from 'preact/hooks';
import { clock, clockWithSeconds, cost } from '../parts/format.ts';
import { Seal } from '../parts/seal.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { VERDICTS } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import type { Piece } from './timeline-pieces.ts';

const HEIGHT = 21;
const STEPS = [10_000, 30_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 10_800_000, 43_200_000, 86_400_000];

export function Rows({ pieces, run }: { readonly pieces: readonly Piece[]; readonly run: string }) {
  const rows = useMemo(() => pieces.filter(piece => piece.verdict !== undefined), [pieces]);
  const from = pieces[0]?.start ?? 0;
  const to = Math.max(from + 1, ...[pieces.at(-1)?.end ?? 0]);
  const x = (at: number) => (((at - from) / (to - from)) * 100).toFixed(3);
  const step = STEPS.find(each => (to - from) / each <= 9) ?? 86_400_000;
  const ticks = Array.from(
    { length: Math.floor((to - from) / step) + 1 },
    (_, index) => Math.ceil(from / step) * step + index * step,
  ).filter(at => at <= to);
  return (
    <div class="rowmode">
      <div class="gantt axisrow" aria-hidden="true">
        <span />
        <div class="axis">
          {ticks.map(at => (
            <span key={at} style={{ '--x': x(at) }}>
              {step < 60_000 ? clockWithSeconds(at) : clock(at)}
            </span>
          ))}
        </div>
        <span />
      </div>
      <Windowed
        items={rows}
        rowHeight={HEIGHT}
        render={piece => <Row key={`${piece.n}/${piece.start}`} piece={piece} x={x} span={to - from} run={run} />}
      >
        {(shown, above, below) => (
          <div class="gantt">
            <div class="gap" style={{ height: `${above}px` }} />
            {shown}
            <div class="gap" style={{ height: `${below}px` }} />
          </div>
        )}
      </Windowed>
    </div>
  );
}

interface RowProps {
  readonly piece: Piece;
  readonly x: (at: number) => string;
  readonly span: number;
  readonly run: string;
}

function Row({ piece, x, span, run }: RowProps) {
  const [seal, word] = VERDICTS[piece.verdict ?? 'open'];
  const [agent, gates, proof] = piece.parts;
  return (
    <a class="g" href={hrefOf({ view: 'iteration', run, iteration: piece.n ?? 1 })} title={piece.label}>
      <span class="lab">
        <span class="quiet mono number">{piece.n}</span>
        <Seal name={seal} size={12} label={word} />
        <span class="id">{piece.item}</span>
        <span>
          {piece.attempt > 1 ? <span class="try">×{piece.attempt} </span> : null}
          {piece.title}
        </span>
      </span>
      <span class="lane">
        <span
          class={`bar2 ${piece.class}`}
          style={{ '--x': x(piece.start), '--w': (((piece.end - piece.start) / span) * 100).toFixed(3) }}
        >
          {piece.verdict === 'open' ? (
            <i style={{ '--f': '1' }} />
          ) : (
            <>
              <i style={{ '--f': String(agent) }} />
              {gates > 0 ? <i class="gt" style={{ '--f': String(gates) }} /> : null}
              {proof > 0 ? <i class="pf" style={{ '--f': String(proof) }} /> : null}
            </>
          )}
        </span>
      </span>
      <span class="cost">{cost(piece.costUsd)}</span>
    </a>
  );
}
