/** A run with several workers died: each of the iterations they had open is finished or undone, once. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Durable } from '../../src/events.ts';
import { Journal } from '../../src/journal/journal.ts';
import { fold } from '../../src/state.ts';
import { doneIn, planOf, play, recordsOf, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const preload = [fileURLToPath(new URL('kill-at.mjs', import.meta.url))];

/** Killed right after this record of its first iteration. */
async function killedAt(type: Durable['type']): Promise<Repo> {
  const make = () =>
    makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
  const repo = make();
  const order = [
    'run.started',
    'baseline',
    'iteration.started',
    'agent.started',
    'agent.finished',
    'evidence',
    'verdict',
  ];
  const kill = `journal after ${order.indexOf(type) + 1}`;
  await repo.ralph(['run'], { env: { RALPH_TEST_KILL: kill }, preload });
  expect(repo.journal().at(-1)?.type).toBe(type);
  return repo;
}

/** As if a second worker had been at work when the runner died. */
function alsoOpen(repo: Repo, more: readonly Durable['type'][] = []): void {
  const records = repo.journal();
  const journal = Journal.open(join(repo.root, '.ralph/runs', repo.runs()[0] ?? '', 'journal.jsonl'), () => undefined);
  if (!journal.ok) throw new Error(journal.error.message);
  for (const type of ['iteration.started', ...more]) {
    const { seq: _, ...like } = records.find(record => record.type === type) ?? { seq: 0 };
    const its = { worker: 1, iteration: 2, item: 'US-2' };
    const event = (
      type === 'iteration.started'
        ? { ...like, ...its, title: 'Story US-2', lease: 'f'.repeat(16) }
        : { ...like, ...its }
    ) as Durable;
    journal.value.append(event, Date.now());
  }
  journal.value.close();
}

const cutOff = (repo: Repo): readonly string[] =>
  recordsOf(repo, 'iteration.aborted').map(({ item, iteration, worker }) => `${item} ${iteration} ${worker ?? 0}`);

async function goesOn(repo: Repo): Promise<void> {
  const { code, stdout, stderr } = await repo.ralph(['run']);
  expect(code, stdout + stderr).toBe(0);
  expect(doneIn(repo)).toEqual(['US-1', 'US-2', 'US-3']);
  expect(repo.git('status', '--porcelain')).toBe('');
  const state = fold(repo.journal());
  expect([state.openIterations, state.openReviews]).toEqual([[], []]);
  const started = recordsOf(repo, 'iteration.finished').map(({ iteration }) => iteration);
  expect(new Set(started).size).toBe(started.length);
  const work = repo.git('log', '--format=%s', 'HEAD').split('\n');
  expect(work.filter(subject => subject.includes('US-'))).toHaveLength(3);
}

test.concurrent('two agents at work: both iterations are cut off and made again', async () => {
  const repo = await killedAt('agent.started');
  alsoOpen(repo);
  const { stdout } = await repo.ralph(['status']);
  expect(stdout).toMatch(/cut off +US-1.*\n.*cut off +US-2/);
  await goesOn(repo);
  expect(cutOff(repo)).toEqual(['US-1 1 0', 'US-2 2 1']);
}, 60_000);

test.concurrent('two verdicts: the first is kept, and what was judged on the same base is made again on top of it', async () => {
  const repo = await killedAt('verdict');
  alsoOpen(repo, ['agent.started', 'agent.finished', 'evidence', 'verdict']);
  await goesOn(repo);
  expect(cutOff(repo)).toEqual(['US-2 2 1']);
  expect(recordsOf(repo, 'iteration.finished').map(({ item, verdict }) => `${item} ${verdict}`)).toEqual([
    'US-1 accepted',
    'US-2 accepted',
    'US-3 accepted',
  ]);
}, 60_000);
