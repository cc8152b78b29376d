/** `ralph run --detach`: the same run in a process of its own, with its output in a file. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveSeats, makeRalphFolder } from '../journal/index.ts';
import { identify, isAlive, startDetached } from '../process/index.ts';
import { openProject } from '../start/index.ts';
import { complain, print } from './print.ts';

export async function detach(): Promise<number> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  const { folder } = project.value;
  const made = makeRalphFolder(folder);
  if (!made.ok) return complain(made.error, 4);
  const log = join(folder.root, 'detached.log');
  const [node, program = '', ...args] = process.argv;
  const pid = startDetached({
    argv: [node ?? process.execPath, program, ...args.filter(arg => arg !== '--detach')],
    log,
  });
  if (pid === undefined)
    return complain({ reason: 'not-started', message: 'the background process could not be started' }, 4);
  // What is typed next is to find it: it is there once it holds the lock.
  const child = identify(pid);
  const there = () => liveSeats(folder, { isAlive }).some(({ owner }) => owner.process.pid === pid);
  const gone = () => child === undefined || !isAlive(child);
  for (let waited = 0; waited < START_MS && !there() && !gone(); waited += POLL_MS) await sleep(POLL_MS);
  print(
    gone() ? `The run in the background (pid ${pid}) has ended already.` : `Running in the background (pid ${pid}).`,
  );
  print(`See it with: ralph watch, ralph status, ralph logs -f\nIts output: ${log}`);
  return 0;
}

const START_MS = 5_000;
const POLL_MS = 20;
