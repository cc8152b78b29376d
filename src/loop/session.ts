/** One process's hold on one run: its journal, the state folded from it, and who is told what happens. */
import { mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DEFAULT_BUDGET, type Templates } from '../brief/index.ts';
import type { Settings } from '../config/index.ts';
import { type Change, heldGit, heldJournal, heldOwnFiles, hold, IgnoredFiles, Planted } from '../custody/index.ts';
import type { Durable, Event, EventSink, Passing, Recorded, RunLimits } from '../events.ts';
import {
  fileVersion,
  isSnapshotDue,
  iterationFolder,
  type JournalWriter,
  type PlanThen,
  type RalphFolder,
  type Request,
  reviewFolder,
  runFolder,
  type Store,
  snapshotOf,
  writeSnapshot,
} from '../journal/index.ts';
import type { Recalled } from '../memory/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import type { Stopper } from '../process/index.ts';
import type { Actor, Agent, AgentOptions, Clock, Gate, GateResult, Item, ProcessId } from '../protocol.ts';
import type { LimitClock } from '../retry/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { advance, type OpenIteration, openOf, type RunState, withWorker } from '../state.ts';
import { deadlineAt } from '../util/deadline.ts';
import { readAgain } from '../util/files.ts';
import type { Result } from '../util/result.ts';
import { attemptRef, type Vault, vaultIn, type Workspace } from '../workspace/index.ts';
import { BaseTests } from './base-tests.ts';
import { Brake } from './brake.ts';
import type { Held } from './held.ts';
import { type InstalledFrom, readInstalled, writeInstalled } from './installed-tools.ts';
import { KnownGreen } from './known-green.ts';
import { type Remembering, remember } from './remembering.ts';

export interface SessionOptions {
  readonly folder: RalphFolder;
  readonly settings: Settings;
  readonly agent: Agent;
  readonly agentOptions: AgentOptions;
  /** Who works when that one cannot, in this order. */
  readonly fallbacks?: readonly { readonly agent: Agent; readonly options: AgentOptions }[];
  /** Who works at a second and later attempt, before all others. */
  readonly retrier?: { readonly agent: Agent; readonly options: AgentOptions };
  /** What other runs on this machine know of the limits of their accounts. */
  readonly limits?: LimitClock;
  /** Who looks at accepted items; absent where no review is configured. */
  readonly reviewer?: { readonly agent: Agent; readonly options: AgentOptions };
  readonly store: Store;
  readonly journal: JournalWriter;
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
  /** Keeps agents and gates inside; absent: nothing does. */
  readonly sandbox?: Sandbox;
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

/** What a person asked for, until the next boundary. */
export interface Order {
  readonly request: Request;
  readonly at: number;
  readonly actor?: Actor;
}

export const itemGates = ({ gates, final }: Settings, { plan }: OpenPlan): readonly Gate[] =>
  plan.repeats ? [...gates, ...final] : gates;

export class Session {
  readonly options: SessionOptions;
  readonly #startedAt: number;
  /** Waits and pauses of this process: no time of the run's. */
  #restedMs = 0;
  /** When the run has to be over, by the wall clock. */
  readonly deadline: number | undefined;
  readonly brake: Brake;
  /** Iterations of this process; `max-iterations` counts these, and those that a provider's trouble cut off do not count. */
  iterations = 0;
  plan: OpenPlan;
  /** The branch's newest commit when this process began. */
  startedFrom = '';
  /** The one iteration of `--once` has been made. */
  onceDone = false;
  /** The item that a person wants tried again next. */
  again: string | undefined;
  /** What the work tree is known to hold. Empty: not known. */
  tree = '';
  /** The tree of the branch's newest commit, where this process made that commit. */
  treeOfTip: { readonly commit: string; readonly tree: string } | undefined;
  /** An agent of this process has answered: how it is set up is not what is wrong. */
  answered = false;
  /** The account whose limit the open wait is for. */
  waitingFor: string | undefined;
  /** Why nothing more can be done without a person. */
  halt: string | undefined;
  readonly knownGreen = new KnownGreen();
  /** Set once the run has started; absent where nothing is to be remembered. */
  remembering: Remembering | undefined;
  /** Test results of trees that an item may start from. */
  readonly base: BaseTests;
  /** What git does not see and gates do. */
  readonly ignored: IgnoredFiles;
  #installedFrom: InstalledFrom | undefined;
  /** Orders of people that wait for the next boundary. */
  readonly orders: Order[] = [];
  /** Orders of whoever is not known to be a person. */
  readonly held = new Map<string, Held>();
  /** The first agent that this process started. */
  firstAgent: ProcessId | undefined;
  /** Whose iteration was the last to begin. */
  lastItem = '';
  /** When the last code that is not the runner's came to its end. */
  quietSince = 0;
  /** What gates said about trees in folders of their own, by tree and command. */
  readonly told = new Map<string, GateResult>();
  #state: RunState;
  /** Start and verdict of the newest iteration, for the snapshot. */
  #recent: Recorded[] = [];
  readonly #writing: Promise<void>[] = [];
  readonly #planted: Planted;
  #replaced: string[] = [];

  constructor(options: SessionOptions) {
    this.options = options;
    this.base = new BaseTests(options.workspace, options.ownedInTree);
    this.ignored = new IgnoredFiles({
      root: options.workspace.root,
      list: () => options.workspace.notInSnapshot(),
    });
    this.#installedFrom = readInstalled(options.folder);
    this.#state = options.state;
    this.plan = options.plan;
    this.#startedAt = options.clock.monotonic();
    const { deadline, limits } = options.settings;
    this.deadline = deadline === undefined ? undefined : deadlineAt(deadline, options.clock.now());
    this.brake = new Brake(limits.fruitless);
    this.#planted = plantedIn(options);
  }

  /** What the packages were last installed from; on disk, because a stop may come before they are installed again. */
  get installedFrom(): InstalledFrom | undefined {
    return this.#installedFrom;
  }

  set installedFrom(from: InstalledFrom | undefined) {
    this.#installedFrom = from;
    writeInstalled(this.options.folder, from);
  }

  get state(): RunState {
    return this.#state;
  }

  /** The iteration under way here. */
  get open(): OpenIteration | undefined {
    return openOf(this.#state);
  }

  get settings(): Settings {
    return this.options.settings;
  }

  /** What this process goes by, for the journal. */
  get limits(): RunLimits {
    const { waitMs: _, ...limits } = this.settings.limits;
    return { ...limits, ...(this.deadline === undefined ? {} : { deadline: this.deadline }) };
  }

  /** What an item has to pass. A repeating item ends the run by itself, so the final gates are its own. */
  get itemGates(): readonly Gate[] {
    return itemGates(this.options.settings, this.plan);
  }

  /** The lessons that fit an item, within their slot of the brief. */
  recall(item: Item): readonly Recalled[] {
    const { memory } = this.remembering ?? {};
    const { items: plan } = this.plan.plan;
    return memory?.recall({ item, plan, budgetTokens: DEFAULT_BUDGET.lessons, now: this.clock.now() }) ?? [];
  }

  /** How long this process has worked, waits and pauses not counted. */
  get worked(): number {
    return this.clock.monotonic() - this.#startedAt - this.#restedMs;
  }

  /** Sleeps until somebody puts a request into the inbox, or this long. */
  async rest(ms: number): Promise<void> {
    const wake = new AbortController();
    const off = this.options.stopper.onNudge(() => wake.abort());
    await this.resting(() => this.clock.sleep(ms, wake.signal));
    off();
  }

  /** Time that is nobody's work. */
  async resting<T>(act: () => Promise<T>): Promise<T> {
    const began = this.clock.monotonic();
    const result = await act();
    this.#restedMs += this.clock.monotonic() - began;
    return result;
  }

  get workspace(): Workspace {
    return this.options.workspace;
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /** On disk first, then in the state, then told: nobody hears of what could still be lost. */
  record<E extends Durable>(what: E): Recorded<E> {
    const event = withWorker(this.#state, what);
    const at = this.clock.now();
    const recorded = this.options.journal.append(event, at);
    this.#state = advance(this.#state, recorded);
    this.#remember(recorded);
    this.#tell(event, at);
    remember(this, event, at);
    return recorded;
  }

  #remember(record: Recorded): void {
    if (record.type === 'iteration.started') {
      this.#recent = [record];
      this.lastItem = record.item;
    }
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
      rm(file, { recursive: true, force: true })
        .then(() => writeFile(file, text, { flag: 'wx' }))
        .catch((error: Error) => this.notice('warn', `could not write ${file}: ${error.message}`)),
    );
  }

  async written(): Promise<void> {
    await Promise.all([...this.#writing.splice(0), this.workspace.shown()]);
  }

  /** Around code that is not the runner's, an agent or gates: what it did to git and to the run's files is put back. */
  async guarded<T>(act: () => Promise<T>): Promise<T> {
    await this.written();
    const held = await hold(this.#around());
    try {
      return await act();
    } finally {
      this.quietSince = Date.now();
      this.#found(await held.putBack());
    }
  }

  /** In this order: nothing is written through a link that was planted, and git is called last. */
  #around() {
    const { vault, journal } = this.options;
    const found = (name: string) =>
      attemptRef(this.#state.run, this.open?.item ?? 'found', `found-${name.replaceAll('/', '-')}`);
    return {
      files: heldOwnFiles(this.#planted, () => this.#writtenNow()),
      journal: heldJournal(journal),
      git: heldGit(vault, found),
    };
  }

  #found({ files, journal, git }: Readonly<Record<'files' | 'journal' | 'git', Change>>): void {
    for (const what of files.edits)
      this.notice('warn', `${what}; that was removed, and nothing was written through it`);
    this.#replaced.push(...files.edits);
    // A git that stayed has seen what was put back.
    if (git.edits.length > 0) this.workspace.close();
    for (const note of [...journal.edits, ...git.edits]) this.notice('warn', note);
    for (const { iteration } of this.#state.openIterations) mkdirSync(this.folderOf(iteration), { recursive: true });
  }

  /** The folders of this run that files are written into. */
  #writtenNow(): readonly string[] {
    const { folder } = this.options;
    const { run, openIterations, openReviews } = this.#state;
    return [
      join(folder.runs, run),
      vaultIn(folder.runs),
      ...openIterations.map(({ iteration }) => this.folderOf(iteration)),
      ...openReviews.map(({ review }) => dirname(this.reviewFileOf(review, 'brief.md'))),
    ];
  }

  /** What was found in the place of the runner's files since this was last asked. */
  takeReplaced(): readonly string[] {
    return this.#replaced.splice(0);
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

  get runFolder(): string {
    return runFolder(this.options.folder, this.#state.run);
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

function plantedIn({ folder, plan, config, settings, workspace }: SessionOptions): Planted {
  const repository = dirname(folder.root);
  return new Planted({
    repository,
    folder,
    folders: [workspace.root, ...(settings.archive ? [join(repository, settings.archive.folder)] : [])],
    files: [plan.path, ...(config ? [config.file] : [])],
  });
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
