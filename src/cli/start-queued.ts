/** Queued plans that no process waits for: reported when a run begins, started when it ends and they are due. */
import { join } from 'node:path';
import type { StopReason } from '../events.ts';
import { type RalphFolder, slug } from '../journal/index.ts';
import { isOwnSession, startDetached } from '../process/index.ts';
import { dequeue, isUnminded, openProject, queueIn, waitsFor } from '../start/index.ts';
import { note } from './print.ts';

/** A person wanted the run to end, so nothing else is started. */
const WANTED_ENDS: readonly StopReason[] = ['interrupted', 'terminated', 'stop-requested'];

/** Reports the queue; not from runs that were started together, because each would print the same. */
export async function sayWaiting(): Promise<void> {
  const project = isOwnSession(process.env) ? undefined : await openProject({ cwd: process.cwd(), env: process.env });
  if (!project?.ok) return;
  const { folder } = project.value;
  const now = Date.now();
  const lines = queueIn(folder)
    .filter(isUnminded)
    .map(queued => `${queued.plan || 'a plan'} waits ${waitsFor(folder, queued, now) ?? 'to be started'}`);
  if (lines.length > 0)
    note([
      ...lines,
      'what is due when this run ends is started then; to have each started at its time: ralph queue run',
    ]);
}

/** Starts each due plan in the background, in its own worktree, like `ralph queue run`. */
export async function takeUpDue(reason: StopReason): Promise<void> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return;
  const { folder, repository } = project.value;
  const due = queueIn(folder).filter(each => isUnminded(each) && waitsFor(folder, each, Date.now()) === undefined);
  if (due.length > 0 && WANTED_ENDS.includes(reason)) {
    note([`${due.map(({ plan }) => plan || 'a plan').join(', ')} still waits; start it with: ralph queue run`]);
    return;
  }
  for (const { id } of due) {
    const said = startQueued({ folder, root: repository.root, id });
    if (said !== undefined) note([said]);
  }
}

/** Removes a plan from the queue and starts it; undefined if another process was faster. */
export function startQueued({
  folder,
  root,
  id,
}: {
  readonly folder: RalphFolder;
  readonly root: string;
  readonly id: number;
}): string | undefined {
  const taken = dequeue(folder, id);
  if (!taken) return undefined;
  const { plan, flags } = taken;
  const [node = process.execPath, program = ''] = process.argv;
  const log = join(folder.root, `detached-${slug(plan) || 'run'}.log`);
  const argv = [node, program, 'run', ...(plan === '' ? [] : [plan]), '--worktree', ...flags] as const;
  const pid = startDetached({ argv, log, cwd: root });
  return pid === undefined
    ? `${plan} could not be started.`
    : `${plan || 'The plan'} is started (pid ${pid}), output in ${log}`;
}
