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
  /** The limits in force, so that a kill can name the one that was hit. */
  readonly limits?: EndLimits | undefined;
}

/** Writes one line for each thing a person cares about. */
export function lineReporter({ write, color, clockTime = localTime, limits }: LineReporterOptions): EventSink {
  const paint = painter({ color });
  const narrate = narrator({ paint, clockTime, limits });
  return (event, at) => {
    const lines = narrate(event, at).flatMap(line => renderLine(line, { paint, clockTime }));
    if (lines.length > 0) write(`${lines.join('\n')}\n`);
  };
}
