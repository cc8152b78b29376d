/** Runs that other runners carry on in this repository at this moment. */
import { liveSeats, type RalphFolder } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';

export const runsBeside = (folder: RalphFolder): readonly string[] =>
  liveSeats(folder, { isAlive }).flatMap(({ owner }) =>
    owner.process.pid === process.pid || owner.run === undefined ? [] : [owner.run],
  );
