/**
 * What a person sees, in a real terminal of 80 and of 120 columns. A change to one of these files is a change to a screen:
 * read the difference. `npx vitest run test/screens --update` writes them again.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.warn('test/screens is skipped: tmux is not installed');

const options = {
  files: { 'src/start.js': 'start();\n' },
  plan: {
    project: 'shop',
    userStories: [
      { id: 'US-1', title: 'Add the price of an item to the invoice', passes: false },
      { id: 'US-2', title: 'Send the invoice by mail and keep a copy', passes: false },
      { id: 'US-3', title: 'Ask the bank for a statement', passes: false },
    ],
  },
  config: { gates: [{ name: 'mail', run: 'test ! -f mail.txt || grep -q ok mail.txt' }] },
  scenario: {
    items: {
      'US-1': [{ steps: [{ write: { path: 'price.txt', text: '1\n' } }] }],
      'US-2': [
        { steps: [{ write: { path: 'mail.txt', text: 'no\n' } }] },
        { steps: [{ write: { path: 'mail.txt', text: 'ok\n' } }] },
      ],
      'US-3': [{ steps: [], claim: { blocked: 'the bank has no test account' } }],
    },
  },
};

let shown = 0;

/** The screen when a command is over, as tmux has it. */
function screenOf(repo: Repo, args: string, columns: number): string {
  shown += 1;
  const over = join(repo.outside, `over-${shown}`);
  const script = join(repo.outside, `show-${shown}.sh`);
  writeFileSync(script, `${process.execPath} ${cliFile} ${args}\ntouch ${over}\nexec sleep 600\n`);
  const env = { ...cleanEnv(repo.home), TERM: 'xterm', LANG: 'C.UTF-8', TZ: 'UTC', TMUX_TMPDIR: repo.outside };
  const tmux = (...words: readonly string[]) =>
    execFileSync('tmux', ['-u', '-L', `s${shown}`, '-f', '/dev/null', ...words], {
      cwd: repo.root,
      env,
      encoding: 'utf8',
    });
  tmux('new-session', '-d', '-x', String(columns), '-y', '160', `sh ${script}`);
  try {
    for (let look = 0; look < 1200 && !existsSync(over); look++) Atomics.wait(pause, 0, 0, 50);
    expect(existsSync(over), `ralph ${args} ends`).toBe(true);
    const screen = tmux('capture-pane', '-p').trimEnd();
    const joined = tmux('capture-pane', '-p', '-J').replace(/ +$/gm, '').trimEnd();
    // A report is Markdown, for a file or a viewer.
    if (args === 'report') return joined;
    // A line that goes on in the next one was too wide for the screen.
    expect(screen, `ralph ${args} fits ${columns} columns`).toBe(joined);
    return screen;
  } finally {
    tmux('kill-server');
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Without what differs from one run or machine to the next. */
const stable = (screen: string, repo: Repo): string =>
  screen
    .replaceAll(repo.root, 'REPO')
    .replaceAll(repo.outside, 'OUTSIDE')
    .replaceAll(repo.home, 'HOME')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, 'DATE')
    .replace(/\b\d\d:\d\d(?::\d\d)?\b/g, 'HH:MM')
    .replace(/ *\b\d+(?:\.\d+)?(?:ms|s)\b/g, ' TIME')
    .replace(/\b[0-9a-f]{7,40}\b/g, 'COMMIT')
    .replace(/\d+(?:\.\d+)? [kMG]i?B\b/g, 'SIZE')
    .replace(/\bv?\d+\.\d+\.\d+\b/g, 'VERSION');

describe.runIf(hasTmux)('screens', () => {
  test.each([80, 120])('of %i columns', async columns => {
    const repo = makeRepo(options);
    const show = async (name: string, args: string, at = repo) => {
      const screen = stable(screenOf(at, args, columns), at);
      await expect(`$ ralph ${args}\n${screen}\n`).toMatchFileSnapshot(`golden/${name}-${columns}.txt`);
    };
    await show('check', 'check');
    await show('doctor', 'doctor');
    await show('run', 'run');
    await show('status', 'status');
    await show('items', 'items');
    await show('logs', 'logs 2');
    await show('report', 'report');
    await show('runs', 'runs');
    // Without somebody to ask: the page alone.
    await show('review', 'review < /dev/null');
    await show('watch', 'watch');
    await show('run-v', 'run -v', makeRepo(options));
  });

  test.each(['--help', 'run --help', 'lessons --help'])('ralph %s fits 60 columns', help => {
    expect(screenOf(makeRepo(options), help, 60)).toMatch(/^ {32}\S/m);
  });
});
