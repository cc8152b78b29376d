/** The runner dies in a review, and at each record of one: nothing is lost, counted twice or left behind. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { play, recordsOf, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { isAlive } from './oracle.ts';

const preload = [fileURLToPath(new URL('kill-at.mjs', import.meta.url))];

const shop = (review: object, more: Readonly<Record<string, string>> = {}): Repo =>
  makeRepo({
    files: { 'PROGRESS.md': '# Work\n\n- [ ] SPEC-1: First\n- [ ] SPEC-2: Second\n', ...more },
    config: { plan: 'PROGRESS.md', gates: ['true'], review: { items: 'SPEC-1' } },
    scenario: { ...play({ '*': works }), reviews: { '*': review } },
  });

const ids = (repo: Repo): readonly string[] =>
  [...repo.read('PROGRESS.md').matchAll(/^- \[x\] (\S+):/gm)].map(([, id]) => id ?? '');

async function until(holds: () => boolean): Promise<void> {
  for (let look = 0; look < 1200 && !holds(); look++) await new Promise(resolve => setTimeout(resolve, 50));
  expect(holds()).toBe(true);
}

test('a runner that is killed during a review makes it again, and ends the reviewer it left', async () => {
  const wait =
    'if [ ! -e ../outside/seen ]; then echo x > stray.txt; echo y >> PROGRESS.md; touch ../outside/seen; sleep 600; fi';
  const repo = shop({ steps: [{ run: wait }] });
  const running = repo.start(['run']);
  await until(() => existsSync(join(repo.outside, 'seen')));
  process.kill(running.pid, 'SIGKILL');
  await running.ended;
  const reviewer = recordsOf(repo, 'reviewer.started')[0]?.process.pid ?? 0;
  expect(reviewer).toBeGreaterThan(0);
  const { code, stdout } = await repo.ralph(['run']);
  expect(code, stdout).toBe(0);
  expect(isAlive(reviewer)).toBe(false);
  expect(recordsOf(repo, 'review.aborted')).toHaveLength(1);
  expect(recordsOf(repo, 'review.finished').map(({ round, verdict }) => `${round} ${verdict}`)).toEqual(['1 pass']);
  expect(existsSync(join(repo.root, 'stray.txt'))).toBe(false);
  expect(repo.read('PROGRESS.md')).toBe('# Work\n\n- [x] SPEC-1: First [REVIEWED]\n- [x] SPEC-2: Second\n');
  expect(verdictsIn(repo)).toEqual(['SPEC-1 accepted', 'SPEC-2 accepted']);
}, 240_000);

test('a runner that dies at any record of a review comes to the same end', async () => {
  const review = [{ findings: ['half of it is missing'] }, {}];
  const whole = shop(review);
  expect((await whole.ralph(['run'])).code).toBe(0);
  const ended = whole.read('PROGRESS.md');
  const points = whole
    .journal()
    .filter(({ type }) => type.startsWith('review') || type === 'item.added')
    .map(({ seq }) => seq);
  expect(points.length).toBe(9);
  // Every point in one of the two ways; which one changes from point to point.
  for (const [index, seq] of points.entries()) {
    const repo = shop(review);
    const when = index % 2 === 0 ? 'after' : 'before';
    await repo.ralph(['run'], { env: { RALPH_TEST_KILL: `journal ${when} ${seq}` }, preload });
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, `${when} ${seq}\n${stdout}`).toBe(0);
    expect(repo.read('PROGRESS.md'), `${when} ${seq}`).toBe(ended);
    expect(ids(repo)).toEqual(['SPEC-1', 'SPEC-2', 'FIX-1']);
    const said = recordsOf(repo, 'review.finished').map(({ round, verdict }) => `${round} ${verdict}`);
    expect(said, `${when} ${seq}`).toEqual(['1 needs-fix', '2 pass']);
    expect(verdictsIn(repo)).toEqual(['SPEC-1 accepted', 'SPEC-2 accepted', 'FIX-1 accepted']);
    expect(repo.git('status', '--porcelain')).toBe('');
  }
}, 600_000);
