/** The night on one page, and a pull request whose words come from evidence. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { planOf, play, story, works, writes } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

let night: Repo;

/** One plan that was finished, and one with an item that no attempt could do. */
beforeAll(async () => {
  night = makeRepo({
    plan: planOf('US-1', 'US-2'),
    files: {
      'other.json': JSON.stringify({
        project: 'Other',
        userStories: [
          { id: 'O-1', title: 'Works', passes: false },
          { id: 'O-2', title: 'Never works', passes: false },
        ],
      }),
    },
    config: { gates: ['test ! -e broken'], 'max-attempts': 2 },
    scenario: play({ 'O-2': writes('broken'), '*': works }),
  });
  expect((await night.ralph(['run', 'prd.json'])).code).toBe(0);
  night.git('switch', '-q', 'main');
  expect((await night.ralph(['run', 'other.json'])).code).toBe(3);
  night.git('switch', '-q', 'main');
});

describe('ralph review', () => {
  test('shows first what needs a person, and what to do about it', async () => {
    const { stdout, code } = await night.ralph(['review']);
    expect(code).toBe(0);
    const [total = ''] = stdout.split('\n');
    expect(total).toBe('2 runs, 3 items done, 1 needs a person, 1 to merge or discard');
    expect(stdout.indexOf('ralph/other')).toBeLessThan(stdout.indexOf('ralph/shop'));
    expect(stdout).toMatch(/O-2: 2 attempts, last: .*test ! -e broken/);
    expect(stdout).toContain('ralph retry O-2 --plan other.json --with');
    expect(stdout).toMatch(/[0-9a-f]{7} US-1 \+1 -0 test ! -e broken green/);
    expect(stdout).toContain(`ralph merge ${night.runs()[1]}`);
  });

  test('is there for programs, and knows what is merged', async () => {
    const repo = night.copy();
    expect((await repo.ralph(['merge', 'ralph/shop'])).code).toBe(0);
    const rows = JSON.parse((await repo.ralph(['review', '--json', '--since', '2d'])).stdout) as unknown;
    expect(rows).toMatchObject([
      { branch: 'ralph/other', place: 'open', needsPerson: true, done: 1, blocked: 1, refused: [{ item: 'O-2' }, {}] },
      { branch: 'ralph/shop', place: 'merged', needsPerson: false, done: 2, diff: { files: 3 }, next: [] },
    ]);
  });

  test('does not call complete what was taken back since', async () => {
    const repo = night.copy();
    expect((await repo.ralph(['revert', 'US-2', '--plan', 'prd.json'])).code).toBe(0);
    const { stdout } = await repo.ralph(['review']);
    expect(stdout).toContain('It was complete; 1 item is open now.');
    expect(stdout).not.toContain('Complete: every item is done');
    expect(stdout).toContain('ralph run prd.json');
  });

  test('says where to look when there was nothing, and what it did not understand', async () => {
    expect((await night.ralph(['review', '--since', '1ms'])).stdout).toContain('ralph review --since 7d');
    expect(await night.ralph(['review', '--since', 'often'])).toMatchObject({ code: 2 });
  });
});

describe('ralph pr', () => {
  test('prints its words where nobody can be asked to make it', async () => {
    const printed = await night.ralph(['pr', 'ralph/other']);
    expect(printed).toMatchObject({ code: 0, stderr: expect.stringContaining('no remote') });
    expect(printed.stdout).toContain('O-1 Works');
    expect(printed.stdout).toContain('- **Blocked** O-2 Never works');
    expect(printed.stdout).toContain('## Not in it\n\n- O-2 Never works: blocked');
  });

  test('describes every item that the branch brings, whichever run did it', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['test ! -e broken'] },
      scenario: play({
        'US-1': [writes('broken'), { steps: [{ delete: 'broken' }, { write: { path: 'one.txt', text: '1\n' } }] }],
        '*': works,
      }),
    });
    expect((await repo.run()).code).toBe(0);
    expect((await repo.ralph(['revert', 'US-2'])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    const [last = '', first = ''] = repo.runs();
    const { stdout } = await repo.ralph(['pr', '--print']);
    expect(stdout).toMatch(/^Shop: 3 items\n/);
    for (const id of ['US-1', 'US-2', 'US-3']) {
      expect(stdout).toMatch(new RegExp(`\\| ${id} Story ${id} \\| \`[0-9a-f]{7}\` \\| test ! -e broken green \\|`));
    }
    expect(stdout).toContain(`In the earlier run \`${first}\`:\n\n- **Gate was red** for US-1`);
    expect(stdout).toContain(`Run \`${first}\``);
    expect(stdout).toContain(`Run \`${last}\``);

    expect((await repo.ralph(['merge'])).code).toBe(0);
    repo.git('switch', '-q', 'main');
    repo.write(
      'prd.json',
      JSON.stringify({ ...repo.plan(), userStories: [...repo.plan().userStories, story('US-4')] }),
    );
    repo.git('commit', '-qam', 'One more');
    expect((await repo.run()).code).toBe(0);
    const after = (await repo.ralph(['pr', '--print', '--into', 'main'])).stdout;
    expect(after).toMatch(/^US-4 Story US-4\n/);
    expect(after).not.toContain('US-1');
  });

  test('pushes the branch alone and hands title and body to gh', async () => {
    const repo = night.copy();
    const [bin, remote] = [join(repo.outside, 'bin'), join(repo.outside, 'remote.git')];
    repo.git('init', '-q', '--bare', remote);
    repo.git('remote', 'add', 'origin', remote);
    mkdirSync(bin);
    const gh = join(bin, 'gh');
    writeFileSync(
      gh,
      `#!/bin/sh\nprintf '%s\\n' "$@" > ${repo.outside}/args\ncat > ${repo.outside}/body\necho https://example.org/pull/7\n`,
    );
    chmodSync(gh, 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const made = await repo.ralph(['pr', 'Shop'], { env });
    expect(made).toMatchObject({ code: 0, stdout: 'https://example.org/pull/7\n' });
    expect(repo.read('../outside/args')).toBe(
      'pr\ncreate\n--head\nralph/shop\n--base\nmain\n--title\nShop: 2 items\n--body-file\n-\n',
    );
    expect(repo.read('../outside/body')).toContain('| US-1 Story US-1 |');
    expect(repo.git('ls-remote', '--heads', 'origin')).toBe(
      `${repo.git('rev-parse', 'ralph/shop')}\trefs/heads/ralph/shop`,
    );

    writeFileSync(gh, '#!/bin/sh\necho "not logged in" >&2\nexit 4\n');
    expect(await repo.ralph(['pr', 'Shop'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not logged in'),
    });
  });
});
