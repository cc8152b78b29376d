/** `ralph watch`: the live view of a run from another terminal. It only reads. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, EventSink } from '../events.ts';
import { type LockOwner, liveTail, newestAt, type RalphFolder, readRun, storeOf } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import { lineReporter, liveReporter } from '../report/index.ts';
import { liveRun, openProject } from '../start/index.ts';
import { fold, type RunState } from '../state.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { canRedraw, complain, note, print, wantsColor } from './print.ts';
import { type Happened, type RunTail, runTail, sinceNow } from './run-tail.ts';
import { onSuspend } from './signals.ts';

const POLL_MS = 250;
const SHOWS_ITSELF_MS = 1_000;

export const watch: Handler = async call => {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 1);
  const found = liveRun(project.value, { run: textFlag(call, 'run'), plan: textFlag(call, 'plan') });
  if (!found.ok) return complain(found.error, 1);
  const { seat: folder, owner, notes = [] } = found.value ?? {};
  if (!owner || !folder || !(await isRun(folder, owner))) return await showLast(call);
  note(notes);
  const left = onLeaving();
  const verbose = switchFlag(call, 'verbose');
  const end = await watchRun({ folder, owner, verbose, left });
  const which = owner.run === undefined ? '' : owner.run;
  if (end === 'left') print(`The run continues. See it again with: ralph watch${which && ` --run ${which}`}`);
  if (end === 'gone')
    print(`The runner is gone without having ended its run. Continue with: ralph run${which && ` ${which}`}`);
  return 0;
};

/** Whether the holder of the lock runs a plan; it may do something else. A runner writes its live file at once. */
async function isRun(folder: RalphFolder, owner: LockOwner): Promise<boolean> {
  for (let waited = 0; waited <= SHOWS_ITSELF_MS; waited += POLL_MS) {
    const live = liveTail(folder.live, owner.process.pid);
    live.read();
    if (live.isRunners() || joinRun(folder, owner)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Nothing to watch: shows the last run, and how to start the next one. */
async function showLast(call: Call): Promise<number> {
  print('No run is live here.');
  print('');
  const { status } = await import('./status.ts');
  const named = [...call.flags].filter(([name]) => name === 'run' || name === 'plan');
  await status({ ...call, flags: new Map(named) });
  return 1;
}

/** Ctrl-C leaves the view, not the run: the flag is checked after the next poll. */
function onLeaving(): () => boolean {
  let asked = false;
  const leave = () => {
    if (asked) process.exit(0);
    asked = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, leave);
  return () => asked;
}

interface Watching {
  readonly folder: RalphFolder;
  readonly owner: LockOwner;
  readonly verbose: boolean;
  readonly left: () => boolean;
}

async function watchRun({ folder, owner, verbose, left }: Watching): Promise<'over' | 'gone' | 'left'> {
  const live = liveTail(folder.live, owner.process.pid);
  const early = live.read();
  let view = openView({ verbose, limits: live.limits() });
  let tail: RunTail | undefined;
  // Before its first record the runner runs the gates, and only its live file shows that.
  const before = early.findLast(({ event }) => event.type === 'plan.read');
  let pending: readonly Happened[] = early;
  try {
    for (;;) {
      const alive = storeOf(folder).owner({ isAlive })?.nonce === owner.nonce;
      if (!tail) {
        const joined = joinRun(folder, owner);
        if (joined) {
          view.close();
          view = openView({ verbose, limits: live.limits(), from: joined.from });
          tail = joined.tail;
          pending = [...(before ? [before] : []), ...pending.filter(({ at }) => at >= joined.from.lastAt)];
        }
      }
      const recorded = tail?.read() ?? [];
      const happened = inOrder([...pending, ...recorded, ...live.read()]);
      pending = [];
      for (const { event, at } of happened) view.tell(event, at);
      if (recorded.some(({ event }) => event.type === 'run.finished')) return 'over';
      if (!alive) return 'gone';
      if (left()) return 'left';
      await sleep(POLL_MS);
    }
  } finally {
    view.close();
  }
}

interface Joined {
  readonly tail: RunTail;
  /** The state of the run before the replayed events. */
  readonly from: RunState;
}

/** The run of this runner, from the iterations on that are open; undefined while it has recorded nothing. */
function joinRun(folder: RalphFolder, { run: its, since }: LockOwner): Joined | undefined {
  const run = its ?? newestAt(folder);
  const read = run === undefined ? undefined : readRun(folder, run);
  if (run === undefined || !read?.ok) return undefined;
  const { records } = read.value;
  const own = records.findIndex(({ at }) => at >= since);
  if (own < 0) return undefined;
  const begins = sinceNow(records, read.value.state);
  const at = Math.max(own, begins ? records.indexOf(begins) : 0);
  const from = fold(records.slice(0, at));
  // A new run has no state before its first record.
  const lastAt = records[at]?.at ?? since;
  return { tail: runTail({ folder, run, fromSeq: records[at]?.seq ?? 1 }), from: { ...from, lastAt } };
}

/** Sorts by time; an event without a time stays behind the previous one. */
function inOrder(happened: readonly Happened[]): readonly Happened[] {
  let last = 0;
  return happened
    .map(one => {
      last = Number.isNaN(one.at) ? last : one.at;
      return { one, at: last };
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

interface View {
  tell(event: Event, at: number): void;
  close(): void;
}

interface ViewOptions {
  readonly verbose: boolean;
  readonly limits: Parameters<typeof liveReporter>[0]['limits'];
  readonly from?: RunState;
}

function openView({ verbose, limits, from }: ViewOptions): View {
  const color = wantsColor();
  const write = (text: string) => process.stdout.write(text);
  if (!canRedraw()) return { tell: lineReporter({ write, color, limits, verbose }), close: () => undefined };
  // Replayed events are in the past: during the replay, the view's clock shows their time.
  let told = from?.lastAt;
  const clock = { now: Date.now, monotonic: () => told ?? Date.now() };
  const live = liveReporter({ stream: process.stdout, clock, color, limits, from, verbose });
  const stopSuspend = onSuspend(live);
  told = undefined;
  const sink: EventSink = live.sink;
  return {
    tell: (event, at) => {
      told = at;
      sink(event, at);
      told = undefined;
    },
    close: () => {
      stopSuspend();
      live.close();
    },
  };
}
