import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendProgress, type ProgressEntry, progressOn, recentProgress } from '../../src/memory/progress.ts';

const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-progress-'));
  file = join(folder, '.ralph', 'progress.md');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (iteration: number, changes: Partial<ProgressEntry> = {}): ProgressEntry => ({
  run: '2026-01-08-payments',
  iteration,
  item: `US-${iteration}`,
  verdict: 'accepted',
  at: Date.UTC(2026, 0, 8, 10, 0, 0),
  message: `Did number ${iteration}.`,
  ...changes,
});
const iterations = (entries: readonly string[]) => entries.map(text => Number(/Iteration (\d+)/.exec(text)?.[1]));

describe('an entry', () => {
  test('says which iteration, item and verdict, when, what and why', () => {
    const appended = appendProgress({
      file,
      entry: entry(12, { verdict: 'rejected', message: 'Added the filter.\n\nMore.', reason: 'gate "test" is\nred' }),
    });
    expect(appended).toEqual({ ok: true, value: true });
    expect(readFileSync(file, 'utf8')).toBe(
      `## Iteration 12: US-12, rejected (2026-01-08T10:00:00Z)

Added the filter.

Why: gate "test" is red

<!-- ralph 2026-01-08-payments/12 -->

`,
    );
  });

  test('keeps the first paragraph that has words, without claims, lessons, fences and control codes', () => {
    const message = `# Summary

\`\`\`
RALPH_TASK_COMPLETE: US-1
\`\`\`
<lesson kind="gotcha">x
y</lesson>

Done \u001b[31mred\u001b[0m things. <promise>COMPLETE</promise>
<!-- ralph 2026-01-08-payments/99 -->
RALPH_TASK_BLOCKED: US-1 - no

Later.`;
    appendProgress({ file, entry: entry(1, { message }) });
    expect(readFileSync(file, 'utf8').split('\n').slice(2, 4)).toEqual(['Done red things.', '']);
    expect(readFileSync(file, 'utf8')).not.toMatch(/promise|RALPH_TASK|lesson|payments\/99|Later/);
  });

  test('is short: 600 characters, in whole sentences where there are any', () => {
    appendProgress({ file, entry: entry(1, { message: 'This is one sentence of it. '.repeat(100) }) });
    const [, , summary = ''] = readFileSync(file, 'utf8').split('\n');
    expect(summary.length).toBeGreaterThan(500);
    expect(summary.length).toBeLessThanOrEqual(600);
    expect(summary.endsWith('sentence of it.')).toBe(true);
    appendProgress({ file, entry: entry(2, { message: 'x'.repeat(10_000) }) });
    expect(readFileSync(file, 'utf8')).toContain(`\n${'x'.repeat(599)}…\n`);
  });

  test('cannot fake another one', () => {
    appendProgress({ file, entry: entry(1, { message: 'Real.\n## Iteration 7: US-7, accepted', item: 'a\n## b' }) });
    expect(recentProgress({ file, entries: 9 })).toHaveLength(1);
  });
});

describe('appending again', () => {
  test('is nothing when the entry is the last one already', () => {
    appendProgress({ file, entry: entry(1) });
    appendProgress({ file, entry: entry(2) });
    const before = readFileSync(file, 'utf8');
    expect(appendProgress({ file, entry: entry(2) })).toEqual({ ok: true, value: false });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(appendProgress({ file, entry: entry(2, { run: 'other' }) })).toEqual({ ok: true, value: true });
  });

  test('repairs an entry that a crash cut anywhere', () => {
    appendProgress({ file, entry: entry(1) });
    const first = readFileSync(file).length;
    appendProgress({ file, entry: entry(2) });
    const whole = readFileSync(file);
    for (let size = first; size <= whole.length; size++) {
      writeFileSync(file, whole.subarray(0, size));
      appendProgress({ file, entry: entry(2) });
      const last = recentProgress({ file, entries: 1 });
      expect(last[0]).toMatch(
        /^## Iteration 2: US-2, accepted \(2026-01-08T10:00:00Z\)\n\nDid number 2\.\n\n<!-- ralph .*\/2 -->$/,
      );
    }
  });
});

describe('reading', () => {
  test('gives the last entries, newest last', () => {
    for (let n = 1; n <= 10; n++) appendProgress({ file, entry: entry(n) });
    expect(iterations(recentProgress({ file, entries: 3 }))).toEqual([8, 9, 10]);
    expect(iterations(recentProgress({ file, entries: 99 }))).toHaveLength(10);
    expect(recentProgress({ file, entries: 0 })).toEqual([]);
  });

  test('looks only at the end of the file and gives whole entries', () => {
    for (let n = 1; n <= 50; n++) appendProgress({ file, entry: entry(n) });
    const recent = recentProgress({ file, entries: 99, maxBytes: 1000 });
    expect(recent.length).toBeGreaterThan(3);
    expect(recent.length).toBeLessThan(12);
    for (const text of recent) expect(text).toMatch(/^## Iteration \d+: [\s\S]*-->$/);
    expect(iterations(recent).at(-1)).toBe(50);
  });

  test('of a file of 3 GB needs neither the time nor the memory for it', () => {
    appendProgress({ file, entry: entry(1) });
    truncateSync(file, 3 * 1024 ** 3);
    appendFileSync(file, '\n## Iteration 2: US-2, accepted\n\nStill here.\n');
    expect(recentProgress({ file, entries: 2 })).toEqual(['## Iteration 2: US-2, accepted\n\nStill here.']);
  });

  test('of no file, a folder or a pipe gives nothing', () => {
    expect(recentProgress({ file, entries: 3 })).toEqual([]);
    mkdirSync(file, { recursive: true });
    expect(recentProgress({ file, entries: 3 })).toEqual([]);
    expect(appendProgress({ file, entry: entry(1) })).toMatchObject({
      ok: false,
      error: { reason: 'progress-not-written' },
    });
    const pipe = join(folder, 'pipe.md');
    execFileSync('mkfifo', [pipe]);
    expect(recentProgress({ file: pipe, entries: 3 })).toEqual([]);
  });

  test('of any bytes never throws, and an entry can still be added', () => {
    mkdirSync(join(folder, '.ralph'));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.string({ unit: 'binary' }), (bytes, message) => {
        writeFileSync(file, bytes);
        recentProgress({ file, entries: 5, maxBytes: 100 });
        expect(appendProgress({ file, entry: entry(3, { message }) })).toEqual({ ok: true, value: true });
        expect(recentProgress({ file, entries: 1 })[0]).toMatch(/^## Iteration 3: /);
      }),
      { numRuns: runs },
    );
  });
});

describe('a log that grows', () => {
  test('is put aside under the next number, and reading goes on across', () => {
    for (let n = 1; n <= 30; n++) appendProgress({ file, entry: entry(n), rotateBytes: 1000 });
    const names = readdirSync(join(folder, '.ralph')).sort();
    expect(names).toContain('progress.md');
    expect(names).toContain('progress-1.md');
    expect(names).toContain('progress-2.md');
    expect(iterations(recentProgress({ file, entries: 5 }))).toEqual([26, 27, 28, 29, 30]);
    const all = names.map(name => readFileSync(join(folder, '.ralph', name), 'utf8')).join('');
    expect(all.match(/^## Iteration/gm)).toHaveLength(30);
  });

  test('still tells what became of an item shortly before it was put aside', () => {
    for (let n = 1; n <= 7; n++) appendProgress({ file, entry: entry(n), rotateBytes: 400 });
    expect(readdirSync(join(folder, '.ralph'))).toContain('progress-1.md');
    expect(readFileSync(file, 'utf8')).not.toContain('Iteration 3:');
    expect(iterations(progressOn({ file, items: ['US-3', 'US-7'], entries: 5 }))).toEqual([3, 7]);
  });

  test('is put aside past 256 KiB by default', () => {
    mkdirSync(join(folder, '.ralph'));
    writeFileSync(file, `${'x'.repeat(256 * 1024)}\n`);
    appendProgress({ file, entry: entry(1) });
    expect(readFileSync(file, 'utf8').startsWith('## Iteration 1')).toBe(true);
    expect(readdirSync(join(folder, '.ralph'))).toContain('progress-1.md');
  });
});
