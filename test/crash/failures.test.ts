/** The disk fills up, or a git is killed, at any moment of a small plan: the run ends in words, and the next start goes on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { inLanes } from './lanes.ts';
import { type Expected, expectIntact } from './oracle.ts';
import { atMoments, ids, threeItems } from './three-items.ts';

const preload = [fileURLToPath(new URL('fail-at.mjs', import.meta.url))];
const small = threeItems({ limited: false });

test.each([
  { what: 'git', each: 12 },
  { what: 'disk', each: 110 },
  { what: 'once', each: 110 },
])(
  'after "$what" failed, the next start goes on by itself',
  async ({ what, each }) => {
    const calm = makeRepo(small);
    const { code, stderr } = await calm.ralph(['run']);
    expect(code, stderr).toBe(0);
    const expected: Expected = { ids, tree: calm.git('rev-parse', 'HEAD^{tree}'), rejected: { b: 1 } };
    await atMoments({ name: `moments at which "${what}" failed`, each }, at => failed(`${what} ${at}`, expected));
  },
  1_800_000,
);

test('a start that fails at one of its first writes leaves no lock', async () => {
  const writes = Array.from({ length: 12 }, (_, at) => at + 3);
  await inLanes(async () => {
    const at = writes.pop();
    if (at === undefined) return false;
    const repo = makeRepo(small);
    const env = { RALPH_TEST_FAIL: `once ${at}`, RALPH_TEST_FAILED: join(repo.outside, 'failed') };
    const { stderr } = await repo.ralph(['run', '--once'], { preload, env });
    expect(existsSync(join(repo.root, '.ralph/lock')), `once ${at}: ${stderr}`).toBe(false);
    return true;
  });
});

/** False once a run has fewer moments than that. */
async function failed(fault: string, expected: Expected): Promise<boolean> {
  const repo = makeRepo(small);
  const marker = join(repo.outside, 'failed');
  const end = await repo.ralph(['run'], { preload, env: { RALPH_TEST_FAIL: fault, RALPH_TEST_FAILED: marker } });
  const first = `${fault} in ${repo.root}: ${end.code}\n${end.stderr}\n${end.stdout.slice(-2500)}`;
  expect([0, 1, 4], first).toContain(end.code);
  expect(end.stderr, first).not.toMatch(/^\s+at /m);
  // Nobody did but the fault.
  expect(end.stderr + end.stdout, first).not.toContain('Another program moved');
  expect(existsSync(join(repo.root, '.ralph/lock')), first).toBe(false);
  if (end.code !== 0) {
    const again = await repo.ralph(['run']);
    const { stdout } = again;
    expect({ ...again, stdout: '' }, `${first}\n--- again\n${stdout.slice(-2500)}`).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
  }
  expectIntact(repo, expected);
  const came = existsSync(marker);
  if (!process.env.RALPH_TEST_KEEP) repo.remove();
  return came;
}
