/** Plain lines, for logs, pipes and CI. */
import type { EventSink } from '../events.ts';
import { type ClockTime, localTime, renderLine } from './layout.ts';
import { narrator } from './narrate.ts';
import type { EndLimits } from './sentences.ts';
import { painter } from './style.ts';

export interface LineReporterOptions {
  readonly write: (text: string) => void;
  readonly color: boolean;
  readonly clockTime?: ClockTime | undefined;
  /** The limits in force, so that a kill can name the one that was exceeded. */
  readonly limits?: EndLimits | undefined;
  /** Show every step of the agent. */
  readonly verbose?: boolean | undefined;
  /** Everything is about one iteration. */
  readonly alone?: boolean | undefined;
  /** Wrap to this many columns; if absent, lines are not wrapped. */
  readonly columns?: number | undefined;
}

/** Writes one line for each event that a person should see. */
export function lineReporter(options: LineReporterOptions): EventSink {
  const { write, color, clockTime = localTime, limits, verbose, alone, columns } = options;
  const paint = painter({ color });
  const narrate = narrator({ paint, clockTime, limits, verbose, alone });
  return (event, at) => {
    const lines = narrate(event, at).flatMap(line => renderLine(line, { paint, clockTime, columns }));
    if (lines.length > 0) write(`${lines.join('\n')}\n`);
  };
}
