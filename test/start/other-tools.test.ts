/** Plans of other tools from the command line: found, chosen from, run, marked where their tool would. */
import { expect, test } from 'vitest';
import { play, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const tasks = (...lines: readonly string[]) => `# Tasks\n\n## Phase 1: All\n\n${lines.join('\n')}\n`;

test('the only plan with work is run, several are listed, and spec-kit says which it is at', async () => {
  const repo = makeRepo({
    files: {
      'specs/001-cart/tasks.md': tasks('- [X] T001 Done', '- [ ] T002 Show the cart'),
      'specs/001-cart/spec.md': '# Cart\n',
      '.kiro/specs/mail/tasks.md': '- [ ] 1. Send\n  - [ ] 1.1 One\n  - [x]* 1.2 Two\n',
      'openspec/changes/old/tasks.md': '- [x] 1.1 All\n',
    },
    config: { gates: ['true'] },
    scenario: play({ T002: works, '1.1': works }),
  });
  const several = await repo.ralph(['run']);
  expect(several.code).toBe(2);
  expect(several.stderr).toContain('2 plans here have work in them, and none is named');
  expect(several.stderr).toMatch(
    /ralph run specs\/001-cart\/tasks\.md +# spec-kit, 1 of 2 done, next T002 Show the cart/,
  );
  expect(several.stderr).toMatch(/ralph run \.kiro\/specs\/mail\/tasks\.md +# kiro, 1 of 2 done, next 1\.1 One/);
  const checked = await repo.ralph(['check']);
  expect(checked).toMatchObject({ code: 2, stderr: expect.stringContaining('ralph run .kiro/specs/mail/tasks.md') });

  repo.write('.specify/feature.json', '{"feature_directory": "specs/001-cart"}\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Choose');
  const ran = await repo.ralph(['run']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(repo.read('specs/001-cart/tasks.md')).toContain('- [X] T002 Show the cart');
  expect(repo.git('show', '--stat', '--format=%s', 'HEAD')).toContain('specs/001-cart/tasks.md');
  const rest = await repo.ralph(['run']);
  expect(rest.code, rest.stderr).toBe(0);
  expect(repo.read('.kiro/specs/mail/tasks.md')).toBe('- [x] 1. Send\n  - [x] 1.1 One\n  - [x]* 1.2 Two\n');
});

test('a task of Backlog.md is marked in its own file, and the commit has it', async () => {
  const repo = makeRepo({
    files: {
      'backlog/config.yml': 'project_name: "Shop"\nstatuses: ["To Do", "In Progress", "Done"]\n',
      'backlog/tasks/task-1 - One.md':
        '---\nid: task-1\ntitle: One\nstatus: To Do\n---\n\n## Acceptance Criteria\n\n- [ ] it is there\n',
      'backlog/tasks/task-2 - Two.md': '---\nid: task-2\ntitle: Two\nstatus: To Do\ndependencies: [task-1]\n---\n',
    },
    config: { gates: ['true'] },
    scenario: play({ 'task-1': works, 'task-2': works }),
  });
  const ran = await repo.ralph(['run']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(repo.read('backlog/tasks/task-1 - One.md')).toContain(
    'status: Done\n---\n\n## Acceptance Criteria\n\n- [x] it',
  );
  expect(repo.git('show', '--stat=200', '--format=%s', 'HEAD~1')).toContain('task-1 - One.md');
  expect(repo.git('status', '--porcelain', 'backlog')).toBe('');
  const again = await repo.ralph(['run']);
  expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining('task-1') });
});

test('where a file takes no marks, the next run knows from the journal what is done', async () => {
  const repo = makeRepo({
    files: { 'docs/plans/one.md': '# One\n\n### Task 1: First\n\nDo it.\n\n### Task 2: Second\n' },
    config: { gates: ['true'] },
    scenario: play({ '1': works, '2': works }),
  });
  const was = repo.read('docs/plans/one.md');
  const ran = await repo.ralph(['run']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(repo.read('docs/plans/one.md')).toBe(was);
  expect((await repo.ralph(['run'])).code).toBe(0);
  expect(repo.runs()).toHaveLength(1);
  repo.write('docs/plans/one.md', `${was}\n### Task 3: Third\n`);
  repo.git('commit', '-qam', 'More');
  const doctor = await repo.ralph(['doctor']);
  expect(doctor.stdout).toContain('2 of 3 done');
});

test('a design document in the middle of a merge refuses the run, by check and doctor too', async () => {
  const repo = makeRepo({
    files: {
      'openspec/changes/add/tasks.md': '- [ ] 1.1 One\n',
      'openspec/changes/add/proposal.md': '# Why\n\n<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> other\n',
    },
    config: { gates: ['true'] },
    scenario: play({ '*': works }),
  });
  const where = 'openspec/changes/add/proposal.md, line 3, has merge-conflict markers';
  for (const command of ['run', 'check']) {
    expect(await repo.ralph([command])).toMatchObject({ code: 2, stderr: expect.stringContaining(where) });
  }
  expect(await repo.ralph(['doctor'])).toMatchObject({ code: 4, stdout: expect.stringContaining(where) });
});
