/**
 * The state of one run in this process: its journal, the state folded from it, and its event sinks. One long file, because every step of
 * the loop uses the run through this one object; parts that it only passes on are in files of their own.
 */
import { mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DEFAULT_BUDGET } from '../brief/index.ts';
import type { Settings } from '../config/index.ts';
import {
  type Change,
  heldAccess,
  heldGit,
  heldJournal,
  heldOwnFiles,
  hold,
  IgnoredFiles,
  InstalledPackages,
  OwnLessons,
  Planted,
  UNCHANGED,
} from '../custody/index.ts';
import type { Durable, Event, EventSink, Passing, Recorded, RunLimits } from '../events.ts';
import {
  isSnapshotDue,
  iterationFolder,
  reviewFolder,
  runFolder,
  snapshotOf,
  writeSnapshot,
} from '../journal/index.ts';
import type { Recalled } from '../memory/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import type { Clock, Gate, GateResult, Item } from '../protocol.ts';
import { advance, type OpenIteration, openOf, withWorker } from '../state.ts';
import { writeFresh } from '../util/files.ts';
import type { Result } from '../util/result.ts';
import { attemptRef, vaultIn, type Workspace } from '../workspace/index.ts';
import { BaseTests } from './base-tests.ts';
import type { Land } from './decided.ts';
import { itemGates } from './item-gates.ts';
import { KnownGreen } from './known-green.ts';
import { planThen } from './plan-then.ts';
import { remember } from './remembering.ts';
import { runsBeside } from './runs-beside.ts';
import type { SessionOptions } from './session-options.ts';
import { SharedRun, SharesRun, type Spender } from './shared-run.ts';

export class Session extends SharesRun {
  /** Without the initial plan: `plan` is the current one, and a long run would keep both in memory. */
  readonly options: Omit<SessionOptions, 'plan'>;
  /** The worker's number; undefined for the run itself, which is the only session without `--parallel`. */
  readonly worker: number | undefined;
  /** The session of the run itself; points to itself unless this is a worker's session. */
  readonly main: Session;
  /** Puts a worker's accepted work on the run's branch; absent if work is committed directly. */
  land: Land | undefined;
  /** Called when gates start to run on the merge of a worker's work with others': no agent works here any more. */
  testing: (() => void) | undefined;
  /** Waits until no commit is being written in the run's own checkout; absent with a single worker. */
  quiet: (() => Promise<void>) | undefined;
  /** Whether a worker is about to start its agent; absent with a single worker. */
  isStarting: (() => boolean) | undefined;
  plan: OpenPlan;
  /** Items that the last agent here added to the plan. */
  added: readonly string[] = [];
  /** The content of the work tree as far as known; empty means unknown. */
  tree = '';
  /** The tree of the tip, if this process made that commit. */
  treeOfTip: { readonly commit: string; readonly tree: string } | undefined;
  readonly knownGreen = new KnownGreen();
  /** Test results of trees that an item may start from. */
  readonly base: BaseTests;
  /** Ignored files, which gates read but git does not show. */
  readonly ignored: IgnoredFiles;
  readonly packages: InstalledPackages;
  /** Gate results for trees in separate folders, by tree and command. */
  readonly told = new Map<string, GateResult>();
  readonly #writing: Promise<void>[] = [];
  readonly #planted: Planted;
  #replaced: string[] = [];
  readonly #alsoTold: EventSink[] = [];

  constructor(options: SessionOptions, of: { readonly session?: Session; readonly worker?: number } = {}) {
    super(of.session?.shared ?? new SharedRun(options));
    const { plan, ...rest } = options;
    this.options = rest;
    this.worker = of.worker;
    this.main = of.session ?? this;
    this.base = new BaseTests(options.workspace, options.ownedInTree);
    this.ignored = new IgnoredFiles({
      root: options.workspace.root,
      list: () => options.workspace.notInSnapshot(),
    });
    const place = of.worker === undefined ? options.folder : undefined;
    this.packages = new InstalledPackages({ root: options.workspace.root, place });
    this.plan = plan;
    this.#planted = plantedIn(options);
  }

  /** The open iteration of this session. */
  get open(): OpenIteration | undefined {
    return openOf(this.state, this.worker);
  }

  get settings(): Settings {
    return this.options.settings;
  }

  /** The limits of this process, for the journal. */
  get limits(): RunLimits {
    const { waitMs: _, ...limits } = this.settings.limits;
    return { ...limits, ...(this.deadline === undefined ? {} : { deadline: this.deadline }) };
  }

  /** The gates that an item has to pass. */
  get itemGates(): readonly Gate[] {
    return itemGates(this.options.settings, this.plan);
  }

  /** The lessons that fit an item, within the budget of their slot. */
  recall(item: Item): readonly Recalled[] {
    const { memory } = this.remembering ?? {};
    const { items: plan } = this.plan.plan;
    return memory?.recall({ item, plan, budgetTokens: DEFAULT_BUDGET.lessons, now: this.clock.now() }) ?? [];
  }

  /** How long this process has worked, without waits and pauses. */
  get worked(): number {
    return this.clock.monotonic() - this.shared.startedAt - this.shared.restedMs;
  }

  /** Sleeps until a request arrives in the inbox, at most this long. */
  async rest(ms: number): Promise<void> {
    const wake = new AbortController();
    const off = this.options.stopper.onNudge(() => wake.abort());
    await this.resting(() => this.clock.sleep(ms, wake.signal));
    off();
  }

  /** Time that does not count as work. */
  async resting<T>(act: () => Promise<T>): Promise<T> {
    const began = this.clock.monotonic();
    const result = await act();
    this.shared.restedMs += this.clock.monotonic() - began;
    return result;
  }

  get workspace(): Workspace {
    return this.options.workspace;
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /** Writes the journal first, then updates the state, then informs the sinks, so that nobody sees an event that could still be lost. */
  record<E extends Durable>(what: E): Recorded<E> {
    const event = withWorker(this.state, what);
    const at = this.clock.now();
    const recorded = this.options.journal.append(event, at);
    this.shared.state = advance(this.state, recorded);
    this.#remember(recorded);
    this.#tell(event, at);
    this.writingLessons(() => remember(this, event, at));
    return recorded;
  }

  /** Wraps code that writes lessons, so that an agent's changes of the file are not mistaken for the runner's own. */
  writingLessons(act: () => void): void {
    const { lessons } = this.shared;
    if (lessons) lessons.write(act, (name, bytes) => writeFresh(join(this.runFolder, name), bytes));
    else act();
  }

  #remember(record: Recorded): void {
    const { shared } = this;
    if (record.type === 'iteration.started') {
      shared.recent = [record];
      shared.lastItem = record.item;
    }
    const [newest] = shared.recent;
    if (record.type === 'verdict' && newest && 'iteration' in newest && newest.iteration === record.iteration) {
      shared.recent = [newest, record];
    }
    // After a restart, another process may have started the newest iteration; and a worker's plan is only a copy.
    if (!isSnapshotDue(record) || shared.recent.length < 2 || this.worker !== undefined) return;
    const { folder, journal } = this.options;
    const plan = planThen(this.plan);
    const snapshot = { place: journal.end, state: this.state, recent: shared.recent, ...(plan ? { plan } : {}) };
    writeSnapshot(snapshotOf(folder, this.state.run), snapshot);
  }

  /** Reserves the number of the next iteration; `free` ends that when the journal has it, or if the iteration does not start. */
  takeNumber(): { readonly iteration: number; free(): void } {
    const { numbers } = this.shared;
    const iteration = Math.max(this.state.iterations, ...numbers) + 1;
    numbers.add(iteration);
    return { iteration, free: () => numbers.delete(iteration) };
  }

  /** The lessons as the runner left them; only set if several agents work at once. */
  get ownLessons(): OwnLessons | undefined {
    return this.shared.lessons;
  }

  /** Called before several agents work at once. */
  shareLessons(file: string): void {
    const isBeside = () => runsBeside(this.options.folder).length > 0;
    this.shared.lessons ??= new OwnLessons({ file, isBeside });
  }

  /** What each working agent has cost so far. */
  get spending(): Set<Spender> {
    return this.shared.spending;
  }

  show(event: Passing): void {
    const isGate = event.type === 'gate.started' || event.type === 'gate.finished';
    const whose = isGate && this.worker !== undefined ? { worker: this.worker } : {};
    this.#tell({ ...event, ...whose }, this.clock.now());
  }

  notice(level: 'info' | 'warn', message: string): void {
    this.show({ type: 'notice', level, message });
  }

  /** Writes a file for people, in the background; done before the next agent starts. Code that reads it awaits `written`. */
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

  /** Wraps code that is not the runner's (an agent, gates), and restores what it changed in git and in the run's files. */
  async guarded<T>(act: () => Promise<T>): Promise<T> {
    await this.written();
    const held = await hold(this.#around());
    this.shared.busy += 1;
    try {
      return await act();
    } finally {
      this.shared.busy -= 1;
      this.shared.quietSince = Date.now();
      this.#found(await held.putBack());
    }
  }

  /** The order matters: nothing is written through a planted link, and git is called last. */
  #around() {
    const { journal } = this.options;
    const found = (name: string) =>
      attemptRef(this.state.run, this.open?.item ?? 'found', `found-${name.replaceAll('/', '-')}`);
    const { root, repository } = this.workspace;
    return {
      access: heldAccess({ root, others: [repository.commonDir, this.options.folder.root] }),
      files: heldOwnFiles(this.#planted, () => this.#writtenNow()),
      journal: heldJournal(journal),
      checkout: () => this.#holdCheckout(),
      git: heldGit(this.shared.vault, found),
      index: () => () => this.#checkIndex(),
    };
  }

  /** An agent of a worker reaches the run's index too. */
  async #checkIndex(): Promise<Change> {
    const edits: string[] = [];
    for (const { workspace } of new Set([this.main, this])) {
      const checked = await workspace.checkIndex();
      if (!checked.ok) edits.push(`the index of this run could not be made again: ${checked.error.message}`);
      else if (checked.value) edits.push('the index of this run was changed by another program; it was made again');
    }
    return { edits };
  }

  /** The vault protects the run's own checkout; a worker's checkout has to be held separately. */
  #holdCheckout(): () => Change {
    if (this.worker === undefined) return () => UNCHANGED;
    const putBack = this.workspace.holdCheckout(join(this.runFolder, 'found'));
    return () => ({ edits: putBack() });
  }

  #found(found: Readonly<Record<'access' | 'files' | 'journal' | 'checkout' | 'git' | 'index', Change>>): void {
    const { access, files, journal, checkout, git, index } = found;
    for (const what of access.edits) this.notice('warn', what);
    for (const what of files.edits)
      this.notice('warn', `${what}; that was removed, and nothing was written through it`);
    this.#replaced.push(...files.edits);
    // A long-lived git process has read the files before they were restored, so it is restarted.
    if (git.edits.length > 0) this.workspace.close();
    for (const note of [...journal.edits, ...checkout.edits, ...git.edits, ...index.edits]) this.notice('warn', note);
    for (const { iteration } of this.state.openIterations) mkdirSync(this.folderOf(iteration), { recursive: true });
  }

  /** The folders of this run that files are written into. */
  #writtenNow(): readonly string[] {
    const { folder } = this.options;
    const { run, openIterations, openReviews } = this.state;
    return [
      join(folder.runs, run),
      vaultIn(folder.runs),
      ...openIterations.map(({ iteration }) => this.folderOf(iteration)),
      ...openReviews.map(({ review }) => dirname(this.reviewFileOf(review, 'brief.md'))),
    ];
  }

  /** What replaced the runner's files since the last call. */
  takeReplaced(): readonly string[] {
    return this.#replaced.splice(0);
  }

  /** If git fails after an agent ran, its objects may be damaged: repairs them from the vault and tries once more. */
  async mended<T>(act: () => Promise<Result<T>>): Promise<Result<T>> {
    const first = await act();
    if (first.ok) return first;
    const notes = this.options.vault.mend('by-content');
    for (const note of notes) this.notice('warn', note);
    if (notes.length > 0) this.workspace.close();
    return notes.length > 0 ? await act() : first;
  }

  get runFolder(): string {
    return runFolder(this.options.folder, this.state.run);
  }

  folderOf(iteration: number): string {
    return iterationFolder(this.options.folder, this.state.run, iteration);
  }

  reviewFileOf(review: number, name: string): string {
    return join(reviewFolder(this.options.folder, this.state.run, review), name);
  }

  fileOf(iteration: number, name: string): string {
    return join(this.folderOf(iteration), name);
  }

  /** Adds a sink that is called after all others. */
  alsoTell(sink: EventSink): void {
    this.#alsoTold.push(sink);
  }

  #tell(event: Event, at: number): void {
    for (const sink of [...this.options.sinks, ...this.#alsoTold]) sink(event, at);
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
