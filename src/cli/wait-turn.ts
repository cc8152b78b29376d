/** `ralph run --at 22:00`, and `--after` a run that is not over: the run waits, and the queue shows it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRalphFolder } from '../journal/index.ts';
import { self } from '../process/index.ts';
import { dequeue, enqueue, isLiveNamed, openProject, queueIn, waitsFor } from '../start/index.ts';
import { deadlineAt } from '../util/deadline.ts';
import { type Failure, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { type Call, textFlag } from './command.ts';
import { complain, note } from './print.ts';

const LOOK_MS = 500;

/** Returns when it is this run's turn, or an exit code if that will never be. */
export async function waitTurn(call: Call): Promise<Result<void, number>> {
  const [at, after] = [textFlag(call, 'at'), textFlag(call, 'after')];
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return { ok: false, error: complain(project.error.failure, project.error.exit) };
  const { folder } = project.value;
  const now = Date.now();
  const wanted = {
    plan: call.args[0] ?? textFlag(call, 'plan') ?? '',
    flags: after === undefined ? [] : [`--after=${after}`],
    ...(at === undefined ? {} : { at: deadlineAt(at, now) }),
    ...(after === undefined ? {} : { after }),
    added: now,
    waiter: self(),
  };
  const first = waitsFor(folder, { id: 0, ...wanted }, now);
  // If the other run is not live, its state is the base, whether it is complete or not.
  if (first === undefined || (at === undefined && !isLiveNamed(folder, after ?? ''))) return ok(undefined);
  const made = makeRalphFolder(folder);
  if (!made.ok) return { ok: false, error: complain(made.error, 4) };
  const { id } = enqueue(folder, wanted);
  note([`waits ${first}; see: ralph queue. To cancel it: ralph queue remove ${id}`]);
  const left = onLeaving();
  for (;;) {
    if (left() !== undefined) {
      dequeue(folder, id);
      return { ok: false, error: left() ?? 130 };
    }
    const mine = queueIn(folder).find(each => each.id === id);
    if (!mine) {
      note(['it was removed from the queue; nothing was run']);
      return { ok: false, error: 1 };
    }
    const waits = waitsFor(folder, mine, Date.now());
    if (waits === undefined && dequeue(folder, id)) break;
    if (waits?.startsWith('for ') && after !== undefined && !isLiveNamed(folder, after)) {
      dequeue(folder, id);
      return { ok: false, error: complain(notComplete(after, wanted.plan), 1) };
    }
    await sleep(LOOK_MS);
  }
  left.off();
  return ok(undefined);
}

const notComplete = (after: string, plan: string): Failure => ({
  reason: 'not-complete',
  message: `${after} ended and is not complete; nothing was run`,
  hint: `See: ralph status. To build on what is there: ralph run ${quoted(plan)} --after ${quoted(after)}`,
});

function onLeaving(): (() => number | undefined) & { off(): void } {
  let code: number | undefined;
  const handlers = { SIGINT: () => void (code = 130), SIGTERM: () => void (code = 143), SIGHUP: () => undefined };
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  const off = () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
  return Object.assign(() => code, { off });
}
