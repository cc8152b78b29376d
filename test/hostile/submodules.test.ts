/** Agents that edit what is in a submodule: gates read it, and no commit of the repository holds it. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doneIn, GIT, planOf, play, recordsOf, runs, story, verdictsIn } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const LIBRARY = 'git -c protocol.file.allow=always submodule --quiet';
/** Green without the item's work, and then only where the library was fixed. */
const GATE = '! test -e US-1.txt || grep -qx fixed library/lib.txt';
const EDIT = ['echo fixed > library/lib.txt', 'echo x > US-1.txt'];

interface Scene {
  readonly agent: readonly string[];
  /** Of the second attempt. */
  readonly second?: readonly string[];
  readonly allow?: readonly string[];
  readonly gates?: readonly string[];
  readonly config?: Readonly<Record<string, unknown>>;
}

function scene({ agent, second, allow = [], gates = [GATE], config = {} }: Scene): Repo {
  const repo = makeRepo({
    plan: planOf(story('US-1', { allow })),
    config: { gates, limits: { attempts: 1 }, ...config },
    scenario: play({ '*': second ? [runs(...agent), runs(...second)] : runs(...agent) }),
  });
  const library = join(repo.outside, 'library');
  repo.git('init', '-q', '-b', 'main', library);
  repo.write('../outside/library/lib.txt', 'good\n');
  repo.write('../outside/library/.gitignore', '*.o\n');
  repo.git('-C', library, 'add', '-A');
  repo.git('-C', library, 'commit', '-qm', 'Library');
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
  repo.git('commit', '-qm', 'With a library');
  return repo;
}

const isClean = (repo: Repo) => expect(repo.git('-C', 'library', 'status', '--porcelain')).toBe('');

describe.concurrent('edits in a submodule', () => {
  test.each([
    ['in the checkout', []],
    ['in a worktree, where it is empty', ['--worktree']],
    ['by one of several workers', ['--parallel', '2']],
  ])('%s do not count, are undone and kept', async (_, flags) => {
    const repo = scene({ agent: EDIT });
    const { code, stdout } = await repo.run(['--no-sandbox', ...flags]);
    expect(code, stdout).toBe(3);
    expect(doneIn(repo)).toEqual([]);
    expect(stdout).toContain('library is a repository of its own: a commit here would not hold the edits of lib.txt');
    const ref = /as the agent left it, it is under (\S+)/.exec(stdout)?.[1] ?? '';
    expect(repo.git('show', `${ref}:lib.txt`)).toBe('fixed');
    isClean(repo);
    expect(repo.read('library/lib.txt')).toBe('good\n');
  });

  test('hidden behind another git directory with the same commit', async () => {
    const repo = scene({
      agent: [
        'git clone -q library ../outside/copy',
        'rm library/.git',
        'echo "gitdir: ../../outside/copy/.git" > library/.git',
        ...EDIT,
      ],
    });
    expect((await repo.run(['--no-sandbox'])).code).toBe(3);
    expect(doneIn(repo)).toEqual([]);
    isClean(repo);
  });

  test('of ignored files are not seen by gates', async () => {
    const repo = scene({ agent: ['echo x > library/x.o', 'echo x > US-1.txt'], gates: ['! test -e library/x.o'] });
    const { code, stdout } = await repo.run(['--no-sandbox']);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('the agent made library/x.o, which git ignores; removed before the gates ran');
  });

  test('in a submodule of a submodule do not count', async () => {
    const repo = scene({
      agent: ['echo fixed > library/deep/README.md', 'echo x > US-1.txt'],
      gates: ['! test -e US-1.txt || grep fixed library/deep/README.md'],
    });
    repo.git('-c', 'protocol.file.allow=always', '-C', 'library', 'submodule', '--quiet', 'add', repo.root, 'deep');
    repo.git('-C', 'library', 'commit', '-qm', 'Deep');
    repo.git('commit', '-qam', 'With a deep library');
    const { code, stdout } = await repo.run(['--no-sandbox']);
    expect(code, stdout).toBe(3);
    expect(stdout).toContain('library/deep is a repository of its own');
    isClean(repo);
  });

  test('by an agent that kills its runner are undone by the next run', async () => {
    const kill = `touch ../outside/once; kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .ralph/lock); sleep 20`;
    const repo = scene({ agent: [`test -f ../outside/once || { ${EDIT[0]}; ${kill}; }`, 'echo x > US-1.txt'] });
    expect((await repo.ralph(['run', '--no-sandbox'])).signal).toBe('SIGKILL');
    expect(repo.read('library/lib.txt')).toBe('fixed\n');
    const { code, stdout } = await repo.ralph(['run', '--no-sandbox']);
    expect(code, stdout).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    isClean(repo);
  });
});

describe.concurrent('a submodule that an item may move', () => {
  const allow = ['inside-only'];
  const commit = `${GIT} -C library commit -qam new`;

  test('keeps its new files also where gates write into it', async () => {
    const repo = scene({
      allow,
      agent: ['echo fixed > library/lib.txt', commit, 'echo x > US-1.txt'],
      gates: [GATE, 'echo more >> library/lib.txt'],
    });
    const { code, stdout } = await repo.run(['--no-sandbox']);
    expect(code, stdout).toBe(0);
    expect(repo.read('library/lib.txt')).toBe('fixed\n');
    isClean(repo);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('is not moved to a commit whose files no gate has seen', async () => {
    const repo = scene({
      allow,
      agent: ['echo bad > library/lib.txt', commit, 'echo worse > library/lib.txt'],
      second: ['echo x > US-1.txt'],
      gates: ['grep -qx good library/lib.txt'],
      config: { limits: { attempts: 2 } },
    });
    const { stdout } = await repo.run(['--no-sandbox']);
    expect(verdictsIn(repo), stdout).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(repo.git('-C', 'library', 'show', `${repo.git('rev-parse', 'HEAD:library')}:lib.txt`)).toBe('good');
    isClean(repo);
  });
});

describe.concurrent('a submodule', () => {
  test('that an attempt removed is there again when the attempt is undone', async () => {
    const repo = scene({
      agent: ['rm -rf library', 'echo x > US-1.txt'],
      gates: ['grep -qx good library/lib.txt'],
      config: { limits: { attempts: 2 } },
    });
    expect((await repo.run(['--no-sandbox'])).code).toBe(3);
    isClean(repo);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('with a new commit of the agent is put back with its files, and what was committed stays', async () => {
    const repo = scene({
      agent: ['echo fixed > library/lib.txt', `${GIT} -C library commit -qam fixed`, 'echo x > US-1.txt'],
    });
    expect((await repo.run(['--no-sandbox'])).code).toBe(3);
    isClean(repo);
    expect(repo.read('library/lib.txt')).toBe('good\n');
    expect(repo.git('-C', 'library', 'log', '--all', '--reflog', '--format=%s')).toContain('fixed');
  });

  test('that an agent fetches as it is recorded is no edit', async () => {
    const repo = scene({
      agent: [`${LIBRARY} update --init`, 'echo x > US-1.txt'],
      gates: ['! test -e US-1.txt || grep -qx good library/lib.txt'],
    });
    const { code, stdout } = await repo.run(['--no-sandbox', '--worktree']);
    expect(code, stdout).toBe(0);
  });

  test('is there on a fresh checkout, where final gates run', async () => {
    const repo = scene({
      agent: ['echo x > US-1.txt'],
      gates: ['true'],
      config: { final: ['grep -qx good library/lib.txt'] },
    });
    const { code, stdout } = await repo.run(['--no-sandbox']);
    expect(code, stdout).toBe(0);
    expect(recordsOf(repo, 'final').flatMap(({ gates }) => gates.map(({ status }) => status))).toEqual(['green']);
  });
});
