/**
 * A night with three plans of three formats at once: one needs a person, one is killed and taken up again, one meets a
 * limit. Then the morning: a page to read, one merge, one pull request, one that is thrown away.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planOf, play, runs, writes } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

/** What differs from night to night: days, commits, times. */
const same = (text: string): string =>
  text
    // What other tests start on this machine meanwhile, such as a tmux.
    .replace(/^ +Process started meanwhile.*\n/gm, '')
    .replace(/\d{4}-\d\d-\d\d-/g, 'DAY-')
    .replace(/\b[0-9a-f]{7}\b/g, 'COMMIT')
    .replace(/\b\d+(\.\d+)?(ms|s)\b/g, 'TIME')
    .replace(/\b\d+m TIME/g, 'TIME');

const idOf = (repo: Repo, name: string): string => repo.runs().find(run => run.endsWith(name)) ?? '';

test('three plans at once, and ten minutes in the morning', async () => {
  const repo = makeRepo({
    files: {
      'till.json': `${JSON.stringify({ ...planOf('T-1', 'T-2'), project: 'Till' })}\n`,
      'MENU.md': '# Menu\n\n- [ ] M-1: Soup\n- [ ] M-2: Fish\n',
      'sprints/login/SPRINT.yaml': 'workflow: build\nsprint-id: login\nsteps:\n  - Log in\n',
      '.claude/workflows/build.yaml': 'phases:\n  - id: prepare\n    prompt: Prepare\n',
    },
    config: { gates: ['test ! -e broken'], 'max-attempts': 2 },
    scenario: play({
      'T-2': writes('broken'),
      'M-1': runs('touch $OUTSIDE/M-1', 'while ! test -e $OUTSIDE/go; do sleep 0.05; done', 'echo M-1 > M-1.txt'),
      prepare: [{ steps: [{ 'rate-limit': { for: '1s' } }] }, writes('prepare.txt')],
      '*': writes('{{item}}.txt'),
    }),
  });
  const env = { OUTSIDE: repo.outside };
  const before = repo.git('rev-parse', 'main');
  repo.write('mine.txt', 'not committed\n');
  const night = repo.start(['run', 'till.json', 'MENU.md', 'sprints/login'], { env });
  await until(() => existsSync(join(repo.outside, 'M-1')));
  const menu = repo.journal(idOf(repo, 'menu')).findLast(record => record.type === 'run.started');
  const pid = menu?.type === 'run.started' ? (menu.runner?.process.pid ?? 0) : 0;
  process.kill(pid, 'SIGKILL');
  const ended = await night.ended;
  expect(ended.code).toBe(137);
  expect(ended.stdout.slice(ended.stdout.indexOf('\n\n1 of 3'))).toBe(
    '\n\n1 of 3 runs complete\n  till.json      needs you\n  MENU.md        ended with exit code 137\n  sprints/login  complete\n\nNext: ralph review\n',
  );
  expect(ended.stdout).toMatch(/^sprints\/login \| .*waiting/m);
  repo.write('../outside/go', '');
  const again = await repo.ralph(['run', 'MENU.md'], { env });
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('M-1: the runner died');
  expect(repo.git('rev-parse', 'main')).toBe(before);

  const review = await repo.ralph(['review']);
  expect(same(review.stdout)).toMatchInlineSnapshot(`
    "3 runs, 4 items done, 1 needs a person, 2 to merge or discard

    ralph/till  DAY-till
      A person is needed: nothing is left but blocked items (1 item blocked; T-2: 2 attempts were rejected: gate \`test ! -e broken\` exited 1).
      1 of 2 done · 1 blocked · 1 commit · 2 files, +2 -1 · TIME
      look at  Blocked T-2 Story T-2: 2 attempts were rejected: gate \`test ! -e broken\` exited 1
               Gate was red for T-2: test ! -e broken, iterations 2, 3
      refused  T-2: 2 attempts, last: gate \`test ! -e broken\` exited 1
      commits  COMMIT T-1 +1 -0 test ! -e broken green
      next     ralph retry T-2 --plan till.json --with "what was missing"
               ralph run till.json
               ralph merge DAY-till
               ralph discard DAY-till

    ralph/menu  DAY-menu
      Complete: every item is done (2 items done; the gates are green, no final gates are configured).
      2 of 2 done · 2 commits · 3 files, +4 -2 · TIME
      look at  Runner died once while M-1 was being worked on: its agent, or code that the gates run, may have ended it
      commits  COMMIT M-1 +1 -0 test ! -e broken green
               COMMIT M-2 +1 -0 test ! -e broken green
      next     ralph merge DAY-menu
               ralph discard DAY-menu

    ralph/login  DAY-login
      Complete: every item is done (1 item done; the gates are green, no final gates are configured).
      1 of 1 done · 2 commits · 2 files, +19 -0 · TIME
      commits  COMMIT prepare +1 -0 test ! -e broken green
      next     ralph merge DAY-login
               ralph discard DAY-login
    "
  `);
  const merged = await repo.ralph(['merge', idOf(repo, 'menu')]);
  expect([merged.code, same(merged.stdout)]).toMatchInlineSnapshot(`
    [
      0,
      "Merged ralph/menu into main (2 items): moved forward to COMMIT.
    Green on the merged tree: test ! -e broken.
    The worktree .ralph/worktrees/DAY-menu is removed.
    ",
    ]
  `);
  const discarded = await repo.ralph(['discard', idOf(repo, 'till')]);
  expect([discarded.code, same(discarded.stdout)]).toMatchInlineSnapshot(`
    [
      0,
      "The branch ralph/till is deleted; its last commit was COMMIT. To restore it, within 30 days: ralph discard DAY-till --undo
    The worktree .ralph/worktrees/DAY-till is removed.
    2 refs of refused attempts went into a file; the command that restores them is in: ralph report --run DAY-till.
    ",
    ]
  `);
  const request = await repo.ralph(['pr', idOf(repo, 'login')]);
  expect([request.code, same(request.stdout)]).toMatchInlineSnapshot(`
    [
      0,
      "prepare prepare: Prepare

    \`sprints/login/PROGRESS.yaml\`: 1 of 1 done. One commit for each item.

    | Item | Commit | Gates when it was accepted |
    |---|---|---|
    | prepare prepare: Prepare | \`COMMIT\` | test ! -e broken green |

    No final gates were run.

    ## What to review

    Nothing stands out.

    Run \`DAY-login\`, made with script.
    ",
    ]
  `);
  expect(repo.read('mine.txt')).toBe('not committed\n');
  expect(repo.git('ls-tree', '--name-only', 'main')).toContain('M-2.txt');
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
    'refs/heads/main\nrefs/heads/ralph/login\nrefs/heads/ralph/menu',
  );
});
