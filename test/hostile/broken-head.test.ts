/** With a HEAD that names nothing, git sees no repository: an agent that breaks one ends nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doneIn, planOf, play, runs, verdictsIn } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

test.concurrent.each([
  ['of the checkout it works in', [], 'echo broken > .git/HEAD'],
  ["of the person's checkout", ['--worktree'], 'echo broken > $(git rev-parse --git-common-dir)/HEAD'],
])('a HEAD %s is whole again before git is called', async (_, flags, command) => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({ '*': runs('echo x > {{item}}.txt', command) }),
  });
  const { code, stdout, stderr } = await repo.run(['--no-sandbox', ...flags]);
  expect(code, stdout + stderr).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
  const isOwn = flags.length === 0;
  expect(readFileSync(join(repo.root, '.git', 'HEAD'), 'utf8')).toBe(
    `ref: refs/heads/${isOwn ? 'ralph/shop' : 'main'}\n`,
  );
  if (isOwn) expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
  else expect(stdout).toContain('.git/HEAD was broken; it was restored');
});
