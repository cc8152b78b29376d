/** Ten ports for a run in a worktree, so that servers of runs side by side do not meet. */
import { createServer } from 'node:net';
import { liveSeats, type RalphFolder } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';

const FIRST = 42_000;
const LAST = 48_990;
export const PORTS = 10;

/** The first port of a block that no live run of this repository has and nobody listens on; undefined where none is left. */
export async function freePortBlock(folder: RalphFolder): Promise<number | undefined> {
  const taken = new Set(liveSeats(folder, { isAlive }).flatMap(({ owner }) => owner.port ?? []));
  for (let base = FIRST; base <= LAST; base += PORTS) {
    if (!taken.has(base) && (await areFree(base))) return base;
  }
  return undefined;
}

async function areFree(base: number): Promise<boolean> {
  const all = await Promise.all(Array.from({ length: PORTS }, (_, n) => isFree(base + n)));
  return all.every(Boolean);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
