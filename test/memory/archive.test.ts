import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recorded } from '../../src/events.ts';
import { archiveRun, finishArchives, keepPlan } from '../../src/memory/archive.ts';
import { efficiency, showEfficiency } from '../../src/memory/figures.ts';
import { watchRun } from '../../src/memory/learn-from-run.ts';
import { Memory } from '../../src/memory/memory.ts';
import { memorySummary, showMemorySummary } from '../../src/memory/memory-summary.ts';
import { appendProgress } from '../../src/memory/progress.ts';
import type { RunRecord } from '../../src/memory/run-record.ts';
import { readText } from '../../src/util/files.ts';
import { DAY, journalOf, lesson, NOW, type RunTold, type Scene, scene } from './scene.ts';

const run = '2026-01-08-payments';
const told: RunTold = {
  run,
  iterations: [
    { item: 'US-1', title: 'Pay by card', verdict: 'rejected', tail: 'Error: no card key\n', shown: ['L-aaaaaa'] },
    {
      item: 'US-1',
      title: 'Pay by card',
      verdict: 'accepted',
      shown: ['L-aaaaaa'],
      used: ['L-aaaaaa'],
      said: ['Keys come from the vault.'],
    },
    { item: 'US-2', title: 'Refund', verdict: 'accepted', shown: [] },
  ],
};

/** A repository in which this run is over and not archived yet. */
function over(): Scene & {
  readonly archive: (memory: Memory) => ReturnType<typeof archiveRun>;
  readonly progress: string;
  readonly runFolder: string;
} {
  const made = scene();
  const { place } = made;
  made.lessons([lesson('L-aaaaaa', 'Cards are tested with 4242.')]);
  const runFolder = join(place.folder, 'runs', run);
  const progress = join(place.folder, 'progress.md');
  keepPlan({ runFolder, when: 'before', path: 'prd.json', bytes: Buffer.from('{"before":1}\n') });
  keepPlan({ runFolder, when: 'before', path: 'prd.json', bytes: Buffer.from('{"too late":1}\n') });
  keepPlan({ runFolder, when: 'after', path: 'prd.json', bytes: Buffer.from('{"after":1}\n') });
  made.write('.ralph/runs/2026-01-08-payments/iterations/002/diff.patch', 'diff --git a/src/pay.ts b/src/pay.ts\n+1\n');
  for (const [id, iteration] of [
    ['another', 1],
    [run, 1],
    [run, 2],
  ] as const) {
    appendProgress({
      file: progress,
      entry: { run: id, iteration, item: 'US-1', verdict: 'accepted', at: NOW, message: `Said by ${id}.` },
    });
  }
  const records = journalOf(told);
  const items = [
    { id: 'US-1', title: 'Pay by card', status: 'done' },
    { id: 'US-2', title: 'Refund', status: 'done' },
    { id: 'US-3', title: 'Subscribe', status: 'pending' },
  ] as const;
  return {
    ...made,
    progress,
    runFolder,
    archive: memory => archiveRun({ memory, run, runFolder, records, items, progress }),
  };
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : []);

describe('an archive', () => {
  it('holds the plan before and after, the progress of its own run, the learnings and the record', () => {
    const { place, archive } = over();
    const memory = new Memory(place);
    const watch = watchRun({ memory });
    for (const record of journalOf(told)) watch(record, record.at);
    const archived = archive(memory);
    if (!archived.ok) throw new Error(archived.error.message);
    const { folder } = archived.value;
    expect(folder).toBe(join(place.archives, `run-${run}`));
    expect(namesIn(folder)).toEqual([
      '.gitignore',
      'learnings.md',
      'plan-after.json',
      'plan-before.json',
      'progress.txt',
      'run.json',
    ]);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(read('plan-before.json')).toBe('{"before":1}\n');
    expect(read('plan-after.json')).toBe('{"after":1}\n');
    expect(read('progress.txt').match(/Said by .*/g)).toEqual([`Said by ${run}.`, `Said by ${run}.`]);
    const learnings = read('learnings.md');
    expect(learnings).toContain('2 of 3 items done, 3 iterations');
    expect(learnings).toContain('Keys come from the vault.');
    expect(learnings).toContain('What you found out yourself: `ralph lessons add "..."`');
    expect(learnings).toContain('L-aaaaaa, used 1 time, 0 failures: Cards are tested with 4242.');
    expect(learnings).toContain(
      'US-1 Pay by card: rejected 1 time (gate `npm test` exited 1: Error: no card key), then accepted',
    );
    const record = JSON.parse(read('run.json')) as RunRecord;
    expect(record).toMatchObject({
      version: 1,
      run,
      reason: 'complete',
      iterations: 3,
      costUsd: expect.closeTo(0.3) as number,
    });
    expect(record.items.map(item => [item.id, item.status, item.attempts.length])).toEqual([
      ['US-1', 'done', 2],
      ['US-2', 'done', 1],
      ['US-3', 'pending', 0],
    ]);
    expect(record.items[0]?.attempts[0]).toMatchObject({
      verdict: 'rejected',
      reason: 'gate-red',
      line: 'Error: no card key',
      shown: ['L-aaaaaa'],
    });
    expect(record.items[0]?.attempts[1]).toMatchObject({
      verdict: 'accepted',
      paths: ['src/pay.ts'],
      used: ['L-aaaaaa'],
    });
    expect(record.lessons.shown['L-aaaaaa']).toMatchObject({ shown: 2, used: 1, won: 1, lost: 1, failed: 0 });
    expect(record.lessons.born.map(({ text }) => text)).toEqual(['Keys come from the vault.']);
  });

  it('is never written over: the same name gets a number', () => {
    const { place, archive } = over();
    archive(new Memory(place));
    archive(new Memory(place));
    expect(namesIn(place.archives)).toEqual(['.gitignore', `run-${run}`, `run-${run}-2`]);
  });

  it('is counted once, although its run was archived, continued and archived again', () => {
    const { place, archive } = over();
    const first = new Memory(place);
    archive(first);
    first.close();
    const second = new Memory(place);
    archive(second);
    second.close();
    const memory = new Memory(place);
    expect(memory.past.rows).toHaveLength(1);
    expect(memory.countsOf('L-aaaaaa')).toMatchObject({ shown: 2, won: 1, lost: 1 });
    expect(memory.past.decided).toEqual({ won: 2, lost: 1 });
  });

  it('counts the same whether its index is there or not', () => {
    const { place, archive } = over();
    const memory = new Memory(place);
    archive(memory);
    memory.close();
    const kept = new Memory(place);
    for (const name of ['archives.index', 'lessons.index']) rmSync(join(place.folder, name));
    const anew = new Memory(place);
    expect(anew.past.rows).toEqual(kept.past.rows);
    expect(anew.countsOf('L-aaaaaa')).toEqual(kept.countsOf('L-aaaaaa'));
    expect(kept.countsOf('L-aaaaaa')).toMatchObject({ shown: 2, used: 1, won: 1, lost: 1 });
    expect(anew.past.best).toEqual(kept.past.best);
    expect(anew.past.failures).toEqual(kept.past.failures);
    expect(anew.recall({ item: { title: 'Cards', body: '', criteria: [] }, budgetTokens: 100, now: NOW })).toEqual(
      kept.recall({ item: { title: 'Cards', body: '', criteria: [] }, budgetTokens: 100, now: NOW }),
    );
  });
});

describe('a run that went on after it was archived', () => {
  /** The same run, first blocked, then continued to its end. */
  const blocked: readonly Recorded[] = journalOf({ ...told, iterations: told.iterations.slice(0, 1) }).map(record =>
    record.type === 'run.finished' ? { ...record, reason: 'blocked' as const } : record,
  );
  const archivedAs = (made: ReturnType<typeof over>, records: readonly Recorded[], bytes: number) => {
    const { place, runFolder, progress } = made;
    const memory = new Memory(place);
    const finished = finishArchives({
      memory,
      runs: [{ run, bytes }],
      read: () => records,
      runsFolder: join(runFolder, '..'),
      progress,
    });
    memory.close();
    return finished.map(archived => (archived.ok ? archived.value.folder : archived.error.message));
  };

  it('is archived again as far as it came, and only when there is something to tell', () => {
    const made = over();
    expect(archivedAs(made, blocked, 1000)).toEqual([join(made.place.archives, `run-${run}`)]);
    expect(archivedAs(made, blocked, 1000)).toEqual([]);
    // Taken up, and blocked again at once: longer, and nothing new.
    expect(archivedAs(made, [...blocked, ...blocked.slice(-1)], 1200)).toEqual([]);
    expect(archivedAs(made, journalOf(told), 3000)).toEqual([join(made.place.archives, `run-${run}-2`)]);
    expect(archivedAs(made, journalOf(told), 3000)).toEqual([]);
    const { past } = new Memory(made.place);
    expect(past.rows.map(row => [row.path, row.end?.reason])).toEqual([[`archives/run-${run}-2`, 'complete']]);
  });

  it('is counted from its journal while it goes on, and not twice', () => {
    const made = over();
    archivedAs(made, blocked, 1000);
    const memory = new Memory(made.place);
    expect(memory.countsOf('L-aaaaaa')).toMatchObject({ shown: 1, won: 0, lost: 1 });
    memory.past.takeOut({ run, startedAt: NOW });
    const watch = watchRun({ memory });
    for (const record of journalOf(told)) watch(record, record.at);
    expect(memory.countsOf('L-aaaaaa')).toMatchObject({ shown: 2, won: 1, lost: 1 });
    expect(memory.past.decided).toEqual({ won: 0, lost: 0 });
    memory.close();
    expect(new Memory(made.place).countsOf('L-aaaaaa')).toMatchObject({ shown: 1, won: 0, lost: 1 });
  });

  it("is not taken for another machine's run of the same id", () => {
    const made = over();
    archivedAs(made, blocked, 1000);
    const elsewhere = journalOf({ ...told, startedAt: NOW - DAY });
    expect(archivedAs(made, elsewhere, 2000)).toEqual([join(made.place.archives, `run-${run}-2`)]);
    expect(new Memory(made.place).past.rows).toHaveLength(2);
  });
});

describe('archives of others', () => {
  it('are read: a plan and notes as the reference loop leaves them, and learnings written by hand', () => {
    const { place, write } = scene();
    write(
      'archive/2026-01-05-login/prd.json',
      '{"userStories":[{"id":"US-1","passes":true},{"id":"US-2","passes":false}]}',
    );
    write('archive/2026-01-05-login/progress.txt', '## Codebase Patterns\n- Sessions are kept in redis\n');
    write('archives/run-2026-01-06/learnings.md', '- Migrations use IF NOT EXISTS always\n');
    write('archives/run-2026-01-06/prd.json', '[]');
    const memory = new Memory(place);
    expect(memory.takeIn('2026-01-08').map(({ lesson: { text, from } }) => `${text} (${from[0]})`)).toEqual([
      'Migrations use IF NOT EXISTS always (archive archives/run-2026-01-06)',
      'Sessions are kept in redis (archive archive/2026-01-05-login)',
    ]);
    expect(showMemorySummary(memorySummary(memory))).toEqual([
      'memory: 2 lessons, 2 archived runs',
      'archives',
      '  - archives/run-2026-01-06: 0 stories, 1 learning',
      '  - archive/2026-01-05-login: 2 stories, 1 learning',
      'successful patterns',
      '  - Sessions are kept in redis',
      'project facts',
      '  - Migrations use IF NOT EXISTS always',
    ]);
  });

  it('are read some at a time, newest first, and written only when nobody else may be writing', () => {
    const { place, write } = scene();
    for (let n = 10; n < 60; n++)
      write(`archive/2025-01-01-${n}/progress.txt`, `## Patterns\n- Part ${n} keeps its state in redis\n`);
    const memory = new Memory(place);
    expect(memory.takeIn('2026-01-08')).toHaveLength(20);
    expect(memory.past.unread).toBe(30);
    const before = readText(`${place.folder}/lessons.md`) ?? '';
    expect(before).toContain('Part 59');
    while (memory.readSome().more) expect(readText(`${place.folder}/lessons.md`)).toBe(before);
    memory.lessons.flush();
    memory.close();
    expect([...new Memory(place).lessons.all()]).toHaveLength(50);
    expect(new Memory(place).past.unread).toBe(0);
  });

  it('that are corrupt are named and left alone, and the others count', () => {
    const { place, write, archive } = over();
    archive(new Memory(place));
    write('archives/run-2026-01-01-cut/run.json', '{"version":1,"run":"x"');
    write('archives/run-2026-01-02-odd/run.json', '{"version":1,"run":"x","items":"none"}');
    write('archives/run-2026-01-03-plan/prd.json', '{"userStories": [');
    const memory = new Memory(place);
    expect(memory.problems.map(({ file }) => file?.slice(place.root.length + 1))).toEqual([
      'archives/run-2026-01-01-cut/run.json',
      'archives/run-2026-01-02-odd/run.json',
      'archives/run-2026-01-03-plan/prd.json',
    ]);
    expect(memory.past.rows.map(row => row.path)).toEqual([`archives/run-${run}`]);
    memory.close();
    expect(new Memory(place).problems).toHaveLength(3);
    expect(readFileSync(join(place.archives, 'run-2026-01-01-cut/run.json'), 'utf8')).toBe('{"version":1,"run":"x"');
  });
});

describe('a run against those before it', () => {
  it('is compared by iterations per item, first attempts and cost, with a bar for each', () => {
    const figures = (name: string, startedAt: number, iterations: number) => ({
      run: name,
      startedAt,
      items: 4,
      first: 4 - Math.max(0, iterations - 4),
      accepted: 4,
      rejected: iterations - 4,
      iterations,
      costUsd: iterations / 10,
      tokens: 0,
    });
    const lines = showEfficiency(efficiency(figures('third', 3, 4), [figures('first', 1, 8), figures('second', 2, 6)]));
    expect(lines).toEqual([
      'iterations per item     1.00 (before: 1.75)',
      'first attempt accepted  100 % (before: 25 %)',
      'cost per item           $0.10 (before: $0.17)',
      '',
      `first   ${'█'.repeat(24)}  2.00`,
      `second  ${'█'.repeat(18)}        1.50`,
      `third   ${'█'.repeat(12)}              1.00`,
    ]);
  });
});

describe('an archiver that is killed', () => {
  let program = '';
  let bundled = '';
  const preload = fileURLToPath(new URL('kill-at-operation.mjs', import.meta.url));
  beforeAll(async () => {
    bundled = mkdtempSync(join(tmpdir(), 'ralph-archiver-'));
    program = join(bundled, 'archiver.mjs');
    const input = fileURLToPath(new URL('archiver.ts', import.meta.url));
    await build({
      input,
      platform: 'node',
      output: { dir: bundled, format: 'esm', entryFileNames: 'archiver.mjs' },
      logLevel: 'silent',
    });
  });
  afterAll(() => rmSync(bundled, { recursive: true, force: true }));

  it('leaves the archive whole or absent at each of its file operations, and the next start finishes it', {
    timeout: 300_000,
  }, () => {
    const records = journalOf(told);
    const expected = ['.gitignore', 'learnings.md', 'plan-after.json', 'plan-before.json', 'progress.txt', 'run.json'];
    let [kills, absent, whole] = [0, 0, 0];
    for (let at = 1; ; at++) {
      const { place, write, progress } = over();
      write('records.json', JSON.stringify(records));
      const end = spawnSync(process.execPath, ['--import', preload, program, place.root, run], {
        env: { ...process.env, KILL_AT: String(at) },
      });
      if (end.signal !== 'SIGKILL') {
        expect(end.status, String(end.stderr)).toBe(0);
        break;
      }
      kills += 1;
      const left = namesIn(place.archives).filter(name => !name.startsWith('.'));
      if (left.length > 0) {
        expect(left).toEqual([`run-${run}`]);
        expect(namesIn(join(place.archives, `run-${run}`))).toEqual(expected);
        whole += 1;
      } else absent += 1;
      const memory = new Memory(place);
      expect(memory.problems).toEqual([]);
      const finished = finishArchives({
        memory,
        runs: [{ run, bytes: 100 }],
        read: () => records,
        runsFolder: join(place.folder, 'runs'),
        progress,
      });
      expect(finished.every(result => result.ok)).toBe(true);
      expect(namesIn(place.archives)).toEqual(['.gitignore', `run-${run}`]);
      const record = JSON.parse(readFileSync(join(place.archives, `run-${run}`, 'run.json'), 'utf8')) as RunRecord;
      expect(record.items).toHaveLength(2);
    }
    expect(kills).toBeGreaterThan(20);
    expect(absent).toBeGreaterThan(10);
    expect(whole).toBeGreaterThan(0);
    console.log(`archive: ${kills} kills, ${absent} left none, ${whole} left it whole`);
  });
});

it('a run without a finished iteration is not archived', () => {
  const { place } = scene();
  const memory = new Memory(place);
  const records = journalOf({ run, iterations: [] });
  expect(
    finishArchives({ memory, runs: [{ run, bytes: 1 }], read: () => records, runsFolder: '', progress: '' }),
  ).toEqual([]);
  expect(existsSync(place.archives)).toBe(false);
});
