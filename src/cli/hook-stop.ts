/** `ralph hook stop`: lets a session end only with its promise and green gates, or after its last turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lastMessageIn, PROMISE, readClaim } from '../agents/index.ts';
import { runChecks } from '../checks/index.ts';
import { type RalphFolder, ralphFolder } from '../journal/index.ts';
import { Stopper } from '../process/index.ts';
import type { GateResult } from '../protocol.ts';
import { chooseSandbox, openProject } from '../start/index.ts';
import { readText } from '../util/files.ts';
import { once } from '../util/once.ts';
import { describeFailure } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { placeOfRepository } from '../workspace/index.ts';
import { readStopInput, type StopInput } from './hook-input.ts';
import { callOff, endLoop, type HookLoop, hasFresh, isCalledOff, loopOf, nextTurn } from './hook-loops.ts';
import { complain, print } from './print.ts';
import { onSignals } from './signals.ts';

const WAY_OUT = 'To end the loop: ralph hook stop --off';
/** Characters shown of each red gate's output. */
const TAIL = 3000;
/** How long to wait for the transcript; in vain only for other sessions while a loop has just started. */
const TRANSCRIPT_MS = 2000;
/** How often it is looked whether a person has called the loop off while gates run. */
const LOOK_MS = 500;

/** Its own failures exit with 1, because for Claude Code 2 means that the session must continue. */
export async function stopHook(most = Number.POSITIVE_INFINITY): Promise<number> {
  // A run has its own gates, limits and verdicts.
  if (process.env.RALPH_RUN) return 0;
  const input = await readStopInput();
  if (!input.ok) return complain(input.error, 1);
  const { session, cwd, transcript: file } = input.value;
  const repository = await placeOfRepository(cwd, process.env);
  if (!repository.ok) return 0;
  const folder = ralphFolder(repository.value.root);
  const loop = await loopSoon(folder, session, file);
  if (!loop) return 0;
  const transcript = once(() => readText(file) ?? '');

  const isOff = () => isCalledOff(folder, session);
  const missing = isOff() ? '' : await whatIsMissing(loop, input.value, { transcript, isOff });
  // Gates take a while, and a person may have ended the loop meanwhile.
  if (isOff()) {
    callOff(folder, session);
    return tell('ralph: the loop was called off.');
  }
  const last = Math.min(loop.maxIterations, most);
  const turns = `${loop.iteration} of ${plural(last, 'turn')}`;
  if (missing === undefined) {
    endLoop(folder, session);
    const gates =
      loop.gates.length > 0 ? `green: ${loop.gates.map(gate => gate.name).join(', ')}` : 'no gates to check it';
    return tell(`ralph: done after ${turns}; ${gates}.`);
  }
  if (loop.iteration >= last) {
    endLoop(folder, session);
    return tell(`ralph: the loop ends after ${turns}, and the task is NOT done. ${missing}`);
  }
  nextTurn(folder, session, loop);
  const reason = `${missing}\n\nThe task, turn ${loop.iteration + 1} of ${last}:\n${loop.task}\n\n${howToEnd(loop)}`;
  print(JSON.stringify({ decision: 'block', reason, systemMessage: `ralph: ${turns} over, going on. ${WAY_OUT}` }));
  return 0;
}

/** Claude Code writes its transcript with a delay: the start of a loop may not be in it yet. */
async function loopSoon(folder: RalphFolder, session: string, file: string): Promise<HookLoop | undefined> {
  for (const end = performance.now() + TRANSCRIPT_MS; ; await sleep(50)) {
    const loop = loopOf(folder, session, () => readText(file) ?? '');
    if (loop || !hasFresh(folder) || performance.now() >= end) return loop;
  }
}

/** A message for the person only: without a decision the session ends. */
function tell(systemMessage: string): number {
  print(JSON.stringify({ systemMessage }));
  return 0;
}

/** Tells the session how to end, at the start of a loop and at each turn. */
export const howToEnd = ({ gates }: Pick<HookLoop, 'gates'>): string =>
  [
    gates.length > 0 ? `These commands have to pass: ${gates.map(gate => gate.run).join('; ')}.` : '',
    `When the task is really done, write ${PROMISE} as the last line of your message, alone on that line. Never write it before.`,
  ]
    .join(' ')
    .trim();

/** What is still missing; undefined if the task is done. */
async function whatIsMissing(
  loop: HookLoop,
  { cwd, lastMessage }: StopInput,
  { transcript, isOff }: { readonly transcript: () => string; readonly isOff: () => boolean },
): Promise<string | undefined> {
  if (!isPromised(lastMessage ?? lastMessageIn(transcript()), loop))
    return 'The task is not done yet: your last message does not promise that it is.';
  if (loop.gates.length === 0) return undefined;
  const results = await checkGates(loop, { cwd, isOff });
  if (typeof results === 'string') return `You said that the task is done, but it could not be checked: ${results}`;
  const red = results.filter(gate => gate.status !== 'green');
  if (red.length === 0) return undefined;
  return ['You said that the task is done, but it is not: these commands do not pass.', ...red.map(described)].join(
    '\n\n',
  );
}

/** Whether the message makes the promise; a sentence that only mentions it does not count. */
function isPromised(message: string, loop: HookLoop): boolean {
  const lines = message.split('\n').map(line => (line.includes(PROMISE) && !isAlone(line) ? '' : line));
  return readClaim({ message: lines.join('\n'), item: '', brief: loop.task }).type === 'done';
}

const isAlone = (line: string): boolean => line.replace(PROMISE, '').replace(/[\s*_]/g, '') === '';

const described = ({ run, status, exit, tail }: GateResult): string =>
  `$ ${run}\n${tail.slice(-TAIL)}\n(${status === 'red' ? `exit ${String(exit)}` : status})`;

/** Runs the gates in the work tree as it is, with uncommitted changes; a sentence if they cannot be run. */
async function checkGates(
  loop: HookLoop,
  { cwd, isOff }: { readonly cwd: string; readonly isOff: () => boolean },
): Promise<readonly GateResult[] | string> {
  const project = await openProject({ cwd, env: process.env });
  if (!project.ok) return describeFailure(project.error.failure);
  // The session itself runs without our sandbox, so if there is none, its gates also run without one.
  const chosen = await chooseSandbox(project.value, { agents: ['claude'], consented: true });
  if (!chosen.ok) return describeFailure(chosen.error.failure);
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  // A gate may hang for a long time, and who calls the loop off is waiting.
  const watch = setInterval(() => {
    if (isOff()) stopper.stop({ reason: 'stop-requested', now: true });
  }, LOOK_MS);
  try {
    const { repository, settings, env } = project.value;
    const { sandbox } = chosen.value;
    const options = { env, settings, stopper, ...(sandbox ? { sandbox } : {}) };
    const place = { workspace: { root: repository.root }, options, show: () => undefined };
    return await runChecks(place, { gates: loop.gates, phase: 'final' });
  } finally {
    clearInterval(watch);
    quit();
  }
}
