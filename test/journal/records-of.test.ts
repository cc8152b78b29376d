/** The records of a long run are read as they are asked for, and are the same as all at once. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecords, recordsOf, storeOf } from '../../src/journal/index.ts';
import { journalOf, ralphFolder } from '../../src/journal/runs.ts';

const run = '2026-01-08-long';
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-records-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A journal of so many records. */
function write(count: number) {
  const folder = ralphFolder(root);
  const journal = storeOf(folder).openJournal(run);
  if (!journal.ok) throw new Error(journal.error.message);
  for (let n = 0; n < count; n++) journal.value.append({ type: 'steered', text: `note ${n}` }, n);
  journal.value.close();
  return folder;
}

test.each([0, 1, 49, 50, 51, 1001])('%i records, more than once', count => {
  const folder = write(count);
  const records = recordsOf(folder, run);
  const all = readRecords(folder, run);
  expect(all).toHaveLength(count);
  expect([...(records ?? [])]).toEqual(all);
  expect([...(records ?? [])]).toEqual(all);
});

test('a torn end is left out, and damage is refused', () => {
  const folder = write(600);
  const file = journalOf(folder, run);
  appendFileSync(file, '{"seq":601,"at":');
  expect([...(recordsOf(folder, run) ?? [])]).toHaveLength(600);
  writeFileSync(file, readFileSync(file, 'utf8').replace('note 550', 'note 551'));
  expect(recordsOf(folder, run)).toBeUndefined();
});
