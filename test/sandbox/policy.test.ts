/** Policies and command lines, looked at without starting anything. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxFailure } from '../../src/agent-process/run-agent-process.ts';
import { dockerArgv } from '../../src/sandbox/docker.ts';
import { agentEnv } from '../../src/sandbox/environment.ts';
import { gitMounts } from '../../src/sandbox/git-mounts.ts';
import { agentPolicy, bwrapArgv, type Facts, gatesPolicy, type Policy } from '../../src/sandbox/index.ts';
import type { Mount } from '../../src/sandbox/policy.ts';
import { seatbeltProfile } from '../../src/sandbox/seatbelt.ts';
import { processEnd } from '../support/process-end.ts';

// Not below /tmp, which is hidden whatever is in it.
const top = realpathSync(mkdtempSync(join(process.cwd(), 'node_modules', '.ralph-sandbox-')));
const at = (...parts: readonly string[]) => join(top, ...parts);
afterAll(() => rmSync(top, { recursive: true, force: true }));

function file(path: string, text = ''): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

for (const name of ['repo/.git/hooks/x', 'repo/.git/config', 'repo/.git/packed-refs', 'repo/.git/HEAD'])
  file(at(...name.split('/')));
for (const name of ['ralph/shop', 'ralph/other', 'main']) file(at('repo', '.git', 'refs', 'heads', name));
file(at('repo', '.ralph', 'runs', 'journal'));
file(at('home', '.ssh', 'id'));
file(at('home', '.claude', 'settings.json'));
file(at('home', '.claude', 'projects', 'x'));
file(at('home', '.claude.json'));
file(at('home', '.npmrc'));
file(at('home', '.cargo', 'bin', 'cargo'));
file(at('home', '.cargo', 'registry', 'x'));
file(at('home', 'agents', 'mine', 'package.json'));
file(at('home', 'agents', 'mine', 'bin', 'agent.js'));
file(at('linked', 'package', 'package.json'));
mkdirSync(at('repo', 'node_modules', '@scope'), { recursive: true });
symlinkSync(at('linked', 'package'), at('repo', 'node_modules', '@scope', 'linked'));
mkdirSync(at('scratch', 'tree'), { recursive: true });

const facts = (change: Partial<Facts> = {}): Facts => ({
  repository: at('repo'),
  state: at('repo', '.ralph'),
  env: { HOME: at('home'), PATH: `/usr/bin:${at('home', 'bin')}::relative` },
  allow: { read: [], write: [], env: [] },
  network: 'agent',
  packages: ['node_modules'],
  ...change,
});

const agent = (change: Partial<Facts> = {}): Policy =>
  agentPolicy(facts(change), {
    argv: ['node', at('home', 'agents', 'mine', 'bin', 'agent.js')],
    program: '/usr/bin/claude',
    cwd: at('repo'),
    branch: 'ralph/shop',
    env: facts().env,
    given: {},
  });

/** What a path is inside: the last mount at or above it decides. */
function seen({ mounts }: Policy, path: string): string {
  const over = mounts.findLast(mount => path === mount.path || path.startsWith(`${mount.path}/`));
  return over?.as ?? 'read';
}

describe('what an agent sees', () => {
  it.each([
    [['repo', 'src', 'a.ts'], 'write'],
    [['repo', '.ralph', 'runs', 'journal'], 'read'],
    [['repo', '.git', 'index'], 'write'],
    [['repo', '.git', 'hooks', 'x'], 'read'],
    [['repo', '.git', 'config'], 'read'],
    [['repo', '.git', 'packed-refs'], 'read'],
    [['repo', '.git', 'refs', 'heads', 'main'], 'read'],
    [['repo', '.git', 'refs', 'heads', 'ralph', 'shop'], 'write'],
    [['repo', '.git', 'refs', 'heads', 'ralph', 'other'], 'read'],
    [['home', '.ssh', 'id'], 'empty'],
    [['home', '.npmrc'], 'empty'],
    [['home', '.cargo', 'registry', 'x'], 'empty'],
    [['home', '.cargo', 'bin', 'cargo'], 'read'],
    [['home', '.claude', 'projects', 'x'], 'write'],
    [['home', '.claude', 'settings.json'], 'read'],
    [['home', '.claude.json'], 'write'],
    [['home', 'agents', 'mine', 'lib', 'x.js'], 'read'],
    [['linked', 'package', 'package.json'], 'read'],
    [['linked', 'other'], 'empty'],
    [['scratch', 'tree'], 'empty'],
  ])('%j: %s', (parts, as) => expect(seen(agent(), at(...parts))).toBe(as));

  it('what a person lets in, but not what is secret below it', () => {
    const policy = agent({ allow: { read: ['~/'], write: ['~/.cargo/registry'], env: [] } });
    expect(seen(policy, at('home', '.cargo', 'registry', 'x'))).toBe('write');
    expect(seen(policy, at('home', 'agents', 'other'))).toBe('read');
    expect(seen(policy, at('home', '.ssh', 'id'))).toBe('empty');
    expect(seen(agent({ allow: { read: ['~/.ssh'], write: [], env: [] } }), at('home', '.ssh', 'id'))).toBe('read');
  });

  it('a home that is the repository shows no secret either', () => {
    const policy = agentPolicy(facts({ repository: at('home'), state: at('home', '.ralph') }), {
      argv: ['x'],
      program: 'x',
      cwd: at('home'),
      env: facts().env,
      given: {},
    });
    expect([seen(policy, at('home', 'notes')), seen(policy, at('home', '.ssh', 'id'))]).toEqual(['write', 'empty']);
  });

  it('a worktree: its own git folder to write, the rest of the repository to read', () => {
    const tree = at('repo', '.ralph', 'worktrees', 'run');
    const gitDir = at('repo', '.git', 'worktrees', 'run');
    file(join(tree, '.git'), `gitdir: ${gitDir}\n`);
    file(join(gitDir, 'commondir'), '../..\n');
    file(join(gitDir, 'gitdir'), `${tree}/.git\n`);
    mkdirSync(at('repo', '.git', 'objects'), { recursive: true });
    const mounts = gitMounts({ tree, branch: 'ralph/shop' });
    const policy = { ...agent(), mounts };
    const inGit = (...parts: readonly string[]) => seen(policy, at('repo', '.git', ...parts));
    expect(inGit('index')).toBe('read');
    expect(inGit('objects', 'aa')).toBe('write');
    expect(inGit('worktrees', 'run', 'index')).toBe('write');
    expect(inGit('worktrees', 'run', 'commondir')).toBe('read');
    expect(inGit('worktrees', 'another', 'index')).toBe('read');
    expect(seen(policy, join(tree, '.git'))).toBe('read');
  });

  it('objects that a clone borrows from another repository', () => {
    file(at('lender', '.git', 'objects', 'aa', 'x'));
    file(at('clone', '.git', 'objects', 'info', 'alternates'), `${at('lender', '.git', 'objects')}\n`);
    const { mounts } = agentPolicy(facts({ repository: at('clone'), state: at('clone', '.ralph') }), {
      argv: ['x'],
      program: 'x',
      cwd: at('clone'),
      env: facts().env,
      given: {},
    });
    const paths = ['lender/.git/objects/aa/x', 'lender/secret', 'clone/.git/objects/aa', 'clone/.git/objects/info/x'];
    expect(paths.map(path => seen({ ...agent(), mounts }, at(path)))).toEqual(['read', 'empty', 'write', 'read']);
  });

  it('a sandbox that did not start is not the failure of the agent', () => {
    const end = processEnd({ code: 1, stderr: 'bwrap: Creating new namespace failed\n', outputBytes: 37 });
    expect(sandboxFailure(end)).toMatchObject({ class: 'setup' });
    expect(sandboxFailure({ ...end, outputBytes: 500 })).toBeUndefined();
    expect(sandboxFailure({ ...end, stderr: 'error\n' })).toBeUndefined();
  });

  it('its own keys, and none of the others', () => {
    const env = {
      ANTHROPIC_API_KEY: 'a',
      GITHUB_TOKEN: 'b',
      AWS_SECRET_ACCESS_KEY: 'c',
      SSH_AUTH_SOCK: 'd',
      LANG: 'C',
    };
    const more = { TMPDIR: '/tmp/mine', TEMP: '/elsewhere', NPM_TOKEN: 'e', MY_KEY: 'f' };
    expect(agentEnv({ ...env, ...more }, { given: { GIVEN_TOKEN: 'g' }, allow: ['NPM_*'] })).toEqual({
      ANTHROPIC_API_KEY: 'a',
      LANG: 'C',
      TMPDIR: '/tmp',
      NPM_TOKEN: 'e',
      MY_KEY: 'f',
      GIVEN_TOKEN: 'g',
    });
  });
});

describe('what gates see', () => {
  const gates = (change: Partial<Facts> = {}, installs = false) =>
    gatesPolicy(facts(change), { cwd: at('repo'), tree: at('repo'), env: facts().env, installs });

  it.each([
    [['repo', 'src'], 'write'],
    [['repo', '.git', 'index'], 'read'],
    [['repo', '.ralph', 'runs', 'journal'], 'read'],
    [['home', '.claude', 'projects', 'x'], 'empty'],
    [['home', '.cargo', 'registry', 'x'], 'read'],
    [['home', '.npmrc'], 'empty'],
  ])('%j: %s', (parts, as) => expect(seen(gates(), at(...parts))).toBe(as));

  it('have a network only where they install, or where everybody has one', () => {
    const networks = [gates(), gates({}, true), gates({ network: 'all' }), gates({ network: 'none' }, true)];
    expect(networks.map(({ network }) => network)).toEqual(['none', 'full', 'full', 'none']);
    expect(seen(gates({}, true), at('home', '.npmrc'))).toBe('read');
  });

  it('have a PATH that does not depend on where they run', () =>
    expect(gates().env.PATH).toBe(`/usr/bin:${at('home', 'bin')}`));

  it('in a scratch checkout write there and into the packages they share, and nowhere else', () => {
    const policy = gatesPolicy(facts(), { cwd: at('scratch', 'tree'), tree: at('repo'), env: {}, installs: false });
    const all = [at('scratch', 'tree', 'a'), at('repo', 'a'), at('repo', 'node_modules', 'x'), at('repo', '.git', 'x')];
    expect(all.map(path => seen(policy, path))).toEqual(['write', 'read', 'write', 'read']);
  });
});

describe('command lines', () => {
  const policy: Policy = {
    mounts: [
      { as: 'empty', path: '/home' },
      { as: 'read', path: '/home/me/tool' },
      { as: 'write', path: '/home/me/tree' },
      { as: 'blank', path: '/home/me/tree/secret' },
      { as: 'read', path: '/usr/share/x' },
    ],
    network: 'none',
    env: { LANG: 'C', PATH: '/usr/bin', KEY: 'value' },
    cwd: '/home/me/tree',
    home: '/home/me',
  };

  it('bwrap: everything read-only, then the mounts in their order, spaces of its own, no capabilities', () => {
    const line = bwrapArgv('/usr/bin/bwrap', policy, ['agent', '-x']).join(' ');
    expect(line).toMatch(/^\/usr\/bin\/bwrap --ro-bind \/ \/ --dev \/dev --proc \/proc --tmpfs \/home /);
    expect(line).toContain(
      '--ro-bind /home/me/tool /home/me/tool --bind /home/me/tree /home/me/tree --ro-bind /dev/null /home/me/tree/secret',
    );
    for (const flag of [
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--die-with-parent',
      '--unshare-net',
      '--cap-drop ALL',
    ])
      expect(line).toContain(flag);
    expect(line.endsWith('--chdir /home/me/tree -- agent -x')).toBe(true);
    expect(bwrapArgv('bwrap', { ...policy, network: 'full' }, ['x'])).not.toContain('--unshare-net');
  });

  it('docker: what is shown is mounted, variables go by name, and a dead client is cleaned up after', () => {
    const made = dockerArgv({ program: 'docker', image: 'img', name: 'ralph-1', user: '1:1' }, policy, ['agent', '-x']);
    const line = made.argv.join(' ');
    expect(line).toMatch(
      /^docker run --rm --init --interactive --name ralph-1 --network none --read-only --cap-drop ALL /,
    );
    expect(line).toContain('--mount type=bind,source=/home/me/tool,target=/home/me/tool,readonly');
    expect(line).toContain('--mount type=bind,source=/home/me/tree,target=/home/me/tree ');
    expect(line).not.toMatch(/\/usr\/share\/x|value|--env PATH/);
    expect(line.endsWith('--workdir /home/me/tree --env LANG --env KEY img agent -x')).toBe(true);
    expect(made.cleanUp).toEqual(['docker', 'rm', '--force', 'ralph-1']);
  });

  it('docker: a path is mounted once, as the last mount says; what is hidden below something shown is hidden', () => {
    const mounts: readonly Mount[] = [
      { as: 'empty', path: '/home' },
      { as: 'read', path: '/home/me' },
      { as: 'read', path: '/home/me/tree/.git/hooks' },
      { as: 'read', path: '/home/me/tree' },
      { as: 'write', path: '/home/me/tree' },
      { as: 'empty', path: '/home/me/.ssh' },
      { as: 'blank', path: '/home/me/.npmrc' },
      { as: 'blank', path: '/etc/shadow' },
    ];
    const { argv } = dockerArgv({ program: 'docker', image: 'img', name: 'n' }, { ...policy, mounts }, ['agent']);
    const given = argv.filter((_, at) => argv[at - 1] === '--mount' || argv[at - 1] === '--tmpfs');
    expect(given).toEqual([
      '/tmp:exec,mode=1777',
      '/var/tmp:exec,mode=1777',
      '/run:exec,mode=1777',
      'type=bind,source=/home/me,target=/home/me,readonly',
      'type=bind,source=/home/me/tree,target=/home/me/tree',
      '/home/me/.ssh:exec,mode=1777',
      'type=bind,source=/dev/null,target=/home/me/.npmrc,readonly',
    ]);
  });

  it('macOS: a profile in which the last rule that fits wins, as with mounts', () => {
    const lines = seatbeltProfile({ ...policy, mounts: [...policy.mounts, { as: 'read', path: '/a "b"' }] }).split(
      '\n',
    );
    expect(lines.slice(0, 3)).toEqual(['(version 1)', '(allow default)', '(deny file-write*)']);
    expect(lines).toContain('(deny file-read* file-write* (subpath "/home"))');
    expect(lines.indexOf('(allow file-read* file-write* (subpath "/home/me/tree"))')).toBeLessThan(
      lines.indexOf('(deny file-read* file-write* (subpath "/home/me/tree/secret"))'),
    );
    expect(lines).toContain('(allow file-read* (subpath "/a \\"b\\""))');
    expect(lines).toContain('(deny network*)');
  });
});
