/** The timeline as a page: from left to right, then the next line. */
import { useMemo } from 'preact/hooks';
import { clock, moment } from '../parts/format.ts';
import { Seal } from '../parts/seal.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { VERDICTS } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { type Line, linesOf, type Piece } from './timeline-pieces.ts';

interface HoursProps {
  readonly pieces: readonly Piece[];
  readonly length: number;
  readonly run: string;
}

const HEIGHT = 62;
/** Narrower bars, in percent of the line, have no room for a seal, and their parts cannot be distinguished. */
const NAMED = 1.1;

export function Hours({ pieces, length, run }: HoursProps) {
  const lines = useMemo(() => linesOf(pieces, length, startOf(pieces, length)), [pieces, length]);
  return (
    <Windowed
      items={lines}
      rowHeight={HEIGHT}
      render={line => <HourLine key={`${line.at}/${line.worker}`} line={line} length={length} run={run} />}
    >
      {(rows, above, below) => (
        <div class="hours">
          <div style={{ height: `${above}px` }} />
          {rows}
          <div style={{ height: `${below}px` }} />
        </div>
      )}
    </Windowed>
  );
}

/** Lines begin at full hours of the local time; short lines begin at the first bar. */
function startOf(pieces: readonly Piece[], length: number): number {
  const first = pieces[0]?.start ?? 0;
  if (length < 900_000) return first;
  const date = new Date(first);
  return new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    length > 3_600_000 ? 0 : date.getHours(),
  ).getTime();
}

function HourLine({ line, length, run }: { readonly line: Line; readonly length: number; readonly run: string }) {
  return (
    <div class="hour">
      <time dateTime={new Date(line.at).toISOString()} title={moment(line.at)}>
        <span class={line.isFirst ? '' : 'vh'}>{clock(line.at)}</span>
        {line.worker === 0 ? null : <small>worker {line.worker}</small>}
      </time>
      <div class="line">
        {line.pieces.map((piece, index) => (
          <Block key={index} piece={piece} at={line.at} length={length} run={run} />
        ))}
      </div>
    </div>
  );
}

interface BlockProps {
  readonly piece: Piece;
  readonly at: number;
  readonly length: number;
  readonly run: string;
}

function Block({ piece, at, length, run }: BlockProps) {
  const from = Math.max(piece.start, at);
  const to = Math.min(piece.end, at + length);
  const width = ((to - from) / length) * 100;
  const isFirst = piece.start >= at;
  const isNamed = isFirst && width > NAMED;
  const style = { '--x': (((from - at) / length) * 100).toFixed(3), '--w': width.toFixed(3) };
  const inside = (
    <>
      <span class="bar3">{width > NAMED ? partsOf(piece, from, to) : <i style={{ '--f': '1' }} />}</span>
      {isNamed ? (
        <span class="nm" aria-hidden="true">
          <Name piece={piece} />
        </span>
      ) : null}
    </>
  );
  if (piece.n === undefined) {
    return (
      <span class={`blk ${piece.class}`} style={style} title={piece.label} role="img" aria-label={piece.label}>
        {inside}
      </span>
    );
  }
  return (
    <a
      href={hrefOf({ view: 'iteration', run, iteration: piece.n })}
      class={`blk ${piece.class}`}
      style={style}
      title={piece.label}
      {...(isNamed ? {} : { 'aria-label': piece.label })}
      tabIndex={isFirst ? 0 : -1}
    >
      {isNamed ? <span class="vh">{piece.label}</span> : null}
      {inside}
    </a>
  );
}

/** The label of a bar. If it does not fit, it wraps to the next line, which is hidden. */
function Name({ piece }: { readonly piece: Piece }) {
  const seal = piece.verdict === undefined ? (piece.n === undefined ? 'wait' : undefined) : VERDICTS[piece.verdict][0];
  return (
    <>
      {seal === undefined ? null : <Seal name={seal} size={10} />}
      {piece.item === '' ? null : (
        <span class="id">
          {piece.item}
          {piece.attempt > 1 ? <span class="quiet"> ×{piece.attempt}</span> : null}
        </span>
      )}
      <span class="title">{piece.title}</span>
    </>
  );
}

const NAMES = ['', 'gt', 'pf'] as const;

/** The parts (agent, gates, proof) within this line. */
function partsOf(piece: Piece, from: number, to: number) {
  if (piece.verdict === 'open') return <i style={{ '--f': '1' }} />;
  let at = piece.start;
  return piece.parts.map((length, index) => {
    const [a, b] = [Math.max(at, from), Math.min(at + length, to)];
    at += length;
    return b - a < 1 ? null : (
      <i key={index} class={NAMES[index] ?? ''} style={{ '--f': ((b - a) / 1000).toFixed(2) }} />
    );
  });
}
