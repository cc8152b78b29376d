/** `ralph queue add | list | remove | run`: plans that wait for a time or for another run. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRuns, makeRalphFolder, type RalphFolder } from '../journal/index.ts';
import { isAddress } from '../plan/index.ts';
import { self } from '../process/index.ts';
import {
  dequeue,
  enqueue,
  isLeftOpen,
  isLiveNamed,
  isPromptText,
  locatePlan,
  mindQueue,
  openProject,
  type Project,
  type Queued,
  queueIn,
  queueLines,
  waitsFor,
} from '../start/index.ts';
import { deadlineAt } from '../util/deadline.ts';
import type { Failure } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { isAgentHere, notAPerson } from './ask-run.ts';
import { type Call, type Handler, switchFlag, textFlag } from './command.ts';
import { complain, print } from './print.ts';
import { startQueued } from './start-queued.ts';

const LOOK_MS = 1_000;

export const queue: Handler = async call => {
  const [what = 'list', given] = call.args;
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { folder } = project.value;
  // What waits is started by the runner itself, when no agent is at work any more.
  if (what !== 'list' && isAgentHere(folder)) return complain(notAPerson, 4);
  switch (what) {
    case 'add':
      return given === undefined ? complain(needs('add', 'a plan')) : add(call, project.value, given);
    case 'list':
      return list(call, folder);
    case 'remove':
      return remove(folder, given);
    case 'run':
      return await runQueue(project.value);
    default:
      return complain({
        reason: 'usage',
        message: `ralph queue knows add, list, remove and run, not "${what}"`,
        hint: 'See: ralph queue --help',
      });
  }
};

/** The run that it waits for began and is not live: it was killed, stopped, or needs a person. */
function leftAlone(folder: RalphFolder, { plan, at, after }: Queued, now: number): string | undefined {
  if (after === undefined || (at !== undefined && at > now) || !isLeftOpen(folder, after) || isLiveNamed(folder, after))
    return undefined;
  return `${after} has work left and nobody works on it, so ${plan} waits. To go on with it: ralph run ${quoted(after)}`;
}

const needs = (act: string, thing: string): Failure => ({
  reason: 'usage',
  message: `ralph queue ${act} needs ${thing}`,
  hint: 'See: ralph queue --help',
});

function add(call: Call, project: Project, given: string): number {
  const { folder, repository, cwd } = project;
  // Checked now, because at night nobody would notice that the plan is missing.
  const missing = refuseToQueue(project, given);
  if (missing) return complain(missing);
  // Queued plans are started from the root of the repository.
  const fromRoot = (name: string) => {
    const path = resolve(cwd, name);
    return existsSync(path) ? relative(repository.root, path) : name;
  };
  const plan = fromRoot(given);
  const made = makeRalphFolder(folder);
  if (!made.ok) return complain(made.error, 4);
  const now = Date.now();
  const [at, before] = [textFlag(call, 'at'), textFlag(call, 'after')];
  const after = before === undefined ? undefined : fromRoot(before);
  const queued = enqueue(folder, {
    plan,
    flags: after === undefined ? [] : [`--after=${after}`],
    ...(at === undefined ? {} : { at: deadlineAt(at, now) }),
    ...(after === undefined ? {} : { after }),
    added: now,
  });
  const waits = waitsFor(folder, queued, now);
  print(
    `Added as ${queued.id}; it waits ${waits ?? 'to be started'}. The first run that ends then starts it; to wait for it here: ralph queue run`,
  );
  return 0;
}

function refuseToQueue(project: Project, given: string): Failure | undefined {
  if (isPromptText(project.cwd, given) || isAddress(given) || listRuns(project.folder).includes(given))
    return undefined;
  // The path may also be relative to the root of the repository, from which it is started.
  const { cwd, repository } = project;
  const located = locatePlan({ ...project, cwd: existsSync(resolve(cwd, given)) ? cwd : repository.root }, given);
  return located.ok ? undefined : located.error.failure;
}

function list(call: Call, folder: RalphFolder): number {
  const all = queueIn(folder);
  if (switchFlag(call, 'json')) print(JSON.stringify(all, undefined, 2));
  else print(all.length === 0 ? 'Nothing is queued.' : queueLines(all, Date.now()).join('\n'));
  return 0;
}

function remove(folder: RalphFolder, given: string | undefined): number {
  if (given === undefined) return complain(needs('remove', 'the number or the plan of a queued run'));
  const meant = queueIn(folder).filter(({ id, plan }) => String(id) === given || plan === given);
  if (meant.length === 0) {
    return complain(
      { reason: 'not-queued', message: `the queue has no plan or number ${given}`, hint: 'See: ralph queue list' },
      1,
    );
  }
  for (const { id, plan } of meant) if (dequeue(folder, id)) print(`${plan} was removed from the queue.`);
  return 0;
}

/** Waits until the queue is empty; each plan is started in the background, in its own worktree, when it is due. */
async function runQueue({ folder, repository }: Project): Promise<number> {
  const told = new Set<string>();
  const tell = (line: string) => {
    if (!told.has(line)) print(line);
    told.add(line);
  };
  for (;;) {
    // Entries that another process waits for itself are not handled here.
    const mine = mindQueue(folder, self());
    if (mine.length === 0) break;
    const now = Date.now();
    for (const queued of mine) {
      const waits = waitsFor(folder, queued, now);
      if (waits === undefined) {
        const said = startQueued({ folder, root: repository.root, id: queued.id });
        if (said !== undefined) tell(said);
      } else {
        tell(`${queued.plan} waits ${waits}.`);
        const left = leftAlone(folder, queued, now);
        if (left !== undefined) tell(left);
      }
    }
    await sleep(LOOK_MS);
  }
  print(told.size === 0 ? 'Nothing is queued.' : 'The queue is empty now. See the runs with: ralph status --all');
  return 0;
}
