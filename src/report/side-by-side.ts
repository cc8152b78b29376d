/** Several runs at once: on a terminal one updated line per run; in a log each line with the name of its run. */
import type { Event, EventSink } from '../events.ts';
import { showCost, showDuration } from '../util/show.ts';
import { lineReporter } from './lines.ts';
import { bar, tally } from './progress.ts';
import { describeStop } from './sentences.ts';
import { painter, say } from './style.ts';
import { displayWidth, fit } from './width.ts';

export interface SideBySideOptions {
  readonly names: readonly string[];
  readonly write: (text: string) => void;
  readonly color: boolean;
  /** The width of the terminal, read for each frame; undefined if the output is a log. */
  readonly columns?: (() => number) | undefined;
  readonly verbose?: boolean | undefined;
}

export interface SideBySide {
  readonly sink: (name: string) => EventSink;
  /** Prints a message about one run that is not an event. */
  say(name: string, text: string): void;
  close(): void;
}

const FRAME_MS = 1_000;
const BAR = 10;

export function sideBySide(options: SideBySideOptions): SideBySide {
  return options.columns ? onTerminal(options, options.columns) : inLog(options);
}

const widest = (names: readonly string[]): number => Math.max(...names.map(displayWidth), 1);

/** Prefixes every line with the name of its run. */
function inLog({ names, write, color, verbose }: SideBySideOptions): SideBySide {
  const width = widest(names);
  const put = (name: string, text: string) => {
    for (const line of text.trimEnd().split('\n')) write(`${name.padEnd(width)} | ${line}\n`);
  };
  return {
    sink: name => lineReporter({ write: text => put(name, text), color, verbose }),
    say: put,
    close: () => undefined,
  };
}

interface Row {
  readonly plan: ReturnType<typeof tally>;
  doing: string;
  since: number;
  costUsd: number;
  over: boolean;
}

function onTerminal(options: SideBySideOptions, columns: () => number): SideBySide {
  const { names, write, color } = options;
  const paint = painter({ color });
  const width = Math.min(widest(names), 24);
  const rows = new Map<string, Row>();
  for (const name of names) {
    rows.set(name, { plan: tally(), doing: 'starting', since: Date.now(), costUsd: 0, over: false });
  }
  let shown = 0;
  let pending: string[] = [];
  const lineOf = (name: string, { plan, doing, since, costUsd, over }: Row): string => {
    const at = plan.progress();
    const done = at ? `${bar(at, BAR, paint)} ${at.done}/${at.total}` : ' '.repeat(BAR);
    const spent = costUsd > 0 ? `  ${showCost(costUsd)}` : '';
    const time = over ? '' : `  ${showDuration(Date.now() - since)}`;
    return `${fit(name, width).padEnd(width)}  ${done}  ${doing}${time}${spent}`;
  };
  const frame = () => {
    const room = Math.max(1, columns() - 1);
    const next = [...rows].map(([name, row]) => fit(lineOf(name, row), room));
    const up = shown > 0 ? `\r\x1b[${shown}A` : '\r';
    write(`${up}\x1b[J${[...pending, ...next].map(line => `${line}\n`).join('')}`);
    shown = next.length;
    pending = [];
  };
  const ticker = setInterval(frame, FRAME_MS).unref();
  return {
    sink: name => event => {
      const row = rows.get(name);
      if (row) see(row, event, Date.now());
      if (isTold(event)) frame();
    },
    say: (name, text) => {
      const row = rows.get(name);
      pending.push(...text.split('\n').map(line => `${name}: ${say(line)}`));
      if (row) row.over = true;
      frame();
    },
    close: () => {
      clearInterval(ticker);
      frame();
    },
  };
}

const isTold = ({ type }: Event): boolean =>
  ['plan.read', 'iteration.started', 'gate.started', 'iteration.finished', 'wait.started', 'run.finished'].includes(
    type,
  );

function see(row: Row, event: Event, now: number): void {
  row.plan.see(event);
  const doing = doingOf(event);
  if (doing !== undefined) Object.assign(row, { doing, since: now });
  if (event.type === 'agent.finished') row.costUsd += event.costUsd;
  if (event.type === 'run.finished') row.over = true;
}

function doingOf(event: Event): string | undefined {
  switch (event.type) {
    case 'iteration.started':
      return `${say(event.item)}, attempt ${event.attempt}`;
    case 'gate.started':
      return `gate ${say(event.name)}`;
    case 'iteration.finished':
      return `${say(event.item)} ${event.verdict}`;
    case 'wait.started':
      return `waits: ${say(event.why)}`;
    case 'run.finished':
      return say(describeStop(event.reason, event.why));
    default:
      return undefined;
  }
}
