/** A temporary place for a memory, and runs told as their journals would tell them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Durable, Recorded } from '../../src/events.ts';
import type { Lesson } from '../../src/memory/lesson.ts';
import { withLessons } from '../../src/memory/lessons-file.ts';
import type { MemoryPlace } from '../../src/memory/place.ts';
import type { GateResult, Item, Verdict } from '../../src/protocol.ts';
import { atEndOfFile } from '../support/at-end.ts';

export const DAY = 86_400_000;
export const NOW = Date.UTC(2026, 0, 8, 12);

export interface Scene {
  readonly place: MemoryPlace;
  readonly write: (path: string, text: string) => void;
  readonly lessons: (lessons: readonly Lesson[]) => void;
}

export function scene(): Scene {
  const root = mkdtempSync(join(tmpdir(), 'ralph-memory-'));
  atEndOfFile(() => rmSync(root, { recursive: true, force: true }));
  const place = { root, folder: join(root, '.ralph'), archives: join(root, 'archives') };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  mkdirSync(place.folder);
  return { place, write, lessons: lessons => write('.ralph/lessons.md', withLessons('', lessons)) };
}

export const lesson = (id: string, text: string, over: Partial<Lesson> = {}): Lesson => ({
  id,
  kind: 'pattern',
  text,
  from: ['run 2026-01-05-first, US-001'],
  ...over,
});

export const item = (title: string, over: Partial<Item> = {}): Pick<Item, 'title' | 'body' | 'criteria'> => ({
  title,
  body: '',
  criteria: [],
  ...over,
});

export interface Told {
  readonly item: string;
  readonly title?: string;
  readonly verdict: 'accepted' | 'rejected' | 'retry';
  /** The red gate's output, for a rejected one. */
  readonly tail?: string;
  readonly shown?: readonly string[];
  readonly used?: readonly string[];
  readonly said?: readonly string[];
  readonly costUsd?: number;
}

export interface RunTold {
  readonly run: string;
  readonly startedAt?: number;
  readonly iterations: readonly Told[];
  readonly unfinished?: true;
}

/** The journal of a run. */
export function journalOf({ run, startedAt = NOW, iterations, unfinished }: RunTold): readonly Recorded[] {
  const attempts = new Map<string, number>();
  const start: Durable = {
    type: 'run.started',
    run,
    plan: { path: 'prd.json', format: 'prd', name: run.slice(11) },
    branch: `ralph/${run}`,
    base: 'b0',
    workspace: '.',
    agent: 'script',
    gates: ['npm test'],
  };
  const events = iterations.flatMap((told, index): readonly Durable[] => {
    const attempt = attempts.get(told.item) ?? 1;
    attempts.set(told.item, told.verdict === 'rejected' ? attempt + 1 : attempt);
    return eventsOf(told, { iteration: index + 1, attempt });
  });
  const end: readonly Durable[] = unfinished ? [] : [{ type: 'run.finished', reason: 'complete', why: 'all done' }];
  return [start, ...events, ...end].map((event, seq) => ({ ...event, seq: seq + 1, at: startedAt + seq * 1000 }));
}

function eventsOf(told: Told, at: { readonly iteration: number; readonly attempt: number }): readonly Durable[] {
  const { item: id, title = `About ${id}`, shown = [], used = [], said = [], costUsd = 0.1 } = told;
  const key = { iteration: at.iteration, item: id };
  const green = told.verdict === 'accepted';
  const gate: GateResult = {
    name: 'npm test',
    run: 'npm test',
    status: green ? 'green' : 'red',
    exit: green ? 0 : 1,
    durationMs: 10,
    tail: told.tail ?? '',
  };
  return [
    {
      type: 'iteration.started',
      ...key,
      title,
      attempt: at.attempt,
      try: at.attempt,
      base: 'b',
      tree: 't',
      lease: 'l',
    },
    { type: 'lessons.shown', ...key, ids: shown },
    {
      type: 'agent.finished',
      ...key,
      end: { reason: 'exited', code: 0, signal: null, durationMs: 5, leftovers: [], droppedBytes: 0 },
      claim: { type: 'done', how: 'signal' },
      usage: { inputTokens: 1000, outputTokens: 100, cachedTokens: 0 },
      costUsd,
    },
    { type: 'lessons.said', ...key, lessons: said.map(text => ({ kind: 'gotcha', text })), used },
    {
      type: 'evidence',
      ...key,
      evidence: {
        tree: 't',
        changed: true,
        files: 1,
        added: 1,
        deleted: 0,
        findings: [],
        gates: told.verdict === 'retry' ? [] : [gate],
        verify: [],
        verifyWasRed: false,
      },
    },
    { type: 'verdict', ...key, verdict: verdictOf(told) },
    {
      type: 'iteration.finished',
      ...key,
      verdict: told.verdict,
      tree: 't',
      durationMs: 1000,
      ...(green ? { commit: 'c' } : {}),
    },
  ];
}

function verdictOf({ verdict, tail = '' }: Told): Verdict {
  switch (verdict) {
    case 'accepted':
      return { type: 'accepted', why: 'claimed, 1 of 1 gates green' };
    case 'retry':
      return { type: 'retry', why: 'limit', failure: { class: 'rate-limit', message: 'limit' } };
    case 'rejected':
      return {
        type: 'rejected',
        reason: 'gate-red',
        why: 'gate `npm test` exited 1',
        feedback: tail,
        signature: `gate-red:npm test:${tail}`,
        next: 'continue',
      };
  }
}
