import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { readRun, readRunFast } from '../../src/journal/read-run.ts';
import { journalOf, ralphFolder, snapshotOf } from '../../src/journal/runs.ts';
import { isSnapshotDue, readSnapshot, writeSnapshot } from '../../src/journal/snapshot.ts';
import { fold } from '../../src/state.ts';
import { sampleEvents, writeEvents } from './sample.ts';

const top = mkdtempSync(join(tmpdir(), 'ralph-snapshot-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let runs = 0;

/** A run with the sample's journal, and a snapshot made after this many of its records. */
function snapshotAfter(count: number) {
  const folder = ralphFolder(join(top, String((runs += 1))));
  const run = 'a-run';
  const file = journalOf(folder, run);
  mkdirSync(dirname(file), { recursive: true });
  const before = writeEvents(file, sampleEvents.slice(0, count));
  const journal = Journal.open(file, () => undefined);
  if (!journal.ok) throw new Error(journal.error.message);
  const recent = before.slice(-2);
  writeSnapshot(snapshotOf(folder, run), { place: journal.value.end, state: fold(before), recent });
  const after = sampleEvents
    .slice(count)
    .map((event, n) => journal.value.append(event, 1_700_000_000_000 + (count + n) * 1000));
  journal.value.close();
  return { folder, run, file, snapshot: snapshotOf(folder, run), all: [...before, ...after], recent, after };
}

/** A snapshot with a lie in it, so that a read that believes it gives itself away. */
function lie(made: ReturnType<typeof snapshotAfter>): void {
  const stored = JSON.parse(readFileSync(made.snapshot, 'utf8')) as { state: object };
  writeFileSync(made.snapshot, JSON.stringify({ ...stored, state: { ...stored.state, agent: 'a lie' } }));
}

const agentOf = ({ folder, run }: ReturnType<typeof snapshotAfter>): string | undefined => {
  const read = readRunFast(folder, run);
  return read.ok ? read.value.state.agent : undefined;
};

describe('a snapshot', () => {
  test('made after any record gives the state that a full read gives', () => {
    for (let count = 1; count <= sampleEvents.length; count++) {
      const { folder, run, all, recent, after } = snapshotAfter(count);
      const fast = readRunFast(folder, run);
      expect(fast, `after ${count}`).toEqual({ ok: true, value: { state: fold(all), records: [...recent, ...after] } });
      expect(readRun(folder, run)).toEqual({ ok: true, value: { state: fold(all), records: all } });
    }
  });

  test('is what is read, and not the records before it', () => {
    const made = snapshotAfter(20);
    lie(made);
    expect(agentOf(made)).toBe('a lie');
  });

  test('goes on from there when the journal has grown', () => {
    const made = snapshotAfter(sampleEvents.length);
    const journal = Journal.open(made.file, () => undefined);
    if (!journal.ok) throw new Error(journal.error.message);
    journal.value.append({ type: 'steered', text: 'more' }, 1_800_000_000_000);
    journal.value.close();
    const read = readRunFast(made.folder, made.run);
    expect(read.ok && read.value.state.steering.at(-1)).toBe('more');
  });

  test('counts for a journal with a torn tail', () => {
    const made = snapshotAfter(sampleEvents.length);
    lie(made);
    appendFileSync(made.file, '{"seq":99,"at":1');
    expect(agentOf(made)).toBe('a lie');
  });

  test.each<readonly [string, (made: ReturnType<typeof snapshotAfter>) => void]>([
    ['is of another journal', made => writeFileSync(made.snapshot, readFileSync(snapshotAfter(25).snapshot))],
    ['is of a longer journal', made => truncateSync(made.file, readFileSync(made.file).lastIndexOf(10, -2) + 1)],
    ['is cut short', made => truncateSync(made.snapshot, 200)],
    ['is empty', made => truncateSync(made.snapshot, 0)],
    ['is not JSON', made => writeFileSync(made.snapshot, 'state')],
    ['is JSON of another shape', made => writeFileSync(made.snapshot, '{"place":{"good":1},"state":[]}')],
    ['is of another version', made => change(made, '"writer":"', '"writer":"0')],
    ['names another record', made => change(made, '"seq":', '"seq":1')],
    ['names another sum', made => change(made, '"sum":"', '"sum":"0')],
    ['names a place in the middle of a record', made => change(made, '"good":', '"good":1')],
    ['is gone', made => rmSync(made.snapshot)],
  ])('that %s is ignored', (_, spoil) => {
    const made = snapshotAfter(sampleEvents.length);
    lie(made);
    expect(agentOf(made)).toBe('a lie');
    spoil(made);
    expect(agentOf(made)).toBe('script');
  });

  test('does not hide damage behind it', () => {
    const made = snapshotAfter(20);
    const bytes = readFileSync(made.file);
    const lastLine = bytes.lastIndexOf(10, -2);
    bytes[lastLine - 40] = 0x23;
    writeFileSync(made.file, bytes);
    const read = readRunFast(made.folder, made.run);
    expect(read).toMatchObject({ ok: false, error: { reason: 'journal-damaged', line: sampleEvents.length - 1 } });
  });

  test('of a run that is not there is nothing', () => {
    expect(readSnapshot(join(top, 'none.json'), join(top, 'none.jsonl'))).toBeUndefined();
  });

  test('that cannot be written is not missed', () => {
    const made = snapshotAfter(5);
    const { value } = readRun(made.folder, made.run) as { value: { state: ReturnType<typeof fold> } };
    const place = { good: 0, seq: 0, sum: '' };
    expect(() => writeSnapshot(join(top, 'no', 'such', 'folder.json'), { place, recent: [], ...value })).not.toThrow();
  });

  test('is due every fifty iterations', () => {
    const [finished] = snapshotAfter(sampleEvents.length).all.filter(record => record.type === 'iteration.finished');
    if (!finished) throw new Error('the sample has no iteration');
    const due = Array.from({ length: 200 }, (_, n) => n + 1).filter(iteration =>
      isSnapshotDue({ ...finished, iteration }),
    );
    expect(due).toEqual([50, 100, 150, 200]);
  });
});

function change({ snapshot }: { readonly snapshot: string }, from: string, to: string): void {
  const text = readFileSync(snapshot, 'utf8');
  expect(text).toContain(from);
  writeFileSync(snapshot, text.replace(from, to));
}
