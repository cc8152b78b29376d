/** What all workers of a run share in this process: its state, its counters, and the requests of people. */
import type { Settings } from '../config/index.ts';
import type { OwnLessons } from '../custody/index.ts';
import type { Recorded } from '../events.ts';
import type { Request } from '../journal/index.ts';
import type { Actor, Clock, ProcessId } from '../protocol.ts';
import type { RunState } from '../state.ts';
import { deadlineAt } from '../util/deadline.ts';
import { type SharedVault, shareVault, type Vault } from '../workspace/index.ts';
import { Brake } from './brake.ts';
import type { Held } from './held.ts';
import type { Remembering } from './remembering.ts';

/** What a working agent has used so far, and how to end it when all agents together exceed the limit. */
export interface Spender {
  readonly spent: () => number;
  readonly end: () => void;
}

/** A request of a person, kept until the next iteration boundary. */
export interface Order {
  readonly request: Request;
  readonly at: number;
  readonly actor?: Actor;
}

interface Shared {
  readonly state: RunState;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'deadline' | 'limits'>;
  readonly vault: Vault;
}

export class SharedRun {
  state: RunState;
  /** Start and verdict of the newest iteration, for the snapshot. */
  recent: readonly Recorded[] = [];
  readonly startedAt: number;
  /** Waits and pauses of this process, which do not count as run time. */
  restedMs = 0;
  /** When the run has to end, by the wall clock. */
  readonly deadline: number | undefined;
  readonly brake: Brake;
  /** Numbers of iterations that are not in the journal yet. */
  readonly numbers = new Set<number>();
  /** The working agents. */
  readonly spending = new Set<Spender>();
  /** How many programs that are not the runner's are running. */
  busy = 0;
  readonly vault: SharedVault;
  /** If several agents work at once: the lessons as the runner left them. */
  lessons: OwnLessons | undefined;

  iterations = 0;
  startedFrom = '';
  onceDone = false;
  again: string | undefined;
  answered = false;
  waitingFor: string | undefined;
  halt: string | undefined;
  remembering: Remembering | undefined;
  readonly orders: Order[] = [];
  readonly held = new Map<string, Held>();
  firstAgent: ProcessId | undefined;
  lastItem = '';
  quietSince = 0;

  constructor({ state, clock, settings: { deadline, limits }, vault }: Shared) {
    this.state = state;
    this.startedAt = clock.monotonic();
    this.deadline = deadline === undefined ? undefined : deadlineAt(deadline, clock.now());
    this.brake = new Brake(limits.fruitless);
    this.vault = shareVault(vault);
  }
}

/** A session's accessors for the shared state. */
export abstract class SharesRun {
  protected readonly shared: SharedRun;

  constructor(shared: SharedRun) {
    this.shared = shared;
  }

  get state(): RunState {
    return this.shared.state;
  }

  get deadline(): number | undefined {
    return this.shared.deadline;
  }

  get brake(): Brake {
    return this.shared.brake;
  }

  /** Iterations of this process, which `max-iterations` limits; those that a provider cut off do not count. */
  get iterations(): number {
    return this.shared.iterations;
  }

  set iterations(count: number) {
    this.shared.iterations = count;
  }

  /** The tip of the branch when this process started. */
  get startedFrom(): string {
    return this.shared.startedFrom;
  }

  set startedFrom(commit: string) {
    this.shared.startedFrom = commit;
  }

  /** Whether the single iteration of `--once` is done. */
  get onceDone(): boolean {
    return this.shared.onceDone;
  }

  set onceDone(done: boolean) {
    this.shared.onceDone = done;
  }

  /** The item that a person wants to retry next. */
  get again(): string | undefined {
    return this.shared.again;
  }

  set again(item: string | undefined) {
    this.shared.again = item;
  }

  /** An agent of this process has answered, so its set-up works. */
  get answered(): boolean {
    return this.shared.answered;
  }

  set answered(answered: boolean) {
    this.shared.answered = answered;
  }

  /** The account whose limit the open wait is for. */
  get waitingFor(): string | undefined {
    return this.shared.waitingFor;
  }

  set waitingFor(account: string | undefined) {
    this.shared.waitingFor = account;
  }

  /** Why the run cannot continue without a person. */
  get halt(): string | undefined {
    return this.shared.halt;
  }

  set halt(why: string | undefined) {
    this.shared.halt = why;
  }

  /** Set once the run has started; absent if memory is off. */
  get remembering(): Remembering | undefined {
    return this.shared.remembering;
  }

  set remembering(remembering: Remembering | undefined) {
    this.shared.remembering = remembering;
  }

  /** Orders from people, kept until the next iteration boundary. */
  get orders(): SharedRun['orders'] {
    return this.shared.orders;
  }

  /** Orders whose sender is not proven to be a person. */
  get held(): SharedRun['held'] {
    return this.shared.held;
  }

  /** The first agent that this process started. */
  get firstAgent(): ProcessId | undefined {
    return this.shared.firstAgent;
  }

  set firstAgent(agent: ProcessId | undefined) {
    this.shared.firstAgent = agent;
  }

  /** The item of the iteration that started last. */
  get lastItem(): string {
    return this.shared.lastItem;
  }

  /** When the last program that is not the runner's ended; infinite while one is running. */
  get quietSince(): number {
    return this.shared.busy > 0 ? Number.POSITIVE_INFINITY : this.shared.quietSince;
  }
}
