/** A journal that lost its end between two runs: what git and the plan still say is believed, nothing is done twice. */
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';
import { endAgentsOf, until } from './agents.ts';
import { inLanes } from './lanes.ts';
import { agentsOf, committedItems, doneItems } from './oracle.ts';

const CUTS = process.env.RALPH_SOAK ? 400 : 5;
const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const work = { write: { path: 'src/{{item}}.txt', text: '{{item}}\n' } };
/** Waits only the first time it is reached. */
const waitOnce = { run: 'test -f ../outside/once || { touch ../outside/once; sleep 60; }' };
const markOwn = { run: `sed -i.bak '/"Write e"/{n;s/false/true/;}' prd.json && rm prd.json.bak` };
const six: RepoOptions = {
  files: { 'src/start.txt': 'fine\n' },
  plan: { project: 'six', userStories: ids.map(id => ({ id, title: `Write ${id}`, passes: false })) },
  config: { gates: ['! grep -rq BROKEN src'], final: ['test -f src/f.txt'] },
  scenario: {
    items: {
      '*': [{ steps: [work] }],
      b: [{ steps: [{ write: { path: 'src/b.txt', text: 'BROKEN\n' } }] }, { steps: [work] }],
      d: [{ steps: [work, { run: 'git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m own' }] }],
      e: [{ steps: [work, markOwn, waitOnce] }],
    },
  },
};

/** Four items are accepted; the agent of the fifth has written its file and marked its own item, and no verdict fell. */
async function halfFinished(): Promise<Repo> {
  const repo = makeRepo(six);
  const running = repo.start(['run']);
  await until(() => existsSync(join(repo.outside, 'once')));
  running.child.kill('SIGKILL');
  await running.ended;
  await endAgentsOf(repo);
  expect(committedItems(repo)).toEqual(['a', 'b', 'c', 'd']);
  expect(doneItems(repo)).toEqual(['a', 'b', 'c', 'd', 'e']);
  return repo;
}

async function finished(): Promise<Repo> {
  const repo = makeRepo(six);
  writeFileSync(join(repo.outside, 'once'), '');
  const end = await repo.ralph(['run']);
  expect(end.code, end.stderr).toBe(0);
  return repo;
}

describe.each([
  ['half-finished', halfFinished],
  ['finished', finished],
])('the journal of a %s run', (_, make) => {
  test(`cut at ${CUTS} random bytes and to nothing is taken up where git is`, async () => {
    const calm = await finished();
    const tree = calm.git('rev-parse', 'HEAD^{tree}');
    const repo = await make();
    const { length } = readFileSync(repo.journalFile());
    const cuts = [0, ...Array.from({ length: CUTS }, () => Math.floor(Math.random() * length))];
    await inLanes(async () => {
      const cut = cuts.pop();
      if (cut === undefined) return false;
      await expectTakenUp(repo.copy(), { cut, tree });
      return true;
    });
  }, 1_800_000);

  test('with a flipped byte in the middle is refused, and nothing is touched', async () => {
    const repo = await make();
    const file = repo.journalFile();
    for (const at of [0.02, 0.3, 0.6]) {
      const bytes = readFileSync(file);
      const index = Math.floor(bytes.length * at);
      const damaged = Buffer.from(bytes);
      damaged[index] = (bytes[index] ?? 0) ^ 1;
      writeFileSync(file, damaged);
      const before = [repo.git('for-each-ref'), repo.git('status', '--porcelain'), repo.read('prd.json')];
      const end = await repo.ralph(['run']);
      expect({ code: end.code, at }).toEqual({ code: 4, at });
      expect(end.stderr).toContain('the journal is damaged');
      expect([repo.git('for-each-ref'), repo.git('status', '--porcelain'), repo.read('prd.json')]).toEqual(before);
      expect(readFileSync(file)).toEqual(damaged);
      writeFileSync(file, bytes);
    }
  }, 300_000);
});

async function expectTakenUp(repo: Repo, { cut, tree }: { readonly cut: number; readonly tree: string }) {
  const tip = repo.git('rev-parse', 'HEAD');
  truncateSync(repo.journalFile(), cut);
  const { code, stderr, stdout } = await repo.ralph(['run']);
  const where = `cut at ${cut} in ${repo.root}\n${stdout}`;
  expect({ code, stderr }, where).toEqual({ code: 0, stderr: '' });
  expect(committedItems(repo), where).toEqual(ids);
  expect(doneItems(repo), where).toEqual(ids);
  expect(repo.git('merge-base', tip, 'HEAD'), `what was accepted stays, ${where}`).toBe(tip);
  expect(repo.git('rev-parse', 'HEAD^{tree}'), where).toBe(tree);
  expect(agentsOf(repo), where).toEqual([]);
  if (!process.env.RALPH_TEST_KEEP) repo.remove();
}
