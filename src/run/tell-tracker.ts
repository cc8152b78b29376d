/** A run whose items are issues: their tracker is told of it meanwhile, and what is left is sent at its end. */
import { type EventSink, isDurable } from '../events.ts';
import type { Stopper } from '../process/index.ts';
import type { PlanSource } from '../protocol.ts';
import { type FoundIssues, mirrorOf, type Project, type Refusal, refuse, tellBeads, unsent } from '../start/index.ts';
import type { Mirror } from '../trackers/index.ts';
import type { Result } from '../util/result.ts';

/** How long the end of a run waits for the tracker; unsent updates are sent next time. */
const SEND_MS = 20_000;
const SEND_WHEN_STOPPED_MS = 5_000;

interface TrackerOptions {
  readonly sources?: readonly PlanSource[];
  readonly sinks?: readonly EventSink[];
  readonly stopper?: Stopper;
}

export interface Told<T, O> {
  readonly options: O;
  readonly located: FoundIssues;
  /** Executes the run with these options. */
  readonly work: (options: O) => Promise<Result<T, Refusal>>;
  readonly warn: (messages: readonly string[]) => void;
}

export async function tellingTracker<T, O extends TrackerOptions>(
  project: Project,
  { options, located, work, warn }: Told<T, O>,
): Promise<Result<T, Refusal>> {
  const { issues, found } = located;
  if (!issues) {
    const result = await work(options);
    if (result.ok && found.plan.plan.format === 'beads') warn(await tellBeads(project, found.run));
    return result;
  }
  const mirror = await mirrorOf(project, { address: issues, sources: options.sources, run: found.run });
  if (!mirror.ok) return refuse(2, mirror.error);
  const result = await work({ ...options, sinks: [...(options.sinks ?? []), sinkOf(mirror.value)] });
  const isStopped = options.stopper?.signal.aborted ?? false;
  warn(unsent(issues, await mirror.value.flush(isStopped ? SEND_WHEN_STOPPED_MS : SEND_MS)));
  return result;
}

/** A tracker is told only what the journal holds. */
const sinkOf =
  (mirror: Mirror): EventSink =>
  (event, at) => {
    if (isDurable(event)) mirror.take({ ...event, at, seq: 0 });
  };
