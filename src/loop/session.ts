/** One process's hold on one run: its journal, the state folded from it, and who is told what happens. */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_BUDGET } from '../brief/slots.ts';
import type { Templates } from '../brief/templates.ts';
import type { Settings } from '../config/settings.ts';
import type { Durable, Event, EventSink, Passing, Recorded } from '../events.ts';
import type { Journal } from '../journal/journal.ts';
import { iterationFolder, type RalphFolder, reviewFolder, snapshotOf } from '../journal/runs.ts';
import { fileVersion, isSnapshotDue, type PlanThen, writeSnapshot } from '../journal/snapshot.ts';
import type { Recalled } from '../memory/recall.ts';
import type { OpenPlan } from '../plan/open.ts';
import type { Agent, AgentOptions, Clock, Gate, GateResult, Item } from '../protocol.ts';
import { advance, type RunState } from '../state.ts';
import { readAgain } from '../util/files.ts';
import type { Result } from '../util/result.ts';
import { attemptRef } from '../workspace/attempt-ref.ts';
import type { Vault } from '../workspace/vault.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { BaseTests } from './base-tests.ts';
import { KnownGreen } from './known-green.ts';
import { type Remembering, remember } from './remember.ts';
import type { Stopper } from './stopper.ts';

export interface SessionOptions {
  readonly folder: RalphFolder;
  readonly settings: Settings;
  readonly agent: Agent;
  readonly agentOptions: AgentOptions;
  /** Who looks at accepted items; absent where no review is configured. */
  readonly reviewer?: { readonly agent: Agent; readonly options: AgentOptions };
  readonly journal: Journal;
  readonly state: RunState;
  readonly workspace: Workspace;
  readonly vault: Vault;
  readonly plan: OpenPlan;
  /** The plan's path inside the work tree, or undefined where git does not see it. */
  readonly planInTree: string | undefined;
  /** A run in a worktree: the plan in the person's own checkout, and its bytes as last seen. */
  readonly checkoutPlan?: { readonly path: string; seen: Buffer };
  /** Paths inside the work tree that belong to the runner: the plan and the config. */
  readonly ownedInTree: readonly string[];
  readonly config?: { readonly file: string; readonly bytes: Buffer; readonly link: string | undefined };
  /** Where the plan's path points when it is a link of the person's. */
  readonly planLink: string | undefined;
  readonly templates: Templates;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly sinks: readonly EventSink[];
  readonly stopper: Stopper;
  readonly only?: string;
  readonly once: boolean;
  /** Asked after each verdict in an attended run. */
  readonly ask?: Ask;
}

export type Answer =
  | { readonly type: 'go-on' }
  | { readonly type: 'retry'; readonly hint: string }
  | { readonly type: 'skip' }
  | { readonly type: 'stop' };

export type Ask = (question: {
  readonly item: string;
  readonly title: string;
  readonly verdict: string;
}) => Promise<Answer>;

export const itemGates = ({ gates, final }: Settings, { plan }: OpenPlan): readonly Gate[] =>
  plan.repeats ? [...gates, ...final] : gates;

export class Session {
  readonly options: SessionOptions;
  readonly startedAt: number;
  /** Iterations of this process; `max-iterations` counts these. */
  iterations = 0;
  plan: OpenPlan;
  /** The branch's newest commit when this process began. */
  startedFrom = '';
  /** The one iteration of `--once` has been made. */
  onceDone = false;
  /** What the work tree is known to hold. Empty: not known. */
  tree = '';
  /** The tree of the branch's newest commit, where this process made that commit. */
  treeOfTip: { readonly commit: string; readonly tree: string } | undefined;
  /** Why nothing more can be done without a person. */
  halt: string | undefined;
  readonly knownGreen = new KnownGreen();
  /** Set once the run has started; absent where nothing is to be remembered. */
  remembering: Remembering | undefined;
  /** Test results of trees that an item may start from. */
  readonly base: BaseTests;
  /** What gates said about trees in folders of their own, by tree and command. */
  readonly told = new Map<string, GateResult>();
  #state: RunState;
  /** Start and verdict of the newest iteration, for the snapshot. */
  #recent: Recorded[] = [];
  readonly #writing: Promise<void>[] = [];

  constructor(options: SessionOptions) {
    this.options = options;
    this.base = new BaseTests(options.workspace, options.ownedInTree);
    this.#state = options.state;
    this.plan = options.plan;
    this.startedAt = options.clock.monotonic();
  }

  get state(): RunState {
    return this.#state;
  }

  get settings(): Settings {
    return this.options.settings;
  }

  /** What an item has to pass. A repeating item ends the run by itself, so the final gates are its own. */
  get itemGates(): readonly Gate[] {
    return itemGates(this.options.settings, this.plan);
  }

  /** The lessons that fit an item, within their slot of the brief. */
  recall(item: Item): readonly Recalled[] {
    const { memory } = this.remembering ?? {};
    return memory?.recall({ item, budgetTokens: DEFAULT_BUDGET.lessons, now: this.clock.now() }) ?? [];
  }

  get workspace(): Workspace {
    return this.options.workspace;
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /** On disk first, then in the state, then told: nobody hears of what could still be lost. */
  record<E extends Durable>(event: E): Recorded<E> {
    const at = this.clock.now();
    const recorded = this.options.journal.append(event, at);
    this.#state = advance(this.#state, recorded);
    this.#remember(recorded);
    this.#tell(event, at);
    remember(this, event, at);
    return recorded;
  }

  #remember(record: Recorded): void {
    if (record.type === 'iteration.started') this.#recent = [record];
    if (record.type === 'verdict') this.#recent.push(record);
    // After a restart the newest iteration may be another process's.
    if (!isSnapshotDue(record) || this.#recent.length < 2) return;
    const { folder, journal } = this.options;
    const plan = planThen(this.plan);
    const snapshot = { place: journal.end, state: this.#state, recent: this.#recent, ...(plan ? { plan } : {}) };
    writeSnapshot(snapshotOf(folder, this.#state.run), snapshot);
  }

  show(event: Passing): void {
    this.#tell(event, this.clock.now());
  }

  notice(level: 'info' | 'warn', message: string): void {
    this.show({ type: 'notice', level, message });
  }

  /** A file that people read: written beside other work, and there before the next agent starts. Who reads it waits. */
  write(file: string, text: string): void {
    this.#writing.push(
      writeFile(file, text).catch((error: Error) => this.notice('warn', `could not write ${file}: ${error.message}`)),
    );
  }

  async written(): Promise<void> {
    await Promise.all([...this.#writing.splice(0), this.workspace.shown()]);
  }

  /** Around code that is not the runner's, an agent or gates: what it did to git and to the run's files is put back. */
  async guarded<T>(act: () => Promise<T>): Promise<T> {
    const { vault } = this.options;
    await this.written();
    await vault.note();
    try {
      return await act();
    } finally {
      await this.#putBack();
    }
  }

  async #putBack(): Promise<void> {
    const { vault, journal } = this.options;
    const { open, run } = this.#state;
    const damage = journal.putBack();
    if (damage) this.notice('warn', damage);
    const found = (name: string) => attemptRef(run, open?.item ?? 'found', `found-${name.replaceAll('/', '-')}`);
    const notes = await vault.putBack(found);
    // A git that stayed has seen what was put back.
    if (notes.length > 0) this.workspace.close();
    for (const note of notes) this.notice('warn', note);
    if (open) mkdirSync(this.folderOf(open.iteration), { recursive: true });
  }

  /** Where git cannot do something after an agent was here, its objects may be damaged: mended, it is done again. */
  async mended<T>(act: () => Promise<Result<T>>): Promise<Result<T>> {
    const first = await act();
    if (first.ok) return first;
    const notes = this.options.vault.mend('by-content');
    for (const note of notes) this.notice('warn', note);
    if (notes.length > 0) this.workspace.close();
    return notes.length > 0 ? await act() : first;
  }

  folderOf(iteration: number): string {
    return iterationFolder(this.options.folder, this.#state.run, iteration);
  }

  reviewFileOf(review: number, name: string): string {
    return join(reviewFolder(this.options.folder, this.#state.run, review), name);
  }

  fileOf(iteration: number, name: string): string {
    return join(this.folderOf(iteration), name);
  }

  #tell(event: Event, at: number): void {
    for (const sink of this.options.sinks) sink(event, at);
  }
}

function planThen({ path, bytes, plan }: OpenPlan): PlanThen | undefined {
  const version = fileVersion(path);
  if (version === undefined || readAgain(path, bytes) !== bytes) return undefined;
  return {
    version,
    items: plan.items.map(({ id, title, status, note }) => ({
      id,
      title,
      status,
      ...(note === undefined ? {} : { note }),
    })),
  };
}
