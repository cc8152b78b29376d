/** What `ralph doctor` calls ready starts, and what it calls refused is refused by `ralph run` in the same words. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/start/finding.ts';
import { describeFailure, type Failure } from '../../src/util/result.ts';
import { planOf, play, story, works } from '../loop/scene.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo, type Repo, type RepoOptions, type RunFlags } from '../support/repo.ts';

interface State {
  /** What is committed, over a shop with one story and a green gate. */
  readonly files?: RepoOptions['files'];
  readonly plan?: unknown;
  readonly config?: RepoOptions['config'];
  readonly branch?: string;
  /** What happens to it then; what it returns is called when the state is no longer needed. */
  readonly change?: (repo: Repo) => unknown;
  /** For both commands. */
  readonly args?: readonly string[];
  readonly env?: RunFlags['env'];
  readonly uid?: number;
  /** Below the repository. */
  readonly cwd?: (repo: Repo) => string;
  /** Undefined: a run starts. */
  readonly exit?: 2 | 4;
  readonly says?: RegExp;
}

const isRoot = process.getuid?.() === 0;
const ANOTHER_USER = 65534;

const isOpen = (repo: Repo): boolean => existsSync(join(repo.root, '.ralph/lock'));

const commit = (repo: Repo, files: Readonly<Record<string, string>>, message: string): void => {
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  repo.git('add', '-A');
  repo.git('commit', '-qm', message);
};

/** Two branches that change one file; then whatever is to stop half way. */
function conflict(repo: Repo, ...command: readonly string[]): void {
  repo.git('checkout', '-qb', 'side');
  commit(repo, { both: 'a\n' }, 'a');
  repo.git('checkout', '-q', 'main');
  commit(repo, { both: 'b\n' }, 'b');
  expect(() => repo.git(...command)).toThrow();
}

/** Something else than a regular file, by the name of one. */
const pipe = (repo: Repo, path: string): void => {
  rmSync(join(repo.root, path), { force: true });
  execFileSync('mkfifo', [join(repo.root, path)]);
};

const asModule = (repo: Repo): void => {
  const library = join(repo.outside, 'library');
  repo.git('clone', '-q', repo.root, library);
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
  repo.git('commit', '-qm', 'A library');
};

const states: Readonly<Record<string, State>> = {
  'a clean tree': {},
  'a branch of a person': { branch: 'feature' },
  'a protected branch': { branch: 'release/2' },
  'a detached HEAD': { change: repo => repo.git('checkout', '-q', '--detach') },
  'a folder of the repository': {
    files: { 'src/a.txt': 'a\n' },
    args: ['--plan', '../prd.json'],
    cwd: repo => join(repo.root, 'src'),
  },
  'a changed file': {
    change: repo => repo.write('README.md', 'edited\n'),
    exit: 4,
    says: /uncommitted work: README\.md/,
  },
  'a new file': { change: repo => repo.write('new.txt', 'new\n'), exit: 4, says: /uncommitted work: new\.txt/ },
  'changed documents only': {
    files: { 'docs/guide.md': 'a\n' },
    change: repo => repo.write('docs/guide.md', 'b\n'),
    exit: 4,
    says: /ralph run --worktree/,
  },
  'a changed file and --worktree': { change: repo => repo.write('README.md', 'edited\n'), args: ['--worktree'] },
  'a plan and a config that are not committed': {
    change: repo => {
      repo.git('rm', '-q', '--cached', 'prd.json', 'ralph.json');
      repo.git('commit', '-qm', 'Neither');
    },
  },
  'a pin and no other state': { change: repo => repo.write('.ralph/pin.md', '# Pin\n\n- shop: README.md\n') },
  'a merge half way': { change: repo => conflict(repo, 'merge', 'side'), exit: 4, says: /a merge is/ },
  'a rebase half way': { change: repo => conflict(repo, 'rebase', 'side'), exit: 4, says: /a rebase is/ },
  'a changed submodule': {
    change: repo => {
      asModule(repo);
      repo.write('library/README.md', 'edited\n');
    },
  },
  'a submodule at another commit': {
    change: repo => {
      asModule(repo);
      repo.git('-C', 'library', 'commit', '-q', '--allow-empty', '-m', 'More');
    },
    exit: 4,
    says: /uncommitted work: library/,
  },
  'no commit': {
    change: repo => {
      rmSync(join(repo.root, '.git'), { recursive: true });
      repo.git('init', '-q', '-b', 'main');
    },
    exit: 4,
    says: /no commit yet/,
  },
  'no repository': {
    change: repo => rmSync(join(repo.root, '.git'), { recursive: true }),
    exit: 4,
    says: /not inside a git repository/,
  },
  'a bare repository': {
    change: repo => repo.git('clone', '-q', '--bare', repo.root, join(repo.outside, 'bare.git')),
    cwd: repo => join(repo.outside, 'bare.git'),
    exit: 4,
    says: /bare repository/,
  },
  'a repository of another user': {
    env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' },
    exit: 4,
    says: /safe\.directory/,
  },
  'a branch name that git does not take': { config: { branch: 'bad name' }, exit: 2, says: /bad name/ },
  'a branch name below one that is there': {
    config: { branch: 'feature/{name}' },
    change: repo => repo.git('branch', 'feature'),
    exit: 2,
    says: /feature/,
  },
  'a red gate': { config: { gates: ['echo two tests fail; exit 9'] }, exit: 4, says: /two tests fail/ },
  'a red gate and --allow-red': { config: { gates: ['exit 9'] }, args: ['--allow-red'] },
  'a red gate and baseline: any': { config: { gates: ['exit 9'], baseline: 'any' } },
  'a gate that writes files': {
    config: { gates: ['mkdir -p __pycache__ && date > __pycache__/a.pyc && echo more >> README.md'] },
  },
  'a gate that needs what a worktree lacks': {
    files: { '.gitignore': 'installed\n' },
    config: { gates: ['test -f installed'] },
    change: repo => repo.write('installed', ''),
    args: ['--worktree'],
    exit: 4,
    says: /test -f installed/,
  },
  'setup that makes it': {
    files: { '.gitignore': 'installed\n' },
    config: { gates: ['test -f installed'], setup: ['touch installed'] },
    args: ['--worktree'],
  },
  'setup that fails': { config: { setup: ['exit 3'] }, args: ['--worktree'], exit: 4, says: /setup/ },
  'no plan': { change: repo => repo.git('rm', '-q', 'prd.json') && repo.git('commit', '-qm', 'No plan'), exit: 2 },
  'a plan in words': { args: ['Write a line'], config: { gates: ['true'] } },
  'an empty plan': { plan: '', exit: 2, says: /prd\.json/ },
  'a plan that does not parse': { plan: '{"userStories": [}', exit: 2, says: /prd\.json:1:18/ },
  'a plan with conflict markers': { plan: '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> side\n', exit: 2, says: /conflict/ },
  'a plan that is a pipe': {
    change: repo => pipe(repo, 'prd.json'),
    exit: 2,
    says: /pipe/,
  },
  'a plan that is done': { plan: planOf(story('US-1', { passes: true })), config: { agent: { command: ['gone'] } } },
  'a configured plan that is not there': { config: { plan: 'gone.json' }, exit: 2, says: /gone\.json/ },
  'a named plan that is not there': { args: ['gone.json'], exit: 2, says: /gone\.json/ },
  'an item that is not in the plan': { args: ['--only', 'US-9'], exit: 2, says: /US-9/ },
  'a run to build on that is not there': { config: { after: 'payments' }, exit: 2, says: /payments/ },
  'an unknown key': { config: { gate: ['true'] }, exit: 2, says: /Did you mean/ },
  'a config that is no YAML': {
    change: repo => {
      repo.git('mv', 'ralph.json', 'ralph.yaml');
      commit(repo, { 'ralph.yaml': 'gates: [true\nplan: x\n' }, 'YAML');
    },
    exit: 2,
    says: /ralph\.yaml:2/,
  },
  'a deadline that is no time': { config: { deadline: 'soon' }, exit: 2, says: /deadline/ },
  'an unknown agent': { args: ['--agent', 'claud'], exit: 2, says: /Did you mean "claude"/ },
  'an agent that is not installed': { config: { agent: 'codex' }, exit: 4, says: /codex/ },
  'an agent that is not executable': {
    files: { 'agent.sh': '#!/bin/sh\n' },
    args: ['--agent', './agent.sh'],
    exit: 4,
    says: /agent\.sh/,
  },
  'a command that is not there': { config: { agent: { command: ['gone'] } }, exit: 4, says: /gone/ },
  'a reviewer that is not there': {
    config: { review: { agent: { command: ['gone'] } } },
    exit: 4,
    says: /the reviewer/,
  },
  'a template that is a folder': {
    change: repo => mkdirSync(join(repo.root, '.ralph/templates/item.md'), { recursive: true }),
    exit: 2,
    says: /item\.md/,
  },
  'a .ralph that is a file': { change: repo => repo.write('.ralph', 'mine\n'), exit: 4, says: /\.ralph/ },
  'a lock that is a folder': {
    change: repo => mkdirSync(join(repo.root, '.ralph/lock'), { recursive: true }),
    exit: 4,
    says: /lock/,
  },
  'a folder where the worktree would go': {
    change: repo => {
      const day = new Date().toISOString().slice(0, 10);
      repo.write('.ralph/.gitignore', '*\n');
      repo.write(`.ralph/worktrees/${day}-shop/mine.txt`, 'mine\n');
    },
    args: ['--worktree'],
  },
};

/** Without what the machine has: a claude or codex on the path must not decide. */
const PATH = '/usr/local/bin:/usr/bin:/bin';

function shop({ files = {}, plan = planOf('US-1'), config = {}, branch = 'main' }: State): Repo {
  const scenario = play({ '*': works });
  return makeRepo({ files, plan, branch, config: { gates: ['true'], ...config }, scenario });
}

/** Everything a person could find changed: files with their times, what git says of them, branches. */
function traces(repo: Repo, cwd: string): unknown {
  const git = (...args: readonly string[]): string => {
    try {
      return execFileSync('git', args, {
        cwd,
        env: cleanEnv(repo.home, { GIT_OPTIONAL_LOCKS: '0' }),
        stdio: 'pipe',
      }).toString();
    } catch {
      return 'git refuses';
    }
  };
  const files = readdirSync(repo.root, { recursive: true, encoding: 'utf8' }).filter(
    path => !/^\.git(\/|$)/.test(path),
  );
  const sizes = files.toSorted().map(path => [path, statSync(join(repo.root, path)).size]);
  return [sizes, git('status', '--porcelain', '--ignored'), git('for-each-ref'), git('symbolic-ref', 'HEAD')];
}

const sameWords = (text: string): string => text.replaceAll(/\d+(\.\d+)?(ms|s)\b/g, 'a while');

async function compare(repo: Repo, { args = [], env = {}, uid, cwd, exit, says }: State): Promise<void> {
  const where = cwd?.(repo) ?? repo.root;
  const flags = { env: { PATH, ...env }, cwd: where, ...(uid === undefined ? {} : { uid }) };
  const before = traces(repo, where);
  const looked = await repo.ralph(['doctor', '--json', ...args], flags);
  expect(traces(repo, where), 'a trace of doctor').toEqual(before);
  const ran = await repo.ralph(['run', '--once', '--json', ...args], flags);
  const { ready, findings } = JSON.parse(looked.stdout) as { ready: boolean; findings: Finding[] };
  const bad = findings.filter(({ level }) => level === 'bad');
  expect([looked.code, ready, bad.length > 0], looked.stdout + ran.stderr).toEqual(
    exit === undefined ? [0, true, false] : [4, false, true],
  );
  if (exit === undefined) {
    expect(ran.code, ran.stderr + ran.stdout).not.toBe(2);
    expect(ran.code, ran.stderr + ran.stdout).not.toBe(4);
    return;
  }
  expect(ran.code, ran.stderr + ran.stdout).toBe(exit);
  const refused = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '') as Failure;
  const words = bad.map(({ detail, fix = '' }) => sameWords(`${detail}\n${fix}`));
  const { hint = '', ...what } = refused;
  expect(words).toContain(sameWords(`${describeFailure(what)}\n${hint}`));
  if (says)
    expect(`${refused.message} ${refused.file ?? ''}:${refused.line ?? ''}:${refused.column ?? ''} ${hint}`).toMatch(
      says,
    );
}

test.concurrent.for(Object.entries(states))('%s', async ([, state]) => {
  const repo = shop(state);
  const after = state.change?.(repo);
  try {
    await compare(repo, state);
  } finally {
    if (typeof after === 'function') (after as () => void)();
  }
});

test.skipIf(!isRoot)('files that belong to another user', async () => {
  const repo = shop({});
  for (const path of [repo.root, join(repo.root, '.git')]) chownSync(path, ANOTHER_USER, ANOTHER_USER);
  await compare(repo, { exit: 4, says: /safe\.directory/ });
});

test('a repository that can only be read', async () => {
  const repo = shop({});
  const closed = [repo.root, join(repo.root, '.git')];
  writeFileSync(join(repo.home, '.gitconfig'), '[safe]\n\tdirectory = *\n');
  // Permissions do not bind root, so root is somebody else meanwhile.
  if (isRoot) chmodSync(join(repo.root, '..'), 0o755);
  else for (const path of closed) chmodSync(path, 0o555);
  await compare(repo, { exit: 4, says: /cannot write here/, ...(isRoot ? { uid: ANOTHER_USER } : {}) });
  if (!isRoot) for (const path of closed) chmodSync(path, 0o755);
});

test.concurrent('a plan that is done is nothing to be ready for', async () => {
  const repo = shop({ plan: planOf(story('US-1', { passes: true })) });
  const { code, stdout } = await repo.ralph(['doctor'], { env: { PATH } });
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('ralph reset <item>');
  expect(stdout).toMatch(/\nA run would start, but has nothing to work on\.\n$/);
});

test.concurrent('a runner at work: doctor neither waits for it nor runs the gates beside it', async () => {
  const repo = makeRepo({
    plan: planOf('US-1'),
    config: { gates: ['echo ran >> ../outside/gates'] },
    scenario: play({ '*': { steps: [{ say: 'working' }, { hang: true }] } }),
  });
  const first = repo.start(['run']);
  try {
    const isWorking = () =>
      isOpen(repo) && repo.runs().length > 0 && repo.journal().some(({ type }) => type === 'agent.started');
    await expect.poll(isWorking, { timeout: 120_000 }).toBe(true);
    const ran = await repo.ralph(['run', '--once', '--json']);
    writeFileSync(join(repo.outside, 'gates'), '');
    const looked = await repo.ralph(['doctor', '--json']);
    const { findings } = JSON.parse(looked.stdout) as { findings: Finding[] };
    const refused = JSON.parse(ran.stdout) as Failure;
    expect([looked.code, ran.code]).toEqual([4, 4]);
    const said = findings.filter(({ level }) => level === 'bad').map(({ detail }) => sameWords(detail));
    expect(said).toEqual([sameWords(refused.message)]);
    expect(statSync(join(repo.outside, 'gates')).size).toBe(0);
  } finally {
    first.child.kill('SIGTERM');
    await first.ended;
  }
});
