/** A journal of about ten kilobytes, with everything text can hold. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durable, Recorded } from '../../src/events.ts';
import { Journal } from '../../src/journal/journal.ts';
import { type JournalEnd, readJournal } from '../../src/journal/read-journal.ts';
import type { Result } from '../../src/util/result.ts';
import { atEndOfFile } from '../support/at-end.ts';

/** A path in a folder of its own, which is gone after the test file. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-journal-'));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'journal.jsonl');
}

const gate = {
  name: 'test',
  run: 'npm test',
  status: 'green',
  exit: 0,
  durationMs: 812,
  tail: 'ok é → � 🙂 "\\\n',
} as const;
const evidence = {
  tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  changed: true,
  files: 2,
  added: 10,
  deleted: 1,
  findings: [{ rule: 'size', level: 'warn', message: '12 files', path: 'src/ü.ts' }],
  gates: [gate],
  verify: [],
  verifyWasRed: false,
} as const;

function iteration(n: number): readonly Durable[] {
  const key = { iteration: n, item: `US-00${n}` };
  const usage = { inputTokens: 1200, outputTokens: 300, cachedTokens: 0 };
  const rejected = {
    type: 'rejected',
    reason: 'gate-red',
    why: 'test is red',
    feedback: 'x'.repeat(200),
    signature: 'gate:test',
    next: 'continue',
  } as const;
  return [
    {
      type: 'iteration.started',
      ...key,
      title: `Story ${n}`,
      attempt: 1,
      try: 1,
      base: 'b'.repeat(40),
      tree: 't'.repeat(40),
      lease: 'ab12cd34ef56ab78',
    },
    { type: 'agent.started', ...key, process: { pid: 4242, started: '123456', boot: 'boot' } },
    {
      type: 'agent.finished',
      ...key,
      end: { reason: 'exited', code: 0, signal: null, durationMs: 1200, leftovers: [], droppedBytes: 0 },
      claim: { type: 'done', how: 'signal' },
      usage,
      costUsd: 0.01,
    },
    { type: 'evidence', ...key, evidence },
    { type: 'verdict', ...key, verdict: n % 2 ? { type: 'accepted', why: 'claimed' } : rejected, message: 'feat: x' },
    {
      type: 'iteration.finished',
      ...key,
      verdict: n % 2 ? 'accepted' : 'rejected',
      tree: 't'.repeat(40),
      durationMs: 1500,
      ...(n % 2 ? { commit: 'c'.repeat(40) } : { ref: `refs/ralph/r/US-00${n}/1` }),
    },
  ];
}

export const sampleEvents: readonly Durable[] = [
  {
    type: 'run.started',
    run: '2026-01-08-payments',
    plan: { path: 'prd.json', format: 'prd', name: 'payments' },
    branch: 'ralph/payments',
    base: 'a'.repeat(40),
    workspace: '.',
    agent: 'script',
    gates: ['npm test'],
  },
  { type: 'baseline', tree: 'd'.repeat(40), gates: [gate] },
  ...[1, 2, 3, 4, 5, 6].flatMap(iteration),
  { type: 'wait.started', until: 1_800_000_000_000, why: 'rate limit' },
  { type: 'wait.ended' },
  { type: 'item.marked', item: 'US-009', to: 'blocked', by: 'runner', why: 'three attempts' },
  { type: 'steered', text: 'mind the \u2028 separators and \u0000 zeros' },
  { type: 'paused' },
  { type: 'unpaused' },
  { type: 'item.adopted', item: 'US-008', commit: 'e'.repeat(40), iteration: 8 },
  { type: 'final', tree: 'f'.repeat(40), gates: [gate] },
  { type: 'run.finished', reason: 'complete', why: '6 items done' },
];

/** Writes events one by one; the records as they were given back. */
export function writeEvents(file: string, events: readonly Durable[] = sampleEvents): readonly Recorded[] {
  const journal = Journal.open(file, () => undefined);
  if (!journal.ok) throw new Error(journal.error.message);
  const records = events.map((event, n) => journal.value.append(event, 1_700_000_000_000 + n * 1000));
  journal.value.close();
  return records;
}

export interface Read {
  readonly records: readonly Recorded[];
  readonly end: Result<JournalEnd>;
}

export function readAll(file: string): Read {
  const records: Recorded[] = [];
  return { records, end: readJournal(file, record => records.push(record)) };
}

/** The sample's bytes, its records, and where each line ends (behind its newline). */
export function sample(): { bytes: Buffer; records: readonly Recorded[]; ends: readonly number[]; file: string } {
  const file = newFile();
  const records = writeEvents(file);
  const bytes = readFileSync(file);
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at + 1);
  return { bytes, records, ends, file };
}

/** What is read from these bytes. */
export function readBytesOf(bytes: Buffer, file: string): Read {
  writeFileSync(file, bytes);
  return readAll(file);
}
