/** `ralph logs --raw`: an iteration's stream as the agent printed it, made safe for a terminal. */
import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { iterationFolder, type RalphFolder, runFolder } from '../journal/index.ts';
import { isPacked, readOfIteration } from '../util/iteration-packs.ts';
import { openRegular } from '../util/regular.ts';
import { plain } from '../util/show.ts';
import { writeOut } from './print.ts';

const POLL_MS = 250;
const CHUNK = 64 * 1024;

export interface RawLogs {
  readonly folder: RalphFolder;
  readonly run: string;
  readonly iteration: number;
  /** The number of the newest iteration. */
  readonly last: () => number;
  /** If undefined, prints what is there. Otherwise continues while it returns true. */
  readonly goesOn?: (() => boolean) | undefined;
}

/** Prints one iteration after the other, until there are no more. */
export async function rawLogs({ folder, run, iteration: from, last, goesOn }: RawLogs): Promise<void> {
  const its = runFolder(folder, run);
  const open = (iteration: number) =>
    isPacked(its, iteration)
      ? once(readOfIteration(its, iteration, 'output.log'))
      : follow(join(iterationFolder(folder, run, iteration), 'output.log'));
  for (let iteration = from, tail = open(from); ; ) {
    const more = goesOn?.() ?? false;
    tail.read();
    if (goesOn && last() > iteration) {
      iteration += 1;
      tail.read();
      writeOut(`\n── iteration ${iteration} ──\n`);
      tail = open(iteration);
      continue;
    }
    if (!more) return;
    await sleep(POLL_MS);
  }
}

/** Prints a packed iteration. */
function once(bytes: Buffer | undefined): { read(): void } {
  let rest = bytes;
  return {
    read: () => {
      if (rest) writeOut(plain(rest.toString('utf8')));
      rest = undefined;
    },
  };
}

/** Continues from where the last read ended. */
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
          writeOut(plain(decoder.write(chunk.subarray(0, read))));
        }
      } finally {
        closeSync(fd);
      }
    },
  };
}
