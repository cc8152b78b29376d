/** Repositories as developers have them: a run works there, and what is the person's stays as it was. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { doneIn, GIT, planOf, play, runs, works } from './scene.ts';

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
const UPDATE = 'git -c protocol.file.allow=always submodule --quiet update --init';

function withSubmodule(repo: Repo): void {
  repo.git('clone', '-q', repo.root, join(repo.outside, 'library'));
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../outside/library', 'library');
  repo.git('commit', '-qm', 'with a submodule');
}

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
      withSubmodule(repo);
    }
    const { code, stdout } = await repo.run([...RUN, ...flags]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/app\/ was a repository without a commit, .* its \.git was moved to .*found/);
    expect(repo.git('show', 'ralph/shop:app/x.txt')).toBe('x');
    expect(existsSync(join(repo.root, `.ralph/runs/${repo.runs()[0]}/found/app-.git/index`))).toBe(true);
  });

  test('a submodule that it moved: the items after it start from the commit of the tree', async () => {
    const commit = `cd library && echo more >> README.md && ${GIT} commit -qam more`;
    const repo = plain({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], limits: { attempts: 1 } },
      scenario: play({ 'US-1': runs(commit), '*': works }),
    });
    withSubmodule(repo);
    const before = repo.git('-C', 'library', 'rev-parse', 'HEAD');
    const { code, stdout } = await repo.run(RUN);
    expect(code, stdout).toBe(3);
    expect(doneIn(repo)).toEqual(['US-2']);
    expect(repo.git('-C', 'library', 'rev-parse', 'HEAD')).toBe(before);
    expect(repo.git('-C', 'library', 'log', '--all', '--reflog', '--format=%s')).toContain('more');
  });

  test('a worktree with submodules is kept after the merge, with the command that removes it', async () => {
    const repo = plain({ scenario: play({ '*': runs(`${UPDATE} && echo x > x.txt`) }) });
    withSubmodule(repo);
    expect((await repo.run([...RUN, '--worktree'])).code).toBe(0);
    const { code, stdout } = await repo.ralph(['merge']);
    expect(code).toBe(0);
    const command = /it has submodules\. To remove it: (git .+?)\.?$/m.exec(stdout)?.[1] ?? 'false';
    expect((await paste(repo, command)).code, stdout).toBe(0);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('a file that nobody may read', () => {
    const { repo, status, stdout } = runAsOther('echo x > shut.txt; chmod 000 shut.txt');
    expect(status, stdout).toBe(0);
    expect(stdout).toContain('permissions were taken away (shut.txt); the owner has them again');
    expect(repo.git('show', 'ralph/shop:shut.txt')).toBe('x');
  });

  test('a folder that cannot be written to: what was rejected in it is in no later commit', () => {
    const { repo, status, stdout } = runAsOther(`mkdir shut; echo x > shut/x.txt; chmod 555 shut; ${REFUSED}`);
    expect(status, stdout).toBe(3);
    expect(repo.git('diff', '--name-only', 'main', 'ralph/shop')).toBe('US-2.txt\nprd.json');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

/** A run with these commands of the first item's agent; permissions do not bind root, so root runs it as somebody else. */
function runAsOther(...commands: readonly string[]) {
  const scenario = play({ 'US-1': runs(...commands), '*': works });
  const repo = plain({ plan: planOf('US-1', 'US-2'), config: redWhileBad, scenario });
  const top = join(repo.root, '..');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, top]);
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliFile, 'run', ...RUN], {
    cwd: repo.root,
    env: cleanEnv(repo.home),
    encoding: 'utf8',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  if (isRoot) execFileSync('chown', ['-R', '0:0', top]);
  return { repo, status, stdout: stdout + stderr };
}
