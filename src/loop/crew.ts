/** The workers of a run: each has its own session and checkout and shares everything else with the run. */
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PACKAGE_FOLDERS } from '../custody/index.ts';
import { openOf } from '../state.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { linkAt } from '../util/paths.ts';
import { ok, type Result } from '../util/result.ts';
import { furnish, openWorkerCheckout, removeWorkerCheckouts, workerBranch, workerRoot } from '../workspace/index.ts';
import { removeCheckout } from './fresh-checkout.ts';
import { MergeLine } from './merge-line.ts';
import { Session } from './session.ts';
import { setUpCheckout } from './worker-checkout.ts';
import { planIn } from './worker-plan.ts';

/** How long a worker counts as having changed nothing: each look costs a git call, and agents read before they write. */
const YOUNG_MS = 5_000;

export class Crew {
  readonly #main: Session;
  readonly #sessions = new Map<number, Session>();
  /** Every checkout whose creation has started. */
  readonly #opening = new Map<number, Promise<Result<Session>>>();
  /** Checkouts that are being removed. */
  #leaving: Promise<unknown> = Promise.resolve();
  readonly line: MergeLine;

  constructor(main: Session) {
    this.#main = main;
    this.line = new MergeLine(main);
    main.quiet = () => this.line.quiet();
  }

  /** The path of a worker's checkout, whether it exists or not. */
  rootOf(worker: number): string {
    return workerRoot(this.#place(worker));
  }

  /** What a worker's agent has changed so far. An agent that has just started has changed nothing yet. */
  async touched(worker: number): Promise<readonly string[]> {
    const { at = 0 } = openOf(this.#main.state, worker) ?? {};
    if (this.#main.clock.now() - at < YOUNG_MS) return [];
    const names = await this.#sessions.get(worker)?.workspace.touched();
    return names?.ok ? names.value : [];
  }

  /** A worker's session; creates its checkout on the first call. A failure is final: a half-done set-up is unusable. */
  async session(worker: number): Promise<Result<Session>> {
    if (this.#sessions.get(worker)?.workspace.isFolderGone) {
      this.#main.notice('warn', `${this.rootOf(worker)} was deleted; it is created again`);
      this.#leave(new Set([worker]));
    }
    const opening = this.#opening.get(worker) ?? this.#open(worker);
    this.#opening.set(worker, opening);
    const opened = await opening;
    if (opened.ok && this.#opening.get(worker) === opening) this.#sessions.set(worker, opened.value);
    return opened;
  }

  /** Creates checkouts that will soon be needed, in parallel and in the background; errors surface in `session`. */
  prepare(workers: number): void {
    for (let worker = 1; worker <= workers; worker++) this.session(worker).catch(() => undefined);
  }

  /** Removes idle workers while others still work; one that is needed again gets a new checkout. */
  release(isIdle: (worker: number) => boolean): void {
    const { state } = this.#main;
    this.#leave(new Set([...this.#sessions.keys()].filter(worker => isIdle(worker) && !openOf(state, worker))));
  }

  /** New checkouts wait for it. */
  #leave(gone: ReadonlySet<number>): void {
    if (gone.size === 0) return;
    for (const worker of gone) this.#close(worker);
    // `dismiss` retries what cannot be removed now, and reports why.
    this.#leaving = this.#leaving.then(() => this.#remove(worker => gone.has(worker))).catch(() => undefined);
  }

  /** Removes all checkouts except those with open work. */
  async dismiss(): Promise<void> {
    await Promise.allSettled([this.#leaving, ...this.#opening.values()]);
    for (const worker of this.#opening.keys()) this.#close(worker);
    const keep = new Set(this.#main.state.openIterations.flatMap(({ worker }) => worker ?? []));
    await this.#remove(worker => !keep.has(worker));
    if (keep.size === 0) rmSync(join(this.#main.runFolder, 'workers'), { recursive: true, force: true });
  }

  #close(worker: number): void {
    const session = this.#sessions.get(worker);
    this.#sessions.delete(worker);
    this.#opening.delete(worker);
    if (session) removeCheckout(session.workspace);
  }

  async #remove(which: (worker: number) => boolean): Promise<void> {
    const { workspace, options, state } = this.#main;
    await removeWorkerCheckouts(workspace.repository, { folder: options.folder.worktrees, run: state.run, which });
  }

  #place(worker: number) {
    const { options, state } = this.#main;
    return { folder: options.folder.worktrees, run: state.run, worker };
  }

  async #open(worker: number): Promise<Result<Session>> {
    await this.#leaving;
    const main = this.#main;
    const { workspace, state, options } = main;
    const place = this.#place(worker);
    const base = state.tip;
    const made = await openWorkerCheckout(workspace.repository, { ...place, base });
    if (!made.ok) return made;
    const { root, gitDir, fresh } = made.value;
    const own = join(main.runFolder, 'workers', String(worker));
    mkdirSync(own, { recursive: true });
    const index = join(own, 'index');
    rmSync(index, { recursive: true, force: true });
    const accepted = join(own, 'accepted');
    const checkout = workspace.beside({ root, gitDir, branch: workerBranch(place), index, accepted });
    const prepared = await checkout.prepare();
    if (!prepared.ok) return prepared;
    const from = workspace.root;
    const { config, checkoutPlan: _, ...rest } = options;
    const tree = await workspace.treeOf(base);
    const { env, settings, carry } = options;
    if (fresh) {
      const { repository } = workspace;
      const furnishing = { repository, env, carry, share: settings.share, packages: PACKAGE_FOLDERS };
      for (const note of await furnish(furnishing, root)) main.notice('warn', note);
    }
    // Files written here may differ from the commit's, and a set-up may write anything.
    const isPlain = settings.setup.length === 0 && (settings.share === 'auto' || settings.share.length === 0);
    const isAsMade = fresh && isPlain && (!config || holdsConfig(config, { from, to: root }));
    const session = new Session(
      {
        ...rest,
        workspace: checkout,
        plan: planIn(main.plan, { from, to: root }),
        ...(config ? { config: configIn(config, { from, to: root }) } : {}),
      },
      { session: main, worker },
    );
    session.land = (decided, finish) => this.line.land(session, decided, finish);
    if (isAsMade && tree.ok) session.tree = tree.value;
    const setUp = fresh ? await setUpCheckout(session) : ok(undefined);
    return setUp.ok ? ok(session) : setUp;
  }
}

type Config = NonNullable<Session['options']['config']>;
interface Between {
  readonly from: string;
  readonly to: string;
}

const holdsConfig = ({ file, bytes }: Config, { from, to }: Between): boolean =>
  readBytes(join(to, relative(from, file)))?.equals(bytes) ?? false;

function configIn(config: Config, between: Between): Config {
  const { file, bytes } = config;
  const here = join(between.to, relative(between.from, file));
  if (!holdsConfig(config, between)) writeAtomic(here, bytes);
  return { file: here, bytes, link: linkAt(here) };
}
