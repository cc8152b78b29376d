/**
 * One process's hold on one run: its journal, the state folded from it, and who is told what happens. One long file, because
 * every step of the loop holds the run by this one object; what it only hands on is in files of its own.
 */
import { mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DEFAULT_BUDGET } from '../brief/index.ts';
import type { Settings } from '../config/index.ts';
import {
  type Change,
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
  /** Without the plan as it was at first: the one that counts is `plan`, and a long run would keep both. */
  readonly options: Omit<SessionOptions, 'plan'>;
  /** Which of the workers of the run this is; undefined for the run itself, which is the only one where there are none. */
  readonly worker: number | undefined;
  /** The run itself; a session that is no worker's is its own. */
  readonly main: Session;
  /** How a worker's accepted work comes on the run's branch; absent where it is committed at once. */
  land: Land | undefined;
  /** Called when gates begin to run on what a worker's work makes with that of others: no agent works here any more. */
  testing: (() => void) | undefined;
  /** Until nobody is writing a commit in the run's own checkout; absent where there is but one worker. */
  quiet: (() => Promise<void>) | undefined;
  /** Whether a worker is about to start its agent; absent where there is but one. */
  isStarting: (() => boolean) | undefined;
  plan: OpenPlan;
  /** Items that the last agent here added to the plan. */
  added: readonly string[] = [];
  /** What the work tree is known to hold. Empty: not known. */
  tree = '';
  /** The tree of the branch's newest commit, where this process made that commit. */
  treeOfTip: { readonly commit: string; readonly tree: string } | undefined;
  readonly knownGreen = new KnownGreen();
  /** Test results of trees that an item may start from. */
  readonly base: BaseTests;
  /** What git does not see and gates do. */
  readonly ignored: IgnoredFiles;
  readonly packages: InstalledPackages;
  /** What gates said about trees in folders of their own, by tree and command. */
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

  /** The iteration under way here. */
  get open(): OpenIteration | undefined {
    return openOf(this.state, this.worker);
  }

  get settings(): Settings {
    return this.options.settings;
  }

  /** What this process goes by, for the journal. */
  get limits(): RunLimits {
    const { waitMs: _, ...limits } = this.settings.limits;
    return { ...limits, ...(this.deadline === undefined ? {} : { deadline: this.deadline }) };
  }

  /** What an item has to pass. */
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
    return this.clock.monotonic() - this.shared.startedAt - this.shared.restedMs;
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
    this.shared.restedMs += this.clock.monotonic() - began;
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
    const event = withWorker(this.state, what);
    const at = this.clock.now();
    const recorded = this.options.journal.append(event, at);
    this.shared.state = advance(this.state, recorded);
    this.#remember(recorded);
    this.#tell(event, at);
    this.writingLessons(() => remember(this, event, at));
    return recorded;
  }

  /** Around whatever writes lessons: what an agent wrote there meanwhile is not taken for the runner's own. */
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
    // After a restart the newest iteration may be another process's; a worker's plan is no more than a copy.
    if (!isSnapshotDue(record) || shared.recent.length < 2 || this.worker !== undefined) return;
    const { folder, journal } = this.options;
    const plan = planThen(this.plan);
    const snapshot = { place: journal.end, state: this.state, recent: shared.recent, ...(plan ? { plan } : {}) };
    writeSnapshot(snapshotOf(folder, this.state.run), snapshot);
  }

  /** The number of the next iteration, which nobody else gets; it is free again where the iteration does not begin. */
  takeNumber(): { readonly iteration: number; free(): void } {
    const { numbers } = this.shared;
    const iteration = Math.max(this.state.iterations, ...numbers) + 1;
    numbers.add(iteration);
    return { iteration, free: () => numbers.delete(iteration) };
  }

  /** The lessons as the runner left them, where several agents work at once. */
  get ownLessons(): OwnLessons | undefined {
    return this.shared.lessons;
  }

  /** From now on several agents work at once. */
  shareLessons(file: string): void {
    const isBeside = () => runsBeside(this.options.folder).length > 0;
    this.shared.lessons ??= new OwnLessons({ file, isBeside });
  }

  /** What agents have cost so far that are still at work. */
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
    this.shared.busy += 1;
    try {
      return await act();
    } finally {
      this.shared.busy -= 1;
      this.shared.quietSince = Date.now();
      this.#found(await held.putBack());
    }
  }

  /** In this order: nothing is written through a link that was planted, and git is called last. */
  #around() {
    const { journal } = this.options;
    const found = (name: string) =>
      attemptRef(this.state.run, this.open?.item ?? 'found', `found-${name.replaceAll('/', '-')}`);
    return {
      files: heldOwnFiles(this.#planted, () => this.#writtenNow()),
      journal: heldJournal(journal),
      checkout: () => this.#holdCheckout(),
      git: heldGit(this.shared.vault, found),
    };
  }

  /** The vault has the run's own checkout; a worker's is its own. */
  #holdCheckout(): () => Change {
    if (this.worker === undefined) return () => UNCHANGED;
    const putBack = this.workspace.holdCheckout(join(this.runFolder, 'found'));
    return () => ({ edits: putBack() });
  }

  #found({ files, journal, checkout, git }: Readonly<Record<'files' | 'journal' | 'checkout' | 'git', Change>>): void {
    for (const what of files.edits)
      this.notice('warn', `${what}; that was removed, and nothing was written through it`);
    this.#replaced.push(...files.edits);
    // A git that stayed has seen what was put back.
    if (git.edits.length > 0) this.workspace.close();
    for (const note of [...journal.edits, ...checkout.edits, ...git.edits]) this.notice('warn', note);
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

  /** One more who is told, after all others. */
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
