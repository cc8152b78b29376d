/** `kill -9` of the runner at any moment, again and again, until the plan is done all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { inLanes } from './lanes.ts';
import { expectIntact } from './oracle.ts';
import { rejectedOnce, twentyItems } from './twenty-items.ts';

const KILLS = Number(process.env.RALPH_KILLS ?? (process.env.RALPH_SOAK ? 1000 : 24));
/** More restarts than this without an end is a run that is stuck. */
const MAX_RESTARTS = 200;

interface Figures {
  kills: number;
  restarts: number;
  runs: number;
  redone: number;
}

test(`${KILLS} random kills lose nothing, repeat nothing and leave nothing behind`, async () => {
  const calm = makeRepo(twentyItems);
  const began = Date.now();
  const undisturbed = await calm.ralph(['run', '--json']);
  const runMs = Date.now() - began;
  expect(undisturbed.code, undisturbed.stderr).toBe(0);
  const tree = calm.git('rev-parse', 'HEAD^{tree}');
  const expected = { ids: twentyItems.ids, tree, rejected: Object.fromEntries(rejectedOnce.map(id => [id, 1])) };
  expectIntact(calm, expected);

  const figures: Figures = { kills: 0, restarts: 0, runs: 0, redone: 0 };
  await inLanes(async () => {
    if (figures.kills >= KILLS) return false;
    const repo = makeRepo(twentyItems);
    await disturb(repo, { runMs, figures });
    expectIntact(repo, expected);
    figures.runs += 1;
    if (!process.env.RALPH_TEST_KEEP) repo.remove();
    return true;
  });
  const { kills, restarts, runs, redone } = figures;
  console.log(`random kills: ${kills} kills in ${runs} runs, ${restarts} restarts, ${redone} iterations redone`);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
}, 3_600_000);

/** Starts the plan over and over, each start killed after a random time, until one comes to its end. */
async function disturb(repo: Repo, { runMs, figures }: { readonly runMs: number; readonly figures: Figures }) {
  for (let starts = 0; starts < MAX_RESTARTS; starts++) {
    if (starts > 0) figures.restarts += 1;
    const running = repo.start(['run', '--json']);
    const ended = await Promise.race([running.ended, sleep(delay(runMs), 'still running' as const)]);
    if (ended === 'still running') {
      running.child.kill('SIGKILL');
      if ((await running.ended).signal === 'SIGKILL') figures.kills += 1;
    }
    const { code, stderr, stdout } = await running.ended;
    if (code === null) continue;
    expect({ code, stderr, last: code === 0 ? '' : stdout.slice(-2000) }, `in ${repo.root}`).toEqual({
      code: 0,
      stderr: '',
      last: '',
    });
    figures.redone += repo
      .runs()
      .flatMap(run => repo.journal(run))
      .filter(record => record.type === 'iteration.aborted').length;
    return;
  }
  expect.fail(`still not done after ${MAX_RESTARTS} starts, in ${repo.root}`);
}

/** Half of the kills anywhere in a run, half of them early: the start and the recovery are where it is hardest. */
const delay = (runMs: number): number => Math.random() * (Math.random() < 0.5 ? runMs : runMs / 5);
