/** Ends what a process left behind: TERM, a grace period, KILL, until a search finds nothing more. */
import type { Leftover, ProcessId } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';
import { oneLine } from '../util/show.ts';
import { isAlive } from './identity.ts';
import { startOrder } from './process-table.ts';
import { sendSignal } from './send-signal.ts';
import { type Found, findStrays, type Hunt, type Stray } from './strays.ts';
import { systemTable } from './system-table.ts';

export interface SweepOptions extends Hunt {
  /** The time between TERM and KILL. */
  readonly graceMs: number;
  /** How long processes may exit by themselves before the first TERM; those that do are not reported. */
  readonly settleMs?: number;
  /** Also ends suspects; correct if only the agent works in the workspace. */
  readonly killSuspects?: boolean;
  /** `main` is only a wrapper around the others: it gets no TERM, because its exit would kill them at once. */
  readonly wrapped?: boolean;
  /** Called at the end with processes that started meanwhile and whose owner is unknown. */
  readonly onStrangers?: (strangers: readonly Leftover[]) => void;
}

// A process that survives KILL for this long hangs in the kernel or belongs to another user.
const KILL_PATIENCE_MS = 5_000;
const POLL_MS = { first: 2, most: 50 };

/** Ends all strays of `main`, and `main` itself if it is still running; returns all but `main`. */
export async function sweep(options: SweepOptions): Promise<readonly Leftover[]> {
  const targetsOf = ({ strays }: Found) => strays.filter(stray => stray.certain || stray.bare || options.killSuspects);
  const named = new Map<string, { readonly stray: Stray; readonly command: string }>();
  const signalled = new Map<string, NodeJS.Signals>();
  const began = systemClock.monotonic();
  const termAt = began + (options.settleMs ?? 0);
  const killAt = termAt + options.graceMs;
  let pause = POLL_MS.first;
  let strangers: readonly Stray[] = [];
  let wrapping: ReadonlySet<string> | undefined;

  for (let quiet = 0; ; ) {
    const age = options.mainAgeMs;
    const now = systemClock.monotonic();
    const found = findStrays(age === undefined ? options : { ...options, mainAgeMs: age + now - began });
    const targets = targetsOf(found);
    wrapping ??= options.wrapped ? wrappingOf(found.strays, options.main) : new Set();
    const left = found.strays.filter(stray => !wrapping?.has(keyOf(stray.id)));
    if (targets.length === 0 || now >= termAt) name(left, named, options);
    strangers = found.strangers;
    if (targets.length === 0) {
      quiet += 1;
      // A missed child must have been created during the search; if none was, a single search is enough.
      if (found.settled || quiet === 2) break;
      continue;
    }
    quiet = 0;
    if (now >= killAt + KILL_PATIENCE_MS) break;
    if (now >= termAt) signalAll({ targets, signal: now >= killAt ? 'SIGKILL' : 'SIGTERM', signalled, options });
    await systemClock.sleep(pause);
    pause = Math.min(pause * 2, POLL_MS.most);
  }

  if (strangers.length > 0) {
    const seen = strangers.map(({ id }) => ({ pid: id.pid, command: commandOf(id.pid, options), killed: false }));
    options.onStrangers?.(seen);
  }
  return [...named.values()].flatMap(({ stray, command }) => {
    const alive = isAlive(stray.id, options.table);
    // A suspect that exited by itself was not left behind.
    if (!alive && !signalled.has(keyOf(stray.id))) return [];
    return { pid: stray.id.pid, command, killed: !alive };
  });
}

/** Called after a restart: ends the agent that a dead runner left behind, and all its descendants. */
export async function endLeftovers(options: {
  readonly process?: ProcessId;
  readonly lease?: string;
  readonly marks?: NonNullable<Hunt['marks']>;
  readonly workspace?: string;
  readonly except?: string;
  readonly graceMs?: number;
}): Promise<readonly Leftover[]> {
  const { process: main, graceMs = 10_000, ...rest } = options;
  if (!main) return sweep({ ...rest, graceMs });
  const command = isAlive(main) ? commandOf(main.pid, {}) : undefined;
  const others = await sweep({ ...rest, main, graceMs });
  return command === undefined ? others : [{ pid: main.pid, command, killed: !isAlive(main) }, ...others];
}

function name(
  strays: readonly Stray[],
  named: Map<string, { readonly stray: Stray; readonly command: string }>,
  options: SweepOptions,
): void {
  for (const stray of strays) {
    const isMain = stray.id.pid === options.main?.pid && stray.id.started === options.main.started;
    if (isMain || named.has(keyOf(stray.id))) continue;
    named.set(keyOf(stray.id), { stray, command: commandOf(stray.id.pid, options) });
  }
}

/** The sandbox's own process and the one it wraps: they count as `main`, not as leftovers. */
function wrappingOf(strays: readonly Stray[], main: ProcessId | undefined): ReadonlySet<string> {
  const init = strays.find(stray => stray.parent === main?.pid);
  const inside = strays.filter(stray => stray.parent === init?.id.pid);
  const [first] = inside.toSorted((one, other) => startOrder(one.id.started) - startOrder(other.id.started));
  return new Set([init, first].flatMap(stray => (stray ? [keyOf(stray.id)] : [])));
}

interface Signalling {
  readonly targets: readonly Stray[];
  readonly signal: NodeJS.Signals;
  readonly signalled: Map<string, NodeJS.Signals>;
  readonly options: SweepOptions;
}

/** TERM once to each, KILL on every pass. */
function signalAll({ targets, signal, signalled, options }: Signalling): void {
  const isFirst = signalled.size === 0;
  const asked = new Set(targets.filter(target => signalled.has(keyOf(target.id))).map(target => target.id.pid));
  // A second TERM makes many programs abort their clean-up, and processes they start after the first may be part of it.
  const due = targets.filter(
    target => signal === 'SIGKILL' || !(signalled.has(keyOf(target.id)) || asked.has(target.parent)),
  );
  // A single call for the whole group also reaches processes that are forked meanwhile.
  const wholeGroup = signal === 'SIGKILL' || (isFirst && !options.wrapped);
  if (wholeGroup && options.main && due.some(target => target.inGroup)) sendSignal(-options.main.pid, signal);
  for (const target of due) {
    if (options.wrapped && signal === 'SIGTERM' && target.id.pid === options.main?.pid) continue;
    signalled.set(keyOf(target.id), signal);
    if (!(wholeGroup && target.inGroup) && isAlive(target.id, options.table)) sendSignal(target.id.pid, signal);
  }
}

const keyOf = (id: ProcessId): string => `${id.pid}:${id.started}`;

const commandOf = (pid: number, { table = systemTable }: Pick<Hunt, 'table'>): string =>
  oneLine(table.command(pid), 200);
