/** `ralph logs`: what the agent did in an iteration, in readable form. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorded } from '../events.ts';
import { type RalphFolder, readRecords, runFolder, storeOf, unbundleCommand } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import { diffText, lineReporter, shellWord, shortCommit, stepReporter } from '../report/index.ts';
import { hasIteration, newestIteration, readOfIteration } from '../util/iteration-packs.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { type Call, type Handler, switchFlag } from './command.ts';
import type { CurrentRun } from './current-run.ts';
import { columnsOf, complain, printOnce, wantsColor, writeOut } from './print.ts';
import { lookAtRun } from './quick-look.ts';
import { rawLogs } from './raw-logs.ts';
import { type Happened, type RunTail, runTail, sinceNow } from './run-tail.ts';

const POLL_MS = 250;

export const logs: Handler = async call => {
  if (switchFlag(call, 'all')) return await (await import('./all-logs.ts')).allLogs(call);
  const [wanted] = call.args;
  if (wanted !== undefined && !/^[1-9]\d*$/.test(wanted)) {
    return complain({
      reason: 'usage',
      message: `an iteration is a number, not "${wanted}"`,
      hint: 'For example: ralph logs 3',
    });
  }
  const current = await lookAtRun(call);
  if (!current.ok) return complain(current.error, 1);
  const found = iterationOf(current.value, wanted === undefined ? undefined : Number(wanted));
  if (!found.ok) return complain(found.error, 1);
  const iteration = found.value;
  const { folder, state } = current.value;
  const records = recordsFor(current.value, iteration);
  const isLive = () => storeOf(folder).owner({ isAlive }) !== undefined;
  const follow = switchFlag(call, 'follow');

  if (switchFlag(call, 'diff')) return showDiff(current.value, iteration);
  if (switchFlag(call, 'raw')) {
    const last = () => lastIteration(folder, state.run);
    await rawLogs({ folder, run: state.run, iteration, last, goesOn: follow ? isLive : undefined });
    return 0;
  }
  const throughAll = follow && wanted === undefined;
  const start = throughAll ? sinceNow(records, state) : startOf(records, iteration);
  const fromSeq = start?.seq ?? 1;
  const toSeq = follow ? undefined : nextAfter(records, { iteration, fromSeq });
  const tail = runTail({
    folder,
    run: state.run,
    fromSeq,
    ofIteration: start?.type === 'iteration.started',
    ...(toSeq === undefined ? {} : { toSeq }),
  });
  const tell = teller(call);
  const over = await tellAll({ tail, tell, iteration, isLive, follow, throughAll });
  const open = state.openIterations.find(each => each.iteration === iteration);
  // Nobody was left to record it.
  if (open && !over && !isLive()) {
    const why = 'its runner died; ralph run continues with it';
    tell({ event: { type: 'iteration.aborted', iteration, item: open.item, why }, at: state.lastAt });
  }
  return 0;
};

/** The requested iteration; by default the newest, which is the live one if there is one. */
function iterationOf({ folder, state }: CurrentRun, wanted: number | undefined): Result<number> {
  const last = Math.max(lastIteration(folder, state.run), state.iterations);
  if (last === 0) {
    const hint = 'Start one with: ralph run';
    return fail({ reason: 'no-run', message: `no agent has worked in run ${state.run} yet`, hint });
  }
  const iteration = wanted ?? last;
  if (hasIteration(runFolder(folder, state.run), iteration)) return ok(iteration);
  const hint = last === 1 ? 'It has only 1: ralph logs 1' : `It has 1 to ${last}: ralph logs ${last}`;
  return fail({ reason: 'no-iteration', message: `run ${state.run} has no iteration ${iteration}`, hint });
}

/** Its last start: after an iteration was cut off, its number is reused. */
const startOf = (records: readonly Recorded[], iteration: number): Recorded | undefined =>
  records.findLast(record => record.type === 'iteration.started' && record.iteration === iteration);

/** The records from its start on; a quick look may have only the last records of the run. */
const recordsFor = ({ folder, state, records }: CurrentRun, iteration: number): readonly Recorded[] =>
  startOf(records, iteration) ? records : (readRecords(folder, state.run) ?? records);

/** After the iteration and the reviews of its item nothing has to be read; workers begin others before that. */
function nextAfter(
  records: readonly Recorded[],
  { iteration, fromSeq }: { readonly iteration: number; readonly fromSeq: number },
): number | undefined {
  const later = records.filter(({ seq }) => seq > fromSeq);
  const item = records.find(({ seq }) => seq === fromSeq);
  const end = later.find(record => isEnd(record.type) && 'iteration' in record && record.iteration === iteration);
  const after = end ? later.filter(({ seq }) => seq > end.seq) : [];
  const next = after.find(({ type }) => type === 'iteration.started');
  const again = after.find(record => record.type === 'iteration.started' && isOf(record, item));
  const reviewed = after.findLast(
    record => record.type.startsWith('review') && isOf(record, item) && !(again && record.seq > again.seq),
  );
  return next && Math.max(next.seq, (reviewed?.seq ?? 0) + 1);
}

const isOf = (record: Recorded, other: Recorded | undefined): boolean =>
  'item' in record && other !== undefined && 'item' in other && record.item === other.item;

function teller(call: Call): (happened: Happened) => void {
  const alone = call.args.length > 0 || !switchFlag(call, 'follow');
  const sink = switchFlag(call, 'json')
    ? stepReporter({ write: writeOut })
    : lineReporter({ write: writeOut, color: wantsColor(), verbose: true, alone, columns: columnsOf() });
  let before = '';
  return ({ event, at }) => {
    if (event.type === 'iteration.started' && !switchFlag(call, 'json')) {
      writeOut(`${before}Iteration ${event.iteration}\n`);
      before = '\n';
    }
    sink(event, at);
  };
}

interface Telling {
  readonly tail: RunTail;
  readonly tell: (happened: Happened) => void;
  readonly iteration: number;
  readonly isLive: () => boolean;
  readonly follow: boolean;
  /** Continue into the next iterations, to the end of the run. */
  readonly throughAll: boolean;
}

/** Returns whether the iteration has ended. */
async function tellAll({ tail, tell, iteration, isLive, follow, throughAll }: Telling): Promise<boolean> {
  let over = false;
  let isPast = false;
  let item: string | undefined;
  for (;;) {
    // Checked before reading, so that everything written before the runner left is read.
    const more = follow && isLive();
    for (const happened of tail.read()) {
      const { event } = happened;
      if (!throughAll && (event.type === 'run.finished' || event.type === 'run.resumed')) return over;
      if (event.type === 'iteration.started' && event.iteration === iteration) item = event.item;
      else if (event.type === 'iteration.started') isPast ||= over;
      const of =
        'iteration' in event ? event.iteration === iteration : 'item' in event ? event.item === item : undefined;
      if (throughAll || (of ?? !isPast)) tell(happened);
      if ('iteration' in event && event.iteration === iteration) over ||= isEnd(event.type);
    }
    if (!more || (over && !throughAll)) return over;
    await sleep(POLL_MS);
  }
}

const isEnd = (type: string): boolean => type === 'iteration.finished' || type === 'iteration.aborted';

function showDiff(current: CurrentRun, iteration: number): number {
  const { folder, state, owner } = current;
  const diff = readOfIteration(runFolder(folder, state.run), iteration, 'diff.patch')?.toString('utf8');
  if (diff === undefined) {
    const open = owner && state.openIterations.some(each => each.iteration === iteration);
    const why = open
      ? `iteration ${iteration} is not over: its changes are recorded once its agent is done`
      : `nothing is recorded of what iteration ${iteration} changed: it was cut off`;
    const hint = open ? 'Until then: git diff' : (keptAs(current, iteration) ?? `See: ralph logs ${iteration}`);
    return complain({ reason: 'no-diff', message: why, hint }, 1);
  }
  printOnce(diff.trim() === '' ? `Iteration ${iteration} changed nothing.` : diffText(diff, { color: wantsColor() }));
  return 0;
}

/** The ref under which the tree of an iteration that was cut off is kept. */
function keptAs({ folder, state }: CurrentRun, iteration: number): string | undefined {
  const records = readRecords(folder, state.run) ?? [];
  const cut = records.findLast(record => record.type === 'iteration.aborted' && record.iteration === iteration);
  const start = records.findLast(record => record.type === 'iteration.started' && record.iteration === iteration);
  if (cut?.type !== 'iteration.aborted' || !cut.ref || start?.type !== 'iteration.started') return undefined;
  const unpack = unbundleCommand(runFolder(folder, state.run));
  return `Its tree is kept: ${unpack && `${unpack} && `}git diff ${shortCommit(start.base)} ${shellWord(cut.ref)}`;
}

const lastIteration = (folder: RalphFolder, run: string): number => newestIteration(runFolder(folder, run));
