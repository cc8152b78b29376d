/** `ralph run` */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Overrides } from '../config/index.ts';
import type { EventSink } from '../events.ts';
import { isOwnSession, Stopper } from '../process/index.ts';
import {
  jsonReporter,
  type LiveReporter,
  lineReporter,
  liveReporter,
  type RefusedLine,
  type SummaryOptions,
  summaryText,
  wrapText,
} from '../report/index.ts';
import { type RunOptions, type RunResult, run as runPlan } from '../run.ts';
import { systemClock } from '../util/clock.ts';
import type { Failure } from '../util/result.ts';
import { askPerson } from './ask.ts';
import { type Call, type Handler, numberFlag, switchFlag, textFlag } from './command.ts';
import { canRedraw, columnsOf, complain, leave, note, print, wantsColor } from './print.ts';
import { resetFirst, targetOf } from './run-target.ts';
import { onSignals, onSuspend } from './signals.ts';
import { smallHeap } from './small-heap.ts';

export const run: Handler = async call => {
  if (call.args.length > 1) return await (await import('./run-many.ts')).runMany(call);
  const attended = switchFlag(call, 'attended') && !switchFlag(call, 'yes');
  if (attended && (!process.stdin.isTTY || switchFlag(call, 'detach'))) return complain(nobodyThere);
  const found = await targetOf(call);
  if (!found.ok) return showResult(call, { type: 'refused', ...found.error });
  const target = found.value;
  if (switchFlag(call, 'dry-run')) {
    const reset = textFlag(call, 'reset');
    const json = switchFlag(call, 'json');
    return await (await import('./dry-run.ts')).dryRun({ ...target, reset, json }, overridesOf(call));
  }
  if (switchFlag(call, 'detach')) return (await import('./detach.ts')).detach();
  if (call.flags.has('at') || call.flags.has('after')) {
    const turn = await (await import('./wait-turn.ts')).waitTurn(call);
    if (!turn.ok) return turn.error;
  }
  if (queueIsNear()) await (await import('./start-queued.ts')).sayWaiting();
  const reset = await resetFirst(call, target);
  if (!reset.ok) return showResult(call, { type: 'refused', ...reset.error });
  // If the parent of runs started side by side is gone, the run continues.
  if (isOwnSession(process.env)) process.stdout.on('error', () => undefined);
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  const view = openView(call);
  try {
    const result = await runPlan({
      overrides: overridesOf(call),
      stopper,
      view: view.sink,
      sinks: [smallHeap()],
      once: switchFlag(call, 'once'),
      command: `ralph ${process.argv.slice(2).join(' ')}`.slice(0, 200),
      ...target,
      ...(attended ? { ask: askPerson(view.hold, stopper) } : {}),
    });
    view.close();
    const exit = showResult(call, result, { endSaid: view.saidEnd() });
    if (result.type === 'finished' && queueIsNear()) await (await import('./start-queued.ts')).takeUpDue(result.reason);
    // Undelivered messages must not keep the process alive.
    return result.type === 'finished' && result.undelivered ? await leave(exit) : exit;
  } finally {
    view.close();
    quit();
  }
};

/** A cheap test before the queue's code is loaded: most repositories have no queue. */
function queueIsNear(): boolean {
  for (let at = process.cwd(); ; at = dirname(at)) {
    if (existsSync(join(at, '.ralph', 'queue.json'))) return true;
    if (existsSync(join(at, '.git')) || at === dirname(at)) return false;
  }
}

const nobodyThere: Failure = {
  reason: 'no-terminal',
  message: '--attended asks after each verdict, but there is no terminal to answer from',
  hint: 'Start it in a terminal, or leave --attended out.',
};

export interface ShowOptions {
  readonly endSaid?: boolean;
  /** Where commands are typed. */
  readonly cwd?: string;
  /** The caller says what comes next. */
  readonly withoutNext?: boolean;
}

export function showResult(call: Call, result: RunResult, options: ShowOptions = {}): number {
  const { endSaid = false, cwd = process.cwd(), withoutNext = false } = options;
  if (result.type === 'refused') {
    if (switchFlag(call, 'json'))
      print(JSON.stringify({ type: 'refused', exit: result.exit, ...result.failure } satisfies RefusedLine));
    return complain(result.failure, result.exit);
  }
  if (switchFlag(call, 'json') && result.items !== undefined) {
    // Nothing was left to do, so nothing has said how it ended.
    const { reason, why } = result;
    print(JSON.stringify({ at: Date.now(), type: 'run.finished', reason, why }));
  }
  if (!switchFlag(call, 'json')) {
    const color = wantsColor();
    const items = result.items ?? result.plan.plan.items;
    const columns = columnsOf();
    const text =
      result.state.run === ''
        ? 'Every item of the plan is done already.'
        : `\n${summaryText({ state: result.state, items, color, endSaid, withoutNext, others: result.others ?? [], ...placesOf(result, cwd) })}`;
    print(columns === undefined ? text : wrapText(text, columns));
  }
  note(result.undelivered ?? []);
  return result.exit;
}

/** Paths relative to where they are pasted. */
function placesOf(
  { state, archive, taken = false, commits, isNamed = false }: Extract<RunResult, { type: 'finished' }>,
  cwd: string,
): Pick<SummaryOptions, 'archive' | 'mergeInto' | 'taken' | 'commits' | 'isNamed'> {
  return {
    commits,
    isNamed,
    ...(archive ? { archive: { ...archive, folder: relative(cwd, archive.folder) || '.' } } : {}),
    ...(state.from === undefined ? {} : { mergeInto: state.from }),
    taken,
  };
}

export function overridesOf(call: Call): Overrides {
  const pick = <T>(name: keyof Overrides, value: T | undefined) => (value === undefined ? {} : { [name]: value });
  return {
    ...pick('maxIterations', numberFlag(call, 'max-iterations')),
    ...pick('timeoutMs', numberFlag(call, 'timeout')),
    ...pick('iterationTimeoutMs', numberFlag(call, 'iteration-timeout')),
    ...pick('idleTimeoutMs', numberFlag(call, 'idle-timeout')),
    ...pick('maxAttempts', numberFlag(call, 'max-attempts')),
    ...pick('maxFruitless', numberFlag(call, 'max-fruitless')),
    ...pick('maxCost', numberFlag(call, 'max-cost')),
    ...pick('deadline', textFlag(call, 'deadline')),
    ...pick('agent', textFlag(call, 'agent')),
    ...pick('model', textFlag(call, 'model')),
    ...pick('effort', textFlag(call, 'effort')),
    ...pick('branch', textFlag(call, 'branch')),
    ...pick('after', textFlag(call, 'after')),
    ...pick('until', textFlag(call, 'until')),
    ...pick('claims', textFlag(call, 'claims')),
    ...pick('parallel', numberFlag(call, 'parallel')),
    ...pick('worktree', switchFlag(call, 'worktree') || undefined),
    ...pick('noSandbox', switchFlag(call, 'no-sandbox') || undefined),
    ...pick('allowRed', switchFlag(call, 'allow-red') || undefined),
  };
}

export interface View {
  readonly sink: NonNullable<RunOptions['view']>;
  /** Removes the live block while a question is asked; call the result to restore it. */
  readonly hold: () => () => void;
  readonly close: () => void;
  /** Whether the output already says how the run ended. */
  readonly saidEnd: () => boolean;
}

/** Chooses JSON, a live block, or plain lines, by flag and terminal. */
export function openView(call: Call): View {
  const write = (text: string) => process.stdout.write(text);
  const still = { hold: () => () => undefined, close: () => undefined, saidEnd: () => false };
  if (switchFlag(call, 'json')) return { sink: () => jsonReporter({ write }), ...still };
  if (switchFlag(call, 'quiet')) return { sink: () => () => undefined, ...still };
  const color = wantsColor();
  const verbose = switchFlag(call, 'verbose');
  let isOver = false;
  const noting =
    (sink: EventSink): EventSink =>
    (event, at) => {
      isOver ||= event.type === 'run.finished';
      sink(event, at);
    };
  const saidEnd = () => isOver;
  if (!canRedraw())
    return { ...still, sink: ({ limits }) => noting(lineReporter({ write, color, limits, verbose })), saidEnd };
  let live: LiveReporter | undefined;
  let stopSuspend: () => void = () => undefined;
  return {
    sink: ({ limits, from }) => {
      live = liveReporter({ stream: process.stdout, clock: systemClock, color, limits, from, verbose });
      stopSuspend = onSuspend(live);
      return noting(live.sink);
    },
    saidEnd,
    hold: () => live?.hold() ?? (() => undefined),
    close: () => {
      stopSuspend();
      live?.close();
    },
  };
}
