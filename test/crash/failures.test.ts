/** The disk fills up, or a git is killed, at any moment of a small plan: the run ends in words, and the next start goes on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeRepo, type RepoOptions } from '../support/repo.ts';
import { type Expected, expectIntact } from './oracle.ts';

const SOAK = Boolean(process.env.RALPH_SOAK);
const LANES = 2;
const preload = [fileURLToPath(new URL('fail-at.mjs', import.meta.url))];

/** One item is rejected once; the agent of the last commits by itself. A second charge would block. */
const ids = ['a', 'b', 'c'];
const work = { write: { path: 'src/{{item}}.txt', text: '{{item}}\n' } };
const commit = { run: 'git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m "by itself"' };
const small: RepoOptions = {
  files: { 'src/start.txt': 'fine\n' },
  plan: { project: 'small', userStories: ids.map(id => ({ id, title: `Write ${id}`, passes: false })) },
  config: { gates: ['! grep -rq BROKEN src'], final: ['test -f src/c.txt'], limits: { attempts: 2 } },
  scenario: {
    items: {
      a: [{ steps: [work] }],
      b: [{ steps: [{ write: { path: 'src/b.txt', text: 'BROKEN\n' } }] }, { steps: [work] }],
      c: [{ steps: [work, commit] }],
    },
  },
};

/** Outside a soak only each so-many-th moment is tried, from a random first one. */
test.each([
  { what: 'git', each: 9 },
  { what: 'disk', each: 70 },
  { what: 'once', each: 70 },
])(
  'after "$what" failed, the next start goes on by itself',
  async ({ what, each }) => {
    const calm = makeRepo(small);
    const { code, stderr } = await calm.ralph(['run']);
    expect(code, stderr).toBe(0);
    const expected: Expected = { ids, tree: calm.git('rev-parse', 'HEAD^{tree}'), rejected: { b: 1 } };
    const stride = SOAK ? 1 : each;
    let at = 1 + Math.floor(Math.random() * stride);
    let tried = 0;
    const lane = async () => {
      for (;;) {
        const fault = `${what} ${at}`;
        at += stride;
        if (!(await failed(fault, expected))) return;
        tried += 1;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    console.log(`${tried} moments at which "${what}" failed`);
    expect(tried).toBeGreaterThan(0);
  },
  1_800_000,
);

/** False once a run has fewer moments than that. */
async function failed(fault: string, expected: Expected): Promise<boolean> {
  const repo = makeRepo(small);
  const marker = join(repo.outside, 'failed');
  const end = await repo.ralph(['run'], { preload, env: { RALPH_TEST_FAIL: fault, RALPH_TEST_FAILED: marker } });
  const first = `${fault} in ${repo.root}: ${end.code}\n${end.stderr}\n${end.stdout.slice(-2500)}`;
  expect([0, 1, 4], first).toContain(end.code);
  expect(end.stderr, first).not.toMatch(/^\s+at /m);
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
