/** The loop with several workers: each free worker takes the next suitable item, and none waits for the slowest. */
import { dueReview } from '../evidence/index.ts';
import { lessonsFile } from '../memory/index.ts';
import { pickNext } from '../plan/index.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { isOpen, openOf, statusIn } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { afterVerdict, blockIfSpent } from './after-verdict.ts';
import { chooseItems } from './choose-items.ts';
import { Crew } from './crew.ts';
import { enterTree } from './enter-tree.ts';
import { finishPlan, type Left } from './finish-plan.ts';
import { iterate } from './iterate.ts';
import { limitReached, spentLimit } from './limits.ts';
import { startReview } from './next-review.ts';
import { obey } from './obey.ts';
import { itemsNow } from './read-plan.ts';
import type { Session } from './session.ts';
import { settleReviews } from './settle-review.ts';
import type { Stop } from './stop.ts';
import { type Ended, Tasks } from './tasks.ts';
import { waitUntil } from './wait-until.ts';
import { takeWorker, type Worker } from './workers.ts';

interface Scene {
  readonly session: Session;
  readonly crew: Crew;
  readonly tasks: Tasks<Item>;
  readonly count: number;
  /** Notices about waiting items that were already shown. */
  readonly told: Set<string>;
}

export async function loopParallel(session: Session, count: number): Promise<Result<Stop>> {
  const { remembering } = session;
  if (remembering) session.shareLessons(lessonsFile(remembering.memory.place));
  const crew = new Crew(session);
  const tasks = new Tasks<Item>();
  const scene: Scene = { session, crew, tasks, count, told: new Set() };
  session.isStarting = () => [...tasks.running.keys()].some(worker => !openOf(session.state, worker)?.process);
  await crew.dismiss();
  crew.prepare(startable(session, Math.min(count, session.settings.limits.iterations)));
  try {
    const stop = await untilStop(scene);
    // Let running workers finish, and land what is accepted.
    await scene.tasks.idle();
    const failed = scene.tasks.takeEnded().find(end => !end.ok);
    return failed && !failed.ok ? failed : stop;
  } finally {
    await scene.tasks.idle();
    await crew.dismiss();
  }
}

/** How many items could start now, at most `most`. */
function startable({ plan, state, options: { only } }: Session, most: number): number {
  const { items } = plan.plan;
  const taken = new Set<Item>();
  const status = (item: Item): ItemStatus => (taken.has(item) ? 'blocked' : statusIn(state, item));
  while (taken.size < most) {
    const { next } = pickNext({ items, status, ...(only === undefined ? {} : { only }) });
    if (!next || taken.has(next)) break;
    taken.add(next);
  }
  return taken.size;
}

async function untilStop(scene: Scene): Promise<Result<Stop>> {
  for (;;) {
    const turned = await turn(scene);
    if (!turned.ok) return turned;
    if (turned.value) return ok(turned.value);
  }
}

/** One pass: finished work, requests, the next items. */
async function turn(scene: Scene): Promise<Ended> {
  const { session, crew, tasks } = scene;
  const last = tasks.takeEnded().find(end => !end.ok || end.value !== undefined);
  if (last) return last;
  if (session.halt !== undefined) return ok({ reason: 'halted', why: session.halt });
  await crew.line.quiet();
  const request = await obey(session, () => tasks.idle());
  if (request) return ok(request);
  const now = itemsNow(session);
  if (!now.ok) return now;
  const { items, status } = now.value;
  if (session.state.waitUntil !== undefined) {
    await tasks.idle();
    return ok(await waitUntil(session));
  }
  const reviewed = await review(scene, { items, status });
  if (reviewed) return reviewed;
  if (tasks.running.size === 0) {
    const ready = await takeBranch(session);
    if (!ready.ok) return ready;
  }
  const started = await startWorkers(scene, { items, status });
  if (started) return started;
  if (tasks.running.size === 0) return await finishPlan(session, { items, status });
  await tasks.nextEnd(session.options.stopper);
  return ok(undefined);
}

/** A review has the run's own checkout to itself; workers continue and land after it. Undefined if no review is due. */
async function review({ session, crew }: Scene, { items, status }: Left): Promise<Ended | undefined> {
  const place = { state: session.state, review: session.settings.review, items, status };
  const isOpen = [...session.state.items.values()].some(known => known.review && !known.review.settled);
  const due = dueReview(place);
  if (!due && !isOpen) return undefined;
  return await crew.line.alone(async () => {
    // A crash may have hit between a review's verdict and its consequences.
    const settled = await settleReviews(session);
    if (!settled.ok || !due) return settled.ok ? ok(undefined) : settled;
    const limit = spentLimit(session);
    return limit ? ok(limit) : await startReview(session, due);
  });
}

/** While no worker is active, the branch may have new commits that no worker made: a person's, or the plan's first version. */
async function takeBranch(session: Session): Promise<Result<void>> {
  const { workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  if (tip.value !== session.state.tip) session.record({ type: 'branch.taken', commit: tip.value });
  const tree = await workspace.treeOf(tip.value);
  if (!tree.ok) return tree;
  const entered = await enterTree(session, { wanted: tree.value, tip: tip.value });
  if (!entered.ok) return entered;
  session.treeOfTip = { commit: tip.value, tree: tree.value };
  return ok(undefined);
}

/** Starts free workers on items. Returns a result if something else has to be handled first. */
async function startWorkers(scene: Scene, { items, status }: Left): Promise<Ended | undefined> {
  const { session, crew, tasks, count } = scene;
  const atWork = [...tasks.running].map(([worker, { doing }]) => ({
    item: doing,
    touched: () => crew.touched(worker),
  }));
  const free = Math.min(count - tasks.working, checkoutsFor(session, count) - atWork.length);
  if (free <= 0) return undefined;
  const { next, apart } = await chooseItems(session, { items, status, atWork, free });
  for (const { item, why } of apart) tellOnce(scene, item, why);
  for (const item of next) {
    const begins = [...tasks.running.keys()].filter(worker => !openOf(session.state, worker)).length;
    const limit = limitReached(session, begins);
    if (limit) return tasks.running.size === 0 ? ok(limit) : undefined;
    // A crash may have hit between the last rejection and its consequences.
    if (blockIfSpent(session, item)) return ok(undefined);
    const agent = takeWorker(session, item.id);
    if (!agent) return ok(undefined);
    if ('reason' in agent) return tasks.running.size === 0 ? ok(agent) : undefined;
    const worker = tasks.free;
    tasks.add(worker, item, work(scene, { worker, item, agent }));
  }
  releaseIdle(scene, { items, status });
  return undefined;
}

/** Releases idle workers once no item is left to take. A checkout with a set-up is kept, because work may be sent back. */
function releaseIdle({ session, crew, tasks }: Scene, { items, status }: Left): void {
  const taken = new Set([...tasks.running.values()].map(({ doing }) => doing.id));
  const isLeft = (item: Item) => isOpen(status(item)) && !taken.has(item.id);
  if (session.settings.setup.length > 0 || items.some(isLeft)) return;
  crew.release(worker => !tasks.running.has(worker));
}

/**
 * Work that the merge line tests stays in its checkout, so a worker that takes the next item meanwhile needs a second one. If checkouts
 * need a set-up, a second one would take longer than it saves.
 */
const checkoutsFor = ({ settings }: Session, count: number): number => (settings.setup.length > 0 ? count : 2 * count);

interface Piece {
  readonly worker: number;
  readonly item: Item;
  readonly agent: Worker;
}

async function work({ session, crew, tasks }: Scene, { worker, item, agent }: Piece): Promise<Ended> {
  const its = await crew.session(worker);
  if (!its.ok) return its;
  its.value.testing = () => tasks.testing(worker);
  const iterated = await iterate(its.value, item, agent);
  if (!iterated.ok) return iterated;
  if (iterated.value.type === 'cut-off') return ok(undefined);
  await crew.line.quiet();
  return ok(await afterVerdict(session, item, iterated.value, agent));
}

function tellOnce({ session, told }: Scene, { id }: Item, why: string): void {
  if (told.has(`${id} ${why}`)) return;
  told.add(`${id} ${why}`);
  session.notice('info', why);
}
