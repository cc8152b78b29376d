/** What an agent's own program leaves in the tree is no work; what an item asks for is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { doneIn, planOf, play, recordsOf, runs, story, verdictsIn } from './scene.ts';

test('files of the agent’s own program are neither a change nor committed, unless the item or git knows them', async () => {
  const litter =
    ': > .codex; mkdir -p .gemini && echo x > .gemini/state.json; echo y > .aider.chat.history.md; chmod a-w .codex';
  const repo = makeRepo({
    files: { '.opencode/notes.txt': 'a\n', '.gitignore': '.qwen\n', '.qwen/mine.json': '{}\n' },
    plan: planOf('false', 'true', 'known', story('asked', { description: 'Add .claude/commands/hello.md.' })),
    config: { gates: ['true'], limits: { attempts: 1 } },
    scenario: play({
      false: runs(litter),
      true: runs(litter, 'echo work > work.txt'),
      known: runs('echo b > .opencode/notes.txt; echo z > .opencode/new.txt'),
      asked: runs('mkdir -p .claude/commands; echo hello > .claude/commands/hello.md'),
    }),
  });
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(3);
  expect(verdictsIn(repo), stdout).toEqual(['false rejected', 'true accepted', 'known accepted', 'asked accepted']);
  expect(recordsOf(repo, 'verdict')[0]?.verdict).toMatchObject({ reason: 'no-change' });
  expect(doneIn(repo)).toEqual(['true', 'known', 'asked']);
  const files = repo.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  expect(files).toEqual(expect.arrayContaining(['work.txt', '.opencode/new.txt', '.claude/commands/hello.md']));
  expect(files.filter(file => /^\.(codex|gemini|aider)/.test(file))).toEqual([]);
  expect(repo.git('status', '--porcelain')).toBe('');
  const kept = join(repo.root, `.ralph/runs/${repo.runs()[0]}/iterations/002/left-behind`);
  for (const name of ['.codex', '.gemini/state.json', '.aider.chat.history.md']) {
    expect(existsSync(join(kept, name)), name).toBe(true);
  }
  expect(existsSync(join(repo.root, '.qwen/mine.json'))).toBe(true);
});
