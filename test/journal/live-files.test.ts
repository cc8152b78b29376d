/** The two files that only others' eyes need: they are followed as they grow, bounded, and never believed. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { liveTail, openLiveFile } from '../../src/journal/live-file.ts';
import { newRunId, ralphFolder } from '../../src/journal/runs.ts';
import { openSignalLog, parseSignal } from '../../src/journal/signals.ts';
import { lineTail } from '../../src/util/line-tail.ts';

const root = mkdtempSync(join(tmpdir(), 'ralph-live-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a file that is followed', () => {
  it('gives whole lines as they come, and begins anew with another file', () => {
    const file = join(root, 'lines');
    const tail = lineTail(file);
    expect(tail.read()).toEqual([]);
    writeFileSync(file, 'one\ntw');
    expect(tail.read()).toEqual(['one']);
    appendFileSync(file, 'o\nthree');
    expect(tail.read()).toEqual(['two']);
    expect(tail.rest()).toEqual(['three']);
    writeFileSync(file, 'new\n');
    expect(tail.read()).toEqual(['new']);
    expect(lineTail(file, { last: 2 }).read()).toEqual([]);
    writeFileSync(file, 'a\nbb\ncc\n');
    expect(lineTail(file, { last: 5 }).read()).toEqual(['cc']);
  });
});

describe('the signals of an agent', () => {
  it('are kept up to a bound, and say where it is', () => {
    const file = join(root, 'events.jsonl');
    const log = openSignalLog(file);
    for (let n = 0; n < 300; n++) log.write({ type: 'text', text: 'x'.repeat(100_000) }, n);
    log.close();
    expect(statSync(file).size).toBeLessThan(4.2 * 1024 * 1024);
    const last = parseSignal(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '');
    expect(last?.signal).toEqual({ type: 'error', text: expect.stringContaining('--raw') });
  });

  it('are not written through a link that an agent left there', () => {
    const [own, link] = [join(root, 'own.txt'), join(root, 'linked.jsonl')];
    writeFileSync(own, 'mine');
    symlinkSync(own, link);
    const log = openSignalLog(link);
    log.write({ type: 'finished' }, 1);
    log.close();
    expect(readFileSync(own, 'utf8')).toBe('mine');
  });
});

describe('what the runner does right now', () => {
  it('is told to others with its limits, for as long as it lives', () => {
    const file = join(root, 'live.jsonl');
    const live = openLiveFile(file, { costUsd: 25, idleMs: 600_000 });
    const tail = liveTail(file, process.pid);
    live.sink({ type: 'gate.started', name: 'test', phase: 'baseline' }, 7);
    live.sink({ type: 'agent.output', iteration: 1 }, 8);
    expect(tail.read()).toEqual([{ at: 7, event: { type: 'gate.started', name: 'test', phase: 'baseline' } }]);
    expect(tail.limits()).toEqual({ costUsd: 25, idleMs: 600_000 });
    expect(tail.isRunners()).toBe(true);
    const other = liveTail(file, process.pid + 1);
    expect([other.read(), other.isRunners()]).toEqual([[], false]);
    for (let n = 0; n < 20_000; n++) live.sink({ type: 'notice', level: 'info', message: 'x'.repeat(100) }, n);
    expect(statSync(file).size).toBeLessThan(1.1 * 1024 * 1024);
    expect(tail.read().length).toBeGreaterThan(0);
    appendFileSync(file, '{"at":9,"type":"gate.started"}\nnonsense\n{"type":"run.finished"}\nnull\n');
    expect(tail.read()).toEqual([{ at: 9, event: { type: 'gate.started', name: '', phase: 'item' } }]);
    live.close();
    expect(existsSync(file)).toBe(false);
  });
});

describe('the id of a run', () => {
  it.each([
    ['payments', '2026-01-08-payments'],
    ['2025-12-24 payments', '2026-01-08-payments'],
    ['2025-12-24', '2026-01-08-run'],
    ['20 payments', '2026-01-08-20-payments'],
  ])('of "%s" is %s', (name, id) => {
    expect(newRunId(ralphFolder(root), name, Date.UTC(2026, 0, 8))).toBe(id);
  });
});
