/** Folders of old iterations are packed: fewer files, everything readable, nothing lost by whoever is killed in between. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packOldIterations } from '../../src/journal/pack-iterations.ts';
import {
  hasIteration,
  isPacked,
  iterationIn,
  newestIteration,
  packFor,
  readOfIteration,
  sizeOfIteration,
} from '../../src/util/iteration-packs.ts';

const base = mkdtempSync(join(tmpdir(), 'ralph-packs-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const contents = (n: number) => ({
  'brief.md': `brief ${n}\n${'words of a plan that say much the same each time\n'.repeat(40)}`,
  'output.log': Buffer.from([0, 255, n % 256, 10]),
  'diff.patch': '',
});

function makeRun(name: string, count: number): string {
  const runFolder = join(base, 'runs', name);
  for (let n = 1; n <= count; n++) {
    mkdirSync(iterationIn(runFolder, n), { recursive: true });
    for (const [file, text] of Object.entries(contents(n))) writeFileSync(join(iterationIn(runFolder, n), file), text);
  }
  return runFolder;
}

function expectAll(runFolder: string, count: number): void {
  for (let n = 1; n <= count; n++) {
    for (const [file, text] of Object.entries(contents(n))) {
      expect(readOfIteration(runFolder, n, file), `${file} of ${n}`).toEqual(Buffer.from(text));
      expect(sizeOfIteration(runFolder, n, file)).toBe(text.length);
    }
  }
  expect(hasIteration(runFolder, count + 1)).toBe(false);
  expect(newestIteration(runFolder)).toBe(count);
}

test('all but the newest are in packs, and are read as before', async () => {
  const runFolder = makeRun('all', 173);
  // Somebody's own files: these stay where a person looks for them.
  mkdirSync(join(iterationIn(runFolder, 7), 'ignored'));
  const pack = () => packOldIterations({ base, runFolder, finished: 173 });
  expect(await pack()).toBe(99);
  expect([1, 7, 100, 101].map(n => isPacked(runFolder, n))).toEqual([true, false, true, false]);
  expect(existsSync(join(iterationIn(runFolder, 7), 'ignored'))).toBe(true);
  expectAll(runFolder, 173);
  expect(await pack()).toBe(0);
});

test('a pack that was written before the folders went away', async () => {
  const runFolder = makeRun('twice', 100);
  const pack = () => packOldIterations({ base, runFolder, finished: 100 });
  await pack();
  const saved = readFileSync(packFor(runFolder, 1));
  makeRun('twice', 30);
  expectAll(runFolder, 100);
  // One of them is not what was packed.
  writeFileSync(join(iterationIn(runFolder, 3), 'brief.md'), 'of another agent under the same number');
  expect(await pack()).toBe(29);
  expect(readOfIteration(runFolder, 3, 'brief.md')?.toString()).toContain('another agent');
  expect(readFileSync(packFor(runFolder, 1))).toEqual(saved);
});

test('a pack that is cut short is no pack, wherever it is cut, and takes no folder away', async () => {
  const runFolder = makeRun('cut', 100);
  await packOldIterations({ base, runFolder, finished: 100 });
  const whole = readFileSync(packFor(runFolder, 1));
  for (let length = 0; length < whole.length; length += 97) {
    truncateSync(packFor(runFolder, 1), length);
    expect(hasIteration(runFolder, 1), `${length} bytes`).toBe(false);
    expect(readOfIteration(runFolder, 1, 'brief.md')).toBeUndefined();
    writeFileSync(packFor(runFolder, 1), whole);
  }
  truncateSync(packFor(runFolder, 1), 100);
  makeRun('cut', 100);
  await packOldIterations({ base, runFolder, finished: 100 });
  expectAll(runFolder, 100);
});
