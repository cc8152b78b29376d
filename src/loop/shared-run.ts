/** What all workers of a run share in this process: its state, what it counts, and what people asked for. */
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

/** What an agent at work has used by now, and how it is ended when all of them together have used too much. */
export interface Spender {
  readonly spent: () => number;
  readonly end: () => void;
}

/** What a person asked for, until the next boundary. */
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
  /** Waits and pauses of this process: no time of the run's. */
  restedMs = 0;
  /** When the run has to be over, by the wall clock. */
  readonly deadline: number | undefined;
  readonly brake: Brake;
  /** Numbers that were given to iterations which are not in the journal yet. */
  readonly numbers = new Set<number>();
  /** The agents at work. */
  readonly spending = new Set<Spender>();
  /** How many pieces of code that is not the runner's are at work. */
  busy = 0;
  readonly vault: SharedVault;
  /** Where several agents work at once: the lessons as the runner left them. */
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

/** A session's own names for what it shares. */
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

  /** Iterations of this process; `max-iterations` counts these, and those that a provider's trouble cut off do not count. */
  get iterations(): number {
    return this.shared.iterations;
  }

  set iterations(count: number) {
    this.shared.iterations = count;
  }

  /** The branch's newest commit when this process began. */
  get startedFrom(): string {
    return this.shared.startedFrom;
  }

  set startedFrom(commit: string) {
    this.shared.startedFrom = commit;
  }

  /** The one iteration of `--once` has been made. */
  get onceDone(): boolean {
    return this.shared.onceDone;
  }

  set onceDone(done: boolean) {
    this.shared.onceDone = done;
  }

  /** The item that a person wants tried again next. */
  get again(): string | undefined {
    return this.shared.again;
  }

  set again(item: string | undefined) {
    this.shared.again = item;
  }

  /** An agent of this process has answered: how it is set up is not what is wrong. */
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

  /** Why nothing more can be done without a person. */
  get halt(): string | undefined {
    return this.shared.halt;
  }

  set halt(why: string | undefined) {
    this.shared.halt = why;
  }

  /** Set once the run has started; absent where nothing is to be remembered. */
  get remembering(): Remembering | undefined {
    return this.shared.remembering;
  }

  set remembering(remembering: Remembering | undefined) {
    this.shared.remembering = remembering;
  }

  /** Orders of people that wait for the next boundary. */
  get orders(): SharedRun['orders'] {
    return this.shared.orders;
  }

  /** Orders of whoever is not known to be a person. */
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

  /** Whose iteration was the last to begin. */
  get lastItem(): string {
    return this.shared.lastItem;
  }

  /** When the last code that is not the runner's came to its end; never, while some is at work. */
  get quietSince(): number {
    return this.shared.busy > 0 ? Number.POSITIVE_INFINITY : this.shared.quietSince;
  }
}
