/** What a live run is doing now, from the files that it writes while it works: for `ralph status`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { iterationFolder, liveTail, parseSignal, type RalphFolder, reviewFolder } from '../journal/index.ts';
import { type LiveNow, recentSteps } from '../report/index.ts';
import type { RunState } from '../state.ts';
import { lineTail } from '../util/line-tail.ts';

/** Bytes read from the end of the signals: enough for the newest step and the usage so far. */
const LOOKED_AT = 256 * 1024;

export function liveNow(
  folder: RalphFolder,
  { pid, state }: { readonly pid: number; readonly state: RunState | undefined },
): LiveNow {
  return { ...agentNow(folder, state), ...gateNow(folder, pid) };
}

function agentNow(folder: RalphFolder, state: RunState | undefined): LiveNow {
  const work = state && (state.openReviews[0] ?? state.openIterations[0]);
  if (!work) return {};
  const { run } = state;
  const its = 'review' in work ? reviewFolder(folder, run, work.review) : iterationFolder(folder, run, work.iteration);
  const steps = recentSteps(1);
  // Signals older than the last record are from an earlier agent, and already counted.
  const told = lineTail(join(its, 'events.jsonl'), { last: LOOKED_AT })
    .read()
    .flatMap(line => parseSignal(line) ?? [])
    .filter(({ at }) => at !== undefined && at >= state.lastAt);
  for (const { signal } of told) steps.take(signal);
  if (told.length === 0) return {};
  const heardAt = statSync(join(its, 'output.log'), { throwIfNoEntry: false })?.mtimeMs ?? told.at(-1)?.at;
  return { doing: steps.lines().at(-1) ?? '', ...(heardAt === undefined ? {} : { heardAt }), spent: steps.spent() };
}

/** The gate that is running, if any. */
function gateNow(folder: RalphFolder, pid: number): LiveNow {
  const tail = liveTail(folder.live, pid);
  const last = tail.read().findLast(({ event }) => event.type === 'gate.started' || event.type === 'gate.finished');
  const gate = last?.event.type === 'gate.started' ? { gate: { name: last.event.name, since: last.at } } : {};
  return { ...gate, ...(tail.isRunners() ? { runner: true } : {}) };
}
