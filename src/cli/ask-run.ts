/** Sends a person's request to a live run. A request from an agent of that run does not count as a person's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type LockOwner,
  liveSeats,
  type RalphFolder,
  type Request,
  type Sent,
  seatOfOwner,
  storeOf,
} from '../journal/index.ts';
import { actorHere, isAlive, self, systemTable } from '../process/index.ts';
import { type Refusal, refuse } from '../start/index.ts';
import { systemClock } from '../util/clock.ts';
import { type Failure, ok, type Result } from '../util/result.ts';

/** The runner answers between two steps, and some steps take a while. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 20;

export async function askRun(
  folder: RalphFolder,
  owner: LockOwner,
  request: Request,
  confirm?: string,
): Promise<Result<void, Refusal>> {
  if (isAgentOf(folder, owner)) return refuse(4, notAPerson);
  const actor = actorHere();
  const store = storeOf(seatOfOwner(folder, owner));
  if (request.type === 'stop' || request.type === 'pause' || request.type === 'resume') {
    store.send(request, { actor });
    nudge(owner.process.pid);
    return ok(undefined);
  }
  const sent = store.send(request, { from: self(), actor, ...(confirm === undefined ? {} : { confirm }) });
  try {
    nudge(owner.process.pid);
    return judged(await answerOf(sent, owner.process.pid));
  } finally {
    sent.withdraw();
  }
}

export const notAPerson: Failure = {
  reason: 'not-a-person',
  message: 'an agent of the live run cannot do this: only a person tells the runner what to do',
  hint: 'Say in your last message what is done, what is blocked and why; the runner checks it.',
};

function judged(answer: string | undefined): Result<void, Refusal> {
  if (answer === 'taken') return ok(undefined);
  if (answer === undefined) {
    const message = `the run did not answer within ${PATIENCE_MS / 1000} s; nothing was changed`;
    return refuse(4, { reason: 'no-answer', message, hint: 'Try again, or see what the run does: ralph status' });
  }
  return refuse(4, {
    reason: 'not-confirmed',
    message: 'the run cannot tell you from its agent: this terminal was opened after its first agent was started',
    hint: 'Repeat it with --confirm and the code that the terminal of the run shows now. If it shows none: ralph stop, then repeat it, then ralph run',
  });
}

async function answerOf(sent: Sent, runner: number): Promise<string | undefined> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const answer = sent.answer();
    if (answer !== undefined) return answer;
    // The first signal may arrive before the file is visible; a second one costs nothing.
    if (waited % 1000 === 980) nudge(runner);
    await systemClock.sleep(LOOK_MS);
  }
  return undefined;
}

/** Whether this process belongs to an agent of any live run here. */
export const isAgentHere = (folder: RalphFolder): boolean =>
  liveSeats(folder, { isAlive }).some(({ owner }) => isAgentOf(folder, owner));

/** Whether this process belongs to an agent of the run, or to a gate that runs the agent's code: by environment or parents. */
function isAgentOf({ runs }: RalphFolder, { process: runner }: LockOwner): boolean {
  const { RALPH_RUN: run } = process.env;
  return (run !== undefined && run !== '' && existsSync(join(runs, run))) || isBelow(runner.pid);
}

function isBelow(pid: number): boolean {
  const seen = new Set<number>();
  for (let at = process.ppid; at > 1 && !seen.has(at); at = systemTable.row(at)?.parent ?? 0) {
    if (at === pid) return true;
    seen.add(at);
  }
  return false;
}

/** Sends SIGUSR2. The runner installs its handler before it takes the lock, so the signal cannot end it. */
function nudge(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR2');
  } catch {
    // It has ended, or belongs to another user; it checks the inbox at its next step anyway.
  }
}
