/** Ctrl-Z and fg in a shell, while the live view is on the screen. */
import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0 && spawnSync('bash', ['--version']).status === 0;

test.runIf(hasTmux)('what a shell writes while the run is stopped stays on the screen', async () => {
  const steps = [{ sleep: '600s' }];
  const repo = makeRepo({
    plan: { project: 'shop', userStories: [{ id: 'US-1', title: 'Wait', passes: false }] },
    scenario: { items: { 'US-1': [{ steps }] } },
  });
  const env = { ...cleanEnv(repo.home), TERM: 'xterm', LANG: 'C.UTF-8', TMUX_TMPDIR: repo.outside, PS1: '$ ' };
  const tmux = (...words: readonly string[]) =>
    execFileSync('tmux', ['-u', '-L', 'z', '-f', '/dev/null', ...words], { cwd: repo.root, env, encoding: 'utf8' });
  const type = (...keys: readonly string[]) => tmux('send-keys', ...keys);
  const screen = () => tmux('capture-pane', '-p');
  const shows = (words: string) => expect.poll(screen, { timeout: 60_000 }).toContain(words);
  tmux('new-session', '-d', '-x', '80', '-y', '60', 'bash --norc -i');
  try {
    type(`${process.execPath} ${cliFile} run`, 'Enter');
    await shows('iteration 1 of 50');
    for (const word of ['one', 'two']) {
      type('C-z');
      await shows('Stopped');
      expect(screen()).not.toContain('iteration 1 of 50');
      type(`printf '%s\\n' a-${word} b-${word} c-${word} d-${word}; fg`, 'Enter');
      await shows('iteration 1 of 50');
      expect(screen()).toContain(`\na-${word}\nb-${word}\nc-${word}\nd-${word}\n`);
    }
    expect(screen().match(/iteration 1 of 50/g)).toHaveLength(1);
    type('C-c');
    await shows('Interrupted');
  } finally {
    tmux('kill-server');
  }
});
