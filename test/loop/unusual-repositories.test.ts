/** Repositories as developers have them: a run works there, and what is the person's stays as it was. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { planOf, play, runs, works } from './scene.ts';

const REFUSED = 'echo no > bad';
const redWhileBad = { gates: ['test ! -e bad'], limits: { attempts: 1 } };

/** Flags and ids of everything in the person's index. */
const indexOf = (repo: Repo): string => repo.git('ls-files', '-v', '-s');

describe.concurrent('files that git was told not to look at', () => {
  test.each(['--assume-unchanged', '--skip-worktree'])(
    '%s: are as the person had them after any attempt',
    async flag => {
      const repo = makeRepo({
        plan: planOf('US-1', 'US-2', 'US-3'),
        config: redWhileBad,
        files: { 'local.ini': 'as committed\n', 'mine.ini': 'as committed\n' },
        scenario: play({
          'US-1': runs('echo agent >> local.ini; echo x > one.txt'),
          'US-2': runs(REFUSED),
          '*': works,
        }),
      });
      repo.git('update-index', flag, 'local.ini', 'mine.ini');
      repo.write('local.ini', 'password of mine\n');
      repo.write('mine.ini', 'also mine\n');
      const { code, stdout } = await repo.run(['--no-sandbox']);
      expect(code, stdout).toBe(3);
      expect(repo.read('local.ini')).toBe('password of mine\n');
      expect(repo.read('mine.ini')).toBe('also mine\n');
      expect(stdout).toMatch(/changed while the agent worked: local\.ini; restored/);
      expect(repo.git('show', 'HEAD:local.ini')).toBe('as committed');
      expect(indexOf(repo)).toMatch(flag === '--skip-worktree' ? /^S .*mine\.ini$/m : /^h .*mine\.ini$/m);
      expect(existsSync(join(repo.root, 'US-3.txt'))).toBe(true);
    },
  );

  test('keep their flags where a run commits its archive', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], archive: { commit: true } },
      files: { 'local.ini': 'as committed\n' },
      scenario: play({ '*': works }),
    });
    repo.git('update-index', '--skip-worktree', 'local.ini');
    repo.write('local.ini', 'password of mine\n');
    const { code, stdout } = await repo.run(['--no-sandbox']);
    expect(code, stdout).toBe(0);
    expect(repo.read('local.ini')).toBe('password of mine\n');
    expect(indexOf(repo)).toMatch(/^S .*local\.ini$/m);
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
