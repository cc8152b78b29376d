/** Runs of other live runners in this repository. */
import { liveSeats, type RalphFolder } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import type { ProcessId } from '../protocol.ts';

/** Called with every record, so this process is not looked up. */
const mayBeBeside = (id: ProcessId): boolean => id.pid === process.pid || isAlive(id);

export const runsBeside = (folder: RalphFolder): readonly string[] =>
  liveSeats(folder, { isAlive: mayBeBeside }).flatMap(({ owner }) =>
    owner.process.pid === process.pid || owner.run === undefined ? [] : [owner.run],
  );
