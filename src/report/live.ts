/**
 * The view for a terminal: permanent lines scroll by, and a small block below them is rewritten in place.
 *
 * The cursor always rests on the line after the block, so a crash at any moment leaves a usable terminal: nothing is
 * hidden, no terminal mode is set, and there is nothing to restore except the block itself.
 */
import type { Event, EventSink } from '../events.ts';
import type { Clock } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { type ClockTime, localTime, renderLine } from './layout.ts';
import { type LiveBlockOptions, type LiveLimits, liveBlock } from './live-block.ts';
import { narrator } from './narrate.ts';
import { painter } from './style.ts';
import { displayWidth } from './width.ts';

export interface LiveStream {
  write(text: string): unknown;
  /** Read again for each frame, so that a resize is noticed. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export interface LiveReporterOptions {
  readonly stream: LiveStream;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly color: boolean;
  readonly limits?: LiveLimits | undefined;
  /** The state a resumed run starts from. */
  readonly from?: LiveBlockOptions['from'] | undefined;
  readonly clockTime?: ClockTime | undefined;
  /** Show every step of the agent among the permanent lines. */
  readonly verbose?: boolean | undefined;
}

export interface LiveReporter {
  readonly sink: EventSink;
  /** Removes the block while something else (a question, a pager) uses the terminal; call the result to continue. */
  hold(): () => void;
  /** Writes the remaining lines and removes the block. */
  close(): void;
}

const FRAME_MS = 100;
const TICK_MS = 1000;
const FRESH = { usage: noUsage, costUsd: 0, activeMs: 0, iterations: 0 };

export function liveReporter({
  stream,
  clock,
  color,
  limits = {},
  from = FRESH,
  clockTime = localTime,
  verbose,
}: LiveReporterOptions): LiveReporter {
  const paint = painter({ color });
  const narrate = narrator({ paint, clockTime, limits, verbose });
  const block = liveBlock({ clock, paint, clockTime, limits, from, steps: verbose ? 1 : undefined });
  let shown: readonly string[] = [];
  let pending: string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawnIn = usableOf(stream);
  let holds = 0;
  let over = false;
  let ticker: NodeJS.Timeout | undefined;
  let trailing: NodeJS.Timeout | undefined;

  const frame = (): void => {
    clearTimeout(trailing);
    trailing = undefined;
    drawnAt = clock.monotonic();
    const columns = usableOf(stream);
    const next = over || holds > 0 ? [] : withinRows(['', ...block.lines(columns)], stream.rows);
    if (pending.length === 0 && sameLines(next, shown)) return;
    // A terminal remembers which rows it has wrapped, also when they are overwritten, and joins them when it gets wider.
    const isAnew = pending.length > 0 || columns !== drawnIn;
    stream.write(isAnew ? scroll(next, columns) : rewrite(next, columns));
    drawnIn = columns;
    shown = next;
    pending = [];
  };

  /** Moves to the top of the block. A narrower terminal rewraps the screen, so one line may have become several rows. */
  const toTop = (columns: number): string => {
    const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / (columns + 1))), 0);
    return rows > 0 ? `\r\x1b[${rows}A` : '\r';
  };
  const scroll = (next: readonly string[], columns: number) =>
    `${toTop(columns)}\x1b[J${[...pending, ...next].map(line => `${line}\n`).join('')}`;
  // Overwrite each line, then erase its rest: so nothing flickers.
  const rewrite = (next: readonly string[], columns: number) =>
    `${toTop(columns)}${next.map(line => `${line}\x1b[K\n`).join('')}\x1b[J`;

  const request = (): void => {
    const wait = FRAME_MS - (clock.monotonic() - drawnAt);
    if (wait <= 0) frame();
    else trailing ??= setTimeout(frame, wait).unref();
  };

  const stop = (): void => {
    over = true;
    clearInterval(ticker);
    frame();
  };

  return {
    sink(event: Event, at: number) {
      block.see(event);
      for (const line of narrate(event, at)) {
        pending.push(...renderLine(line, { paint, clockTime, columns: usableOf(stream) }));
      }
      if (event.type === 'run.finished' || over) return stop();
      ticker ??= setInterval(frame, TICK_MS).unref();
      request();
    },
    hold() {
      holds += 1;
      frame();
      let released = false;
      return () => {
        if (released) return;
        released = true;
        holds -= 1;
        frame();
      };
    },
    close: stop,
  };
}

/** After a write to the last column the cursor is between two rows, and terminals treat that differently. */
const usableOf = ({ columns }: LiveStream): number => Math.max(1, (columns || 80) - 1);

/** A block taller than the screen could not be erased; the first lines matter most. */
function withinRows(lines: readonly string[], rows: number | undefined): readonly string[] {
  return rows === undefined || rows <= 0 ? lines : lines.slice(0, Math.max(0, rows - 1));
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
