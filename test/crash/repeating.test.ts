/** A prompt that is repeated until its promise holds, killed at each record: progress is kept once, and only once. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';
import { inLanes } from './lanes.ts';
import { agentsOf } from './oracle.ts';

const STRIDE = process.env.RALPH_SOAK ? 1 : 9;
const preload = [fileURLToPath(new URL('kill-at.mjs', import.meta.url))];
const note = { append: { path: 'notes.txt', text: 'try {{try}}\n' } };
const options: RepoOptions = {
  files: { 'PROMPT.md': 'Write three notes.\n' },
  config: { gates: ['true'], final: ['true'] },
  scenario: {
    items: {
      '*': [
        { steps: [note], claim: 'none' },
        { steps: [note], claim: 'none' },
        { steps: [note], claim: 'promise' },
      ],
    },
  },
};

test.each(['journal after', 'rename before', 'git after'])(
  'a kill %s any step',
  async where => {
    let at = 1 + Math.floor(Math.random() * STRIDE);
    let tried = 0;
    await inLanes(async () => {
      const kill = `${where} ${at}`;
      at += STRIDE;
      const repo = makeRepo(options);
      const first = await repo.ralph(['run'], { preload, env: { RALPH_TEST_KILL: kill } });
      const killed = first.signal === 'SIGKILL';
      const end = killed ? await repo.ralph(['run']) : first;
      expect({ code: end.code, stderr: end.stderr }, `${kill} in ${repo.root}\n${end.stdout}`).toEqual({
        code: 0,
        stderr: '',
      });
      expectThreeNotes(repo, kill);
      if (!process.env.RALPH_TEST_KEEP) repo.remove();
      if (killed) tried += 1;
      return killed;
    });
    expect(tried).toBeGreaterThan(0);
  },
  600_000,
);

function expectThreeNotes(repo: Repo, kill: string): void {
  const where = `${kill} in ${repo.root}`;
  expect(repo.read('notes.txt'), where).toBe('try 1\ntry 2\ntry 3\n');
  expect(
    repo.git('log', '--format=%(trailers:key=Ralph-Item,valueonly)').split('\n').filter(Boolean),
    where,
  ).toHaveLength(3);
  expect(repo.git('status', '--porcelain'), where).toBe('');
  expect(agentsOf(repo), where).toEqual([]);
}
