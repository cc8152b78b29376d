/** `ralph run --detach`: the same run in a background process, with its output in a file. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveSeats, makeRalphFolder, type RalphFolder, slug } from '../journal/index.ts';
import { identify, isAlive, startDetached } from '../process/index.ts';
import { openProject } from '../start/index.ts';
import { ok, type Result } from '../util/result.ts';
import { complain, print } from './print.ts';

type Argv = readonly [string, ...string[]];

export async function detach(): Promise<number> {
  const [node = process.execPath, program = '', ...args] = process.argv;
  const folder = await folderHere();
  if (!folder.ok) return folder.error;
  const started = await begin(folder.value, {
    argv: [node, program, ...args.filter(arg => arg !== '--detach')],
    log: join(folder.value.root, 'detached.log'),
  });
  if (!started) return notStarted();
  const { pid, gone, run, log } = started;
  print(gone ? `The run in the background (pid ${pid}) has ended already.` : `Running in the background (pid ${pid}).`);
  const which = run === undefined || liveSeats(folder.value, { isAlive }).length < 2 ? '' : ` --run ${run}`;
  print(`See it with: ralph watch${which}, ralph status${which}, ralph logs -f${which}\nIts output: ${log}`);
  return 0;
}

/** Starts them one after the other and waits for each, so that the next command finds them all. */
export async function detachAll(runs: readonly { readonly plan: string; readonly argv: Argv }[]): Promise<number> {
  const folder = await folderHere();
  if (!folder.ok) return folder.error;
  for (const { plan, argv } of runs) {
    const log = join(folder.value.root, `detached-${slug(plan) || 'run'}.log`);
    const started = await begin(folder.value, { argv, log });
    if (!started) return notStarted();
    const { pid, gone } = started;
    print(gone ? `${plan}: ended already (pid ${pid}); its output: ${log}` : `${plan}: pid ${pid}, output in ${log}`);
  }
  print('See them with: ralph status --all, ralph logs --all -f. End one with: ralph stop --plan FILE');
  return 0;
}

async function folderHere(): Promise<Result<RalphFolder, number>> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return { ok: false, error: complain(project.error.failure, project.error.exit) };
  const made = makeRalphFolder(project.value.folder);
  return made.ok ? ok(project.value.folder) : { ok: false, error: complain(made.error, 4) };
}

const notStarted = (): number =>
  complain({ reason: 'not-started', message: 'the background process could not be started' }, 4);

interface InBackground {
  readonly pid: number;
  readonly log: string;
  readonly gone: boolean;
  readonly run: string | undefined;
}

/** Starts a run and waits until it holds its lock. */
async function begin(
  folder: RalphFolder,
  { argv, log }: { readonly argv: Argv; readonly log: string },
): Promise<InBackground | undefined> {
  const pid = startDetached({ argv, log });
  if (pid === undefined) return undefined;
  const child = identify(pid);
  const seat = () => liveSeats(folder, { isAlive }).find(({ owner }) => owner.process.pid === pid);
  const gone = () => child === undefined || !isAlive(child);
  for (let waited = 0; waited < START_MS && !seat() && !gone(); waited += POLL_MS) await sleep(POLL_MS);
  return { pid, log, gone: gone(), run: seat()?.owner.run };
}

const START_MS = 5_000;
const POLL_MS = 20;
