/** `ralph logs --all`: what every live run is doing, or what each run did last, in order of time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { liveSeats, type RalphFolder, readRun } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import { sideBySide } from '../report/index.ts';
import { openProject, openRuns } from '../start/index.ts';
import { type Call, switchFlag } from './command.ts';
import { complain, printOnce, wantsColor, writeOut } from './print.ts';
import { type RunTail, runTail, sinceNow } from './run-tail.ts';

const POLL_MS = 250;

export async function allLogs(call: Call): Promise<number> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { folder } = project.value;
  const follow = switchFlag(call, 'follow');
  const json = switchFlag(call, 'json');
  const tails = new Map<string, RunTail>();
  const live = () => liveSeats(folder, { isAlive }).flatMap(({ owner }) => owner.run ?? []);
  const wanted = () => (follow || live().length > 0 ? live() : openRuns(folder).map(({ run }) => run));
  const first = wanted();
  if (first.length === 0 && !follow) {
    return complain({ reason: 'no-run', message: 'no run is live or open here', hint: 'See: ralph runs' }, 1);
  }
  let view = sideBySide({ names: first, write: writeOut, color: wantsColor(), verbose: true });
  let sinks = new Map<string, ReturnType<typeof view.sink>>();
  for (;;) {
    const goesOn = follow && live().length > 0;
    for (const run of wanted()) if (!tails.has(run)) tails.set(run, tailOf(folder, run));
    const happened = [...tails].flatMap(([run, tail]) => tail.read().map(one => ({ run, ...one })));
    if ([...tails.keys()].some(run => !sinks.has(run))) {
      view = sideBySide({ names: [...tails.keys()], write: writeOut, color: wantsColor(), verbose: true });
      sinks = new Map([...tails.keys()].map(run => [run, sinks.get(run) ?? view.sink(run)]));
    }
    for (const { run, event, at } of inOrder(happened)) {
      if (json) printOnce(JSON.stringify({ run, at, ...event }));
      else sinks.get(run)?.(event, at);
    }
    if (!goesOn) return 0;
    await sleep(POLL_MS);
  }
}

/** Follows a run from the iterations on that are open, or from its newest. */
function tailOf(folder: RalphFolder, run: string): RunTail {
  const read = readRun(folder, run);
  const first = read.ok ? sinceNow(read.value.records, read.value.state) : undefined;
  return runTail({ folder, run, fromSeq: first?.seq ?? 1, ofIteration: first?.type === 'iteration.started' });
}

/** Sorts the events of several runs by time; an event without a time stays behind the previous one. */
function inOrder<T extends { readonly run: string; readonly at: number }>(happened: readonly T[]): readonly T[] {
  const last = new Map<string, number>();
  return happened
    .map(one => {
      const at = Number.isNaN(one.at) ? (last.get(one.run) ?? 0) : one.at;
      last.set(one.run, at);
      return { one, at };
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
