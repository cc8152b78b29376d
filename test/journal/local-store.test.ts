/** The local files are a store. */
import fs, { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { storeOf } from '../../src/journal/local-store.ts';
import { journalOf, makeRalphFolder, ralphFolder } from '../../src/journal/runs.ts';
import { storeConformance } from './store-conformance.ts';

const top = mkdtempSync(join(tmpdir(), 'ralph-store-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Everything that changes a file, a folder or a name. */
const CHANGES = [
  'writeSync',
  'writeFileSync',
  'appendFileSync',
  'renameSync',
  'linkSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'ftruncateSync',
  'fdatasyncSync',
  'fsyncSync',
] as const;

class Death extends Error {}

/** Of what was to be written; the rest is lost with the process. */
const halfOf = ([fd, bytes]: readonly unknown[]): unknown[] => [
  fd,
  Buffer.isBuffer(bytes) ? bytes.subarray(0, bytes.length >> 1) : String(bytes).slice(0, 5),
];

/** A process that is dead changes nothing more, whatever its code would still do about it. */
function dieAt(n: number, act: () => void): 'died' | 'finished' {
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = Object.fromEntries(CHANGES.map(name => [name, functions[name]]));
  let steps = 0;
  for (const name of CHANGES) {
    functions[name] = (...args) => {
      steps += 1;
      if (steps === n && name === 'writeSync') real[name]?.(...halfOf(args));
      if (steps >= n) throw new Death(`died at ${name}`);
      return real[name]?.(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    act();
  } catch (error) {
    // What the code makes of it is nobody's concern: it is dead.
    if (steps < n) throw error;
  } finally {
    Object.assign(functions, real);
    syncBuiltinESMExports();
  }
  return steps >= n ? 'died' : 'finished';
}

storeConformance('local files', () => {
  const folder = ralphFolder(mkdtempSync(join(top, 'repo-')));
  makeRalphFolder(folder);
  return {
    open: () => storeOf(folder),
    dieAt,
    tear: run => appendFileSync(journalOf(folder, run), '{"seq":5,"at":17000'),
    loseList: () => rmSync(join(folder.root, 'runs.list'), { force: true }),
  };
});
