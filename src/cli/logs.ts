/** `ralph logs`: what the agent printed, made safe for a terminal. */
import { closeSync, existsSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockOwner } from '../journal/lock.ts';
import { listRuns } from '../journal/run-list.ts';
import { iterationFolder, type RalphFolder } from '../journal/runs.ts';
import { isAlive } from '../process/identity.ts';
import { openProject } from '../start/project.ts';
import { openRegular } from '../util/regular.ts';
import { plain } from '../util/show.ts';
import { type Handler, switchFlag } from './command.ts';
import { runNamed } from './current-run.ts';
import { complain } from './print.ts';

const POLL_MS = 250;
const CHUNK = 64 * 1024;

export const logs: Handler = async call => {
  const [wanted] = call.args;
  if (wanted !== undefined && !/^[1-9]\d*$/.test(wanted)) {
    return complain({
      reason: 'usage',
      message: `an iteration is a number, not "${wanted}"`,
      hint: 'For example: ralph logs 3',
    });
  }
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, 1);
  const { folder } = project.value;
  const named = runNamed(project.value, call);
  if (!named.ok) return complain(named.error, 1);
  // What an agent did last is asked for more often than what the open run did.
  const run = named.value ?? listRuns(folder)[0];
  const last = run === undefined ? 0 : lastIteration(folder, run);
  const from = wanted === undefined ? last : Number(wanted);
  if (run === undefined || last === 0) {
    return complain({ reason: 'no-run', message: 'no agent has run here yet', hint: 'Start one with: ralph run' }, 1);
  }
  if (!existsSync(iterationFolder(folder, run, from))) {
    return complain(
      { reason: 'no-iteration', message: `run ${run} has no iteration ${from}`, hint: `It has 1 to ${last}.` },
      1,
    );
  }
  if (!switchFlag(call, 'follow')) {
    follow(logFile(folder, run, from)).read();
    return 0;
  }
  await followAll(folder, run, from);
  return 0;
};

const logFile = (folder: RalphFolder, run: string, iteration: number): string =>
  join(iterationFolder(folder, run, iteration), 'output.log');

/** Through the iterations as they come, until no runner is left. */
async function followAll(folder: RalphFolder, run: string, from: number): Promise<void> {
  for (let iteration = from, tail = follow(logFile(folder, run, from)); ; ) {
    tail.read();
    if (lastIteration(folder, run) > iteration) {
      iteration += 1;
      tail.read();
      process.stdout.write(`\n── iteration ${iteration} ──\n`);
      tail = follow(logFile(folder, run, iteration));
      continue;
    }
    if (!lockOwner({ file: folder.lock, isAlive })) return;
    await sleep(POLL_MS);
  }
}

/** Reads on from where the last read ended. */
function follow(file: string): { read(): void } {
  const decoder = new StringDecoder('utf8');
  let position = 0;
  return {
    read: () => {
      const opened = openRegular(file);
      if (typeof opened === 'string') return;
      const { fd } = opened;
      try {
        const chunk = Buffer.allocUnsafe(CHUNK);
        for (
          let read = readSync(fd, chunk, 0, CHUNK, position);
          read > 0;
          read = readSync(fd, chunk, 0, CHUNK, position)
        ) {
          position += read;
          process.stdout.write(plain(decoder.write(chunk.subarray(0, read))));
        }
      } finally {
        closeSync(fd);
      }
    },
  };
}

function lastIteration(folder: RalphFolder, run: string): number {
  try {
    return Math.max(
      0,
      ...readdirSync(join(folder.runs, run, 'iterations'))
        .map(Number)
        .filter(Number.isInteger),
    );
  } catch {
    return 0;
  }
}
