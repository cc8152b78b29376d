/** Repositories as developers have them: a run works there, and what is the person's stays as it was. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { planOf, planText, play, runs, works } from './scene.ts';

const NOBODY = 65534;
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

const RUN = ['--no-sandbox'];
const plain = (more: Parameters<typeof makeRepo>[0] = {}): Repo =>
  makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }), ...more });

describe.concurrent('a repository', () => {
  test('whose git directory is elsewhere can be merged, reverted and discarded', async () => {
    const repo = plain();
    repo.git('init', '-q', '--separate-git-dir', join(repo.outside, 'elsewhere.git'));
    expect((await repo.run([...RUN, '--worktree'])).code).toBe(0);
    const merged = await repo.ralph(['merge']);
    expect(merged.code, merged.stderr).toBe(0);
    expect(repo.read('US-1.txt')).toBe('US-1\n');
    repo.git('switch', '-q', 'ralph/shop');
    const reverted = await repo.ralph(['revert', 'US-1']);
    expect(reverted.code, reverted.stderr).toBe(0);
    expect(existsSync(join(repo.root, 'US-1.txt'))).toBe(false);
    const gone = await repo.ralph(['discard', 'prd.json']);
    expect(gone.code, gone.stderr).toBe(0);
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  });

  test('with a replaced object keeps what is stored, whatever is undone', async () => {
    const repo = plain({
      plan: planOf('US-1', 'US-2'),
      config: redWhileBad,
      files: { 'old.txt': 'as stored\n' },
      scenario: play({ 'US-1': runs(`${REFUSED}; echo x > old.txt`), '*': works }),
    });
    repo.write('other', 'another one\n');
    const other = repo.git('hash-object', '-w', 'other');
    repo.git('replace', repo.git('rev-parse', 'HEAD:old.txt'), other);
    repo.git('clean', '-qf', 'other');
    const { code, stdout } = await repo.run(RUN);
    expect(code, stdout).toBe(3);
    expect(repo.read('old.txt')).toBe('as stored\n');
    expect(repo.git('diff', '--name-only', 'main', 'HEAD')).toBe('US-2.txt\nprd.json');
  });

  test('that merges only what is signed takes the commits of a run', async () => {
    const repo = plain();
    repo.git('config', 'merge.verifySignatures', 'true');
    expect((await repo.run(RUN)).code).toBe(0);
    const reverted = await repo.ralph(['revert', 'US-1']);
    expect(reverted.code, reverted.stderr).toBe(0);
  });

  test.each(['GIT_LITERAL_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS'])(
    'is worked on with %s in the environment',
    async name => {
      const repo = plain({ files: { '.gitignore': '.env\n' } });
      repo.write('.env', 'A=1\n');
      const { code, stdout, stderr } = await repo.run([...RUN, '--worktree'], { env: { [name]: '1' } });
      expect(code, stdout + stderr).toBe(0);
      expect(stdout + stderr).not.toContain('warning');
      expect(repo.read(`.ralph/worktrees/${repo.runs()[0]}/.env`)).toBe('A=1\n');
    },
  );
});

describe.concurrent('a run is refused, and the step that is named helps,', () => {
  /** The command at the end of a hint. */
  const stepIn = (text: string): string => /(?:with: |^ *(?=echo ))(.+)$/m.exec(text)?.[1] ?? 'false';

  const commits = (repo: Repo, ...texts: readonly string[]) => {
    for (const text of texts) {
      repo.write('line.txt', `${text}\n`);
      repo.git('add', 'line.txt');
      repo.git('commit', '-qm', text);
    }
  };
  /** Git ends with 1 where there is a conflict. */
  const inConflict = (repo: Repo, ...args: readonly string[]) => {
    try {
      repo.git(...args);
    } catch {
      return;
    }
    throw new Error('there was no conflict');
  };

  const halfDone: Readonly<Record<string, (repo: Repo) => void>> = {
    'a bisect': repo => {
      commits(repo, 'one', 'two', 'three', 'four');
      repo.git('bisect', 'start', 'HEAD', 'HEAD~3');
    },
    'git am': repo => {
      repo.git('config', 'user.name', 'A Person');
      repo.git('config', 'user.email', 'person@example.org');
      commits(repo, 'one', 'two');
      const patch = repo.git('format-patch', '-1', '-o', repo.outside);
      repo.git('reset', '-q', '--hard', 'HEAD~1');
      commits(repo, 'another');
      inConflict(repo, 'am', patch);
    },
    'a cherry-pick': repo => {
      commits(repo, 'one', 'two', 'three');
      repo.git('switch', '-qc', 'other', 'HEAD~2');
      commits(repo, 'another');
      inConflict(repo, 'cherry-pick', 'main~1', 'main');
      repo.git('checkout', '--theirs', 'line.txt');
      // From here on only `sequencer` tells of it.
      repo.git('commit', '-qam', 'resolved');
    },
  };

  test.each(Object.entries(halfDone))('while %s is half done', async (what, begin) => {
    const repo = plain();
    begin(repo);
    const { code, stderr } = await repo.run(RUN);
    expect(code).toBe(4);
    expect(stderr).toContain(`${what} is half done in this repository`);
    const ended = await paste(repo, stepIn(stderr));
    expect(ended.code, ended.stderr).toBe(0);
    const again = await repo.run(RUN);
    expect(again.code, again.stderr).toBe(0);
  });

  test('a merge into a branch whose checkout is in the middle of git am', async () => {
    const repo = plain();
    expect((await repo.run([...RUN, '--worktree'])).code).toBe(0);
    commits(repo, 'zero');
    halfDone['git am']?.(repo);
    const before = repo.git('rev-parse', 'main');
    const merged = await repo.ralph(['merge']);
    expect(merged.code).toBe(1);
    expect(merged.stderr).toContain(`git am is half done in ${repo.root}`);
    expect(repo.git('rev-parse', 'main')).toBe(before);
    expect((await paste(repo, stepIn(merged.stderr))).code).toBe(0);
    expect((await repo.ralph(['merge'])).code).toBe(0);
  });

  test('beside a repository that git does not ignore', async () => {
    const repo = plain();
    repo.write("it's mine/file", 'mine\n');
    repo.git('init', '-q', "it's mine");
    const { code, stderr } = await repo.run(RUN);
    expect(code).toBe(4);
    expect(stderr).toContain("it's mine/ is a repository of its own");
    expect(stderr).not.toContain('stash --include');
    const ended = await paste(repo, stepIn(stderr));
    expect(ended.code, ended.stderr).toBe(0);
    const again = await repo.run(RUN);
    expect(again.code, again.stderr).toBe(0);
    expect(repo.read("it's mine/file")).toBe('mine\n');
  });

  test('below a folder with a line break in its name', async () => {
    const repo = plain();
    const odd = join(repo.outside, 'a\nb');
    mkdirSync(odd);
    repo.git('clone', '-q', repo.root, odd);
    const { code, stderr } = await repo.ralph(['run', ...RUN], { cwd: odd });
    expect(code).toBe(4);
    expect(stderr).toContain('has a line break in it');
  });

  test('where the only config is in a folder below the root', async () => {
    const repo = makeRepo({
      files: {
        'packages/shop/prd.json': planText('Shop', 'US-1'),
        'packages/shop/ralph.json': '{"gates":["false"]}\n',
      },
    });
    const cwd = join(repo.root, 'packages/shop');
    const { code, stderr } = await repo.ralph(['run', 'prd.json', ...RUN], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('ralph.json is not read: the config of a repository is at its root');
    expect(stderr).toContain('cd packages/shop && ');
    expect((await paste(repo, /(mv .+)$/m.exec(stderr)?.[1] ?? 'false', 'packages/shop')).code).toBe(0);
    expect(existsSync(join(repo.root, 'ralph.json'))).toBe(true);
  });
});

describe.concurrent('what git cannot take from an agent ends no run:', () => {
  test.each([
    ['in the checkout', []],
    ['in a worktree', ['--worktree']],
    ['beside a submodule', []],
  ])('a repository without a commit %s', async (which, flags) => {
    const repo = plain({
      plan: planOf('US-1', 'US-2'),
      scenario: play({
        'US-1': runs('mkdir app; echo x > app/x.txt; git init -q app', 'git -C app add x.txt'),
        '*': works,
      }),
    });
    if (which === 'beside a submodule') {
      repo.git('clone', '-q', repo.root, join(repo.outside, 'library'));
      repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../outside/library', 'library');
      repo.git('commit', '-qm', 'with a submodule');
    }
    const { code, stdout } = await repo.run([...RUN, ...flags]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/app\/ was a repository without a commit, .* its \.git was moved to .*found/);
    expect(repo.git('show', 'ralph/shop:app/x.txt')).toBe('x');
    expect(existsSync(join(repo.root, `.ralph/runs/${repo.runs()[0]}/found/app-.git/index`))).toBe(true);
  });

  test('a file that nobody may read', () => {
    const repo = plain({
      plan: planOf('US-1', 'US-2'),
      scenario: play({ 'US-1': runs('echo x > shut.txt; chmod 000 shut.txt'), '*': works }),
    });
    // Permissions do not bind root, so root runs it as somebody else.
    const asOther = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if (asOther.uid !== undefined) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(repo.root, '..')]);
    const { status, stdout, stderr } = spawnSync(process.execPath, [cliFile, 'run', ...RUN], {
      cwd: repo.root,
      env: cleanEnv(repo.home),
      encoding: 'utf8',
      ...asOther,
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain('shut.txt could not be read; its owner can read it now');
    expect(readFileSync(join(repo.root, 'shut.txt'), 'utf8')).toBe('x\n');
    if (asOther.uid !== undefined) execFileSync('chown', ['-R', '0:0', join(repo.root, '..')]);
    expect(repo.git('show', 'ralph/shop:shut.txt')).toBe('x');
  });
});
