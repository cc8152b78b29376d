/** A lesson that another runner is just writing is not taken for an agent's. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { OwnLessons } from '../../src/custody/lessons.ts';
import { sumOf } from '../../src/memory/index.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'ralph-lessons-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BEFORE = '# Lessons\n';
const AFTER = `${BEFORE}\n## L-000001 fact\n\nWritten by another runner.\n`;

/** As a runner writes: in its turn, the file first, and its sum a while later. */
const OTHER = `
const { writeFileSync, rmSync } = require('node:fs');
const [file, sum, text] = process.argv.slice(1);
writeFileSync(file + '.lock', '', { flag: 'wx' });
writeFileSync(file, text);
setTimeout(() => { writeFileSync(file.replace('.md', '.sum'), sum); rmSync(file + '.lock'); }, 300);
`;

test('waits for the turn of whoever writes', async () => {
  const file = join(folder, 'lessons.md');
  writeFileSync(file, BEFORE);
  const own = new OwnLessons({ file, isBeside: () => true });
  const other = spawn(process.execPath, ['-e', OTHER, file, sumOf(Buffer.from(AFTER)), AFTER]);
  await until(() => readFileSync(file, 'utf8') === AFTER);
  expect(own.putBack(() => undefined)).toEqual({ edits: [], said: [] });
  expect(readFileSync(file, 'utf8')).toBe(AFTER);
  other.kill();
});
