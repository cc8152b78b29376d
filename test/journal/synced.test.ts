/** A power cut loses what is not on the disk: whatever an act depends on is there before it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { planOf, play, works, writes } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const preload = [fileURLToPath(new URL('trace-syncs.mjs', import.meta.url))];

test('a verdict, and all that a run acts on, is on the disk before what follows from it', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['! grep -s BROKEN US-1.txt'] },
    scenario: play({ 'US-1': [writes('US-1.txt', 'BROKEN\n'), works], '*': works }),
  });
  const trace = join(repo.outside, 'trace');
  const { code, stderr } = await repo.ralph(['run'], { preload, env: { RALPH_TEST_TRACE: trace } });
  expect(code, stderr).toBe(0);
  const next = nextIn(trace);
  expect({
    'run.started': next('run.started', /./),
    // What is noted around an agent is written before it starts, and hurts nobody.
    'iteration.started': next('iteration.started', /^start /),
    verdict: next('verdict', /./),
    'run.finished': next('run.finished', /./),
  }).toEqual({
    'run.started': ['synced'],
    'iteration.started': ['synced', 'synced', 'synced'],
    verdict: ['synced', 'synced', 'synced'],
    'run.finished': ['synced'],
  });
});

test('what the line says of a merge is on the disk before the branch moves', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3'),
    config: { gates: ['true'] },
    scenario: play({ '*': works }),
  });
  const trace = join(repo.outside, 'trace');
  const args = ['run', '--parallel', '3', '--branch', 'run'];
  const { code, stderr } = await repo.ralph(args, { preload, env: { RALPH_TEST_TRACE: trace } });
  expect(code, stderr).toBe(0);
  const merges = nextIn(trace)('merge', /^rename .*\/refs\/heads\/run$/);
  expect(merges.length).toBeGreaterThan(0);
  expect(new Set(merges)).toEqual(new Set(['synced']));
});

/** What comes first after each record of a kind: the sync of it, or something that others can see. */
function nextIn(trace: string): (type: string, act: RegExp) => readonly string[] {
  const lines = readFileSync(trace, 'utf8').trimEnd().split('\n');
  const records = (upTo: number) => lines.slice(0, upTo + 1).filter(line => line.startsWith('record ')).length;
  return (type, act) =>
    lines.flatMap((line, at) => {
      if (line !== `record ${type}`) return [];
      const isSync = (each: string) => each.startsWith('synced ') && Number(each.slice(7)) >= records(at);
      const first = lines.slice(at + 1).find(each => isSync(each) || act.test(each)) ?? 'the end';
      return [isSync(first) ? 'synced' : first];
    });
}
