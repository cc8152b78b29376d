/** Everything before the agent starts: the tree it starts from, its brief, and the record of its start. */
import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { briefFigures } from '../brief/index.ts';
import type { Item } from '../protocol.ts';
import { type ItemState, itemOf } from '../state.ts';
import { writeFresh, writeOwn } from '../util/files.ts';
import { ownFolder } from '../util/own-folder.ts';
import { ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { readyTools } from './check-tools.ts';
import { checksBefore } from './checks-before.ts';
import { composeBrief } from './compose-brief.ts';
import { enterItem } from './enter-item.ts';
import { type HeldGround, holdIgnored } from './hidden-ground.ts';
import type { Session } from './session.ts';
import { trackBegin } from './track.ts';
import { labelOf, type Worker } from './workers.ts';

export interface Begun {
  readonly item: Item;
  readonly worker: Worker;
  readonly iteration: number;
  readonly attempt: number;
  /** The item's state before this iteration. */
  readonly known: ItemState;
  readonly base: string;
  readonly startTree: string;
  readonly lease: string;
  readonly briefFile: string;
  readonly brief: string;
  readonly lessons: ReturnType<Session['recall']>;
  /** The attempt starts from the tree of the last one. */
  readonly carried: boolean;
  readonly wasRed: boolean;
  readonly unstartable: readonly string[];
  /** When the iteration began, by the clock of file timestamps; `startedAt` is the same by the journal's clock. */
  readonly since: bigint;
  /** Ignored files, restored before the gates run. */
  readonly ground: HeldGround;
  readonly startedAt: number;
}

export async function beginIteration(session: Session, item: Item, worker: Worker): Promise<Result<Begun>> {
  const number = session.takeNumber();
  try {
    return await begin(session, { item, worker, iteration: number.iteration });
  } finally {
    number.free();
  }
}

async function begin(
  session: Session,
  { item, worker, iteration }: { readonly item: Item; readonly worker: Worker; readonly iteration: number },
): Promise<Result<Begun>> {
  const known = itemOf(session.state, item.id);
  const attempt = known.attempts + 1;
  await session.main.quiet?.();
  const begun = trackBegin(session.main, { id: item.id, attempt, at: session.clock.now() });
  if (!begun.ok) return begun;
  const entered = await enterItem(session, item.id);
  if (!entered.ok) return entered;
  const { base, carried } = entered.value;
  const tools = await readyTools(session);
  if (!tools.ok) return tools;

  const { wasRed, unstartable } = await checksBefore(session, item, known);
  const lessons = session.recall(item);
  const brief = composeBrief(session, { item, iteration, attempt, carried, lessons });
  ownFolder(session.options.folder.root, session.folderOf(iteration));
  const briefFile = session.fileOf(iteration, 'brief.md');
  writeFresh(briefFile, brief.text);
  writeFresh(session.fileOf(iteration, 'brief.json'), briefFigures(brief));
  const since = lstatSync(briefFile, { bigint: true }).ctimeNs;
  // What was deleted until here, by a reviewer or a gate, was not deleted by this agent.
  session.workspace.believeFolder();
  const inner = await session.workspace.inner.note();
  if (!inner.ok) return inner;
  const ground = await holdIgnored(session, { iteration, since });
  // If git does not track the plan, a restart restores it from this copy.
  if (!session.options.planInTree) writeOwn(session.fileOf(iteration, 'plan.before'), session.plan.bytes);

  const lease = randomBytes(8).toString('hex');
  const key = { iteration, item: item.id };
  const startTree = session.tree;
  const { at: startedAt } = session.record({
    type: 'iteration.started',
    ...(session.worker === undefined ? {} : { worker: session.worker }),
    ...key,
    title: oneLine(item.title, 120),
    attempt,
    try: known.tries + 1,
    base,
    tree: startTree,
    lease,
    ...(worker.options === session.options.agentOptions ? {} : { agent: labelOf(worker) }),
    ...(Object.keys(inner.value).length > 0 ? { inner: inner.value } : {}),
    ...(item.verify.length > 0 && known.verifyWasRed === undefined ? { verifyWasRed: wasRed } : {}),
    ...(unstartable.length > 0 && known.unstartable === undefined ? { unstartable } : {}),
  });
  if (brief.lessons.length > 0) session.record({ type: 'lessons.shown', ...key, ids: brief.lessons });
  session.iterations += 1;
  const facts = { item, worker, known, attempt, base, startTree, lease, briefFile, startedAt };
  return ok({ ...facts, iteration, brief: brief.text, lessons, carried, wasRed, unstartable, since, ground });
}
