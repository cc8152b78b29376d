/** What git cannot store costs the agent its attempt, and not the person the run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planOf, play, recordsOf, runs, verdictsIn } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const UTF_16 = '*.rc working-tree-encoding=UTF-16LE\n';

test.each([
  ['a file in another encoding than its attributes name', { '.gitattributes': UTF_16 }, ['echo good > app.rc']],
  [
    'attributes that do not fit the files',
    { 'app.rc': 'good\n' },
    [`printf '${UTF_16.trim()}\\n' > .gitattributes`, 'touch app.rc'],
  ],
] as const)(
  '%s: the attempt is refused with what git says, and the next one starts without it',
  async (_, files, commands) => {
    const repo = makeRepo({
      files,
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': [runs('echo x > US-1.txt', ...commands), runs('echo US-1 > US-1.txt')],
        'US-2': runs('echo US-2 > US-2.txt'),
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted', 'US-2 accepted']);
    const { verdict } = recordsOf(repo, 'verdict')[0] ?? {};
    expect(verdict?.type === 'rejected' && verdict.feedback).toMatch(
      /git cannot store app\.rc \(.*failed to encode 'app\.rc'/,
    );
    expect(repo.read('.ralph/runs/' + repo.runs()[0] + '/iterations/001/refused/app.rc')).toBe('good\n');
    expect(repo.git('status', '--porcelain')).toBe('');
  },
);

test('a link in place of a folder takes no file from elsewhere along', async () => {
  const repo = makeRepo({
    files: { '.gitattributes': UTF_16, 'kept/app.txt': 'kept\n' },
    plan: planOf('US-1'),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': [
        runs('rm -r kept', 'ln -s ../outside kept', `echo good > "x' from 'kept/app.txt' y.rc"`),
        runs('echo US-1 > US-1.txt'),
      ],
    }),
  });
  writeFileSync(join(repo.outside, 'app.txt'), 'theirs\n');
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
  expect(readFileSync(join(repo.outside, 'app.txt'), 'utf8')).toBe('theirs\n');
  expect(repo.read('kept/app.txt')).toBe('kept\n');
});
