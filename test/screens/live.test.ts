/** The live view in a shell: Ctrl-Z and fg, and a terminal that cannot move its cursor. */
import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0 && spawnSync('bash', ['--version']).status === 0;

interface Shell {
  readonly type: (...keys: readonly string[]) => void;
  readonly screen: () => string;
  readonly shows: (words: string) => Promise<void>;
}

/** A run that waits for its agent, in a shell in a terminal. */
async function inShell(term: string, act: (shell: Shell) => Promise<void>): Promise<void> {
  const repo = makeRepo({
    plan: { project: 'shop', userStories: [{ id: 'US-1', title: 'Wait', passes: false }] },
    scenario: { items: { 'US-1': [{ steps: [{ sleep: '600s' }] }] } },
  });
  const env = { ...cleanEnv(repo.home), TERM: 'xterm', LANG: 'C.UTF-8', TMUX_TMPDIR: repo.outside, PS1: '$ ' };
  const tmux = (...words: readonly string[]) =>
    execFileSync('tmux', ['-u', '-L', 'z', '-f', '/dev/null', ...words], { cwd: repo.root, env, encoding: 'utf8' });
  const type = (...keys: readonly string[]) => void tmux('send-keys', ...keys);
  const screen = () => tmux('capture-pane', '-p');
  const shows = (words: string) => expect.poll(screen, { timeout: 60_000 }).toContain(words);
  tmux('new-session', '-d', '-x', '80', '-y', '60', `TERM=${term} bash --norc -i`);
  try {
    type(`${process.execPath} ${cliFile} run`, 'Enter');
    await act({ type, screen, shows });
    type('C-c');
    await shows('Interrupted');
  } finally {
    tmux('kill-server');
  }
}

test.runIf(hasTmux)('what a shell writes while the run is stopped stays on the screen', async () => {
  await inShell('xterm', async ({ type, screen, shows }) => {
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
  });
});

test.runIf(hasTmux)('a dumb terminal gets lines', async () => {
  await inShell('dumb', async ({ screen, shows }) => {
    await shows('US-1 Wait');
    expect(screen()).not.toContain('iteration 1 of 50');
  });
});
