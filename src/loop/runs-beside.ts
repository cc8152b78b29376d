/** Runs that other runners carry on in this repository at this moment. */
import { liveSeats, type RalphFolder } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import type { ProcessId } from '../protocol.ts';

/** Asked with every record: that this process is alive needs no look. */
const mayBeBeside = (id: ProcessId): boolean => id.pid === process.pid || isAlive(id);

export const runsBeside = (folder: RalphFolder): readonly string[] =>
  liveSeats(folder, { isAlive: mayBeBeside }).flatMap(({ owner }) =>
    owner.process.pid === process.pid || owner.run === undefined ? [] : [owner.run],
  );
