/** Faults of a plan: told before a run, and charged to nobody. */
import { expect, test } from 'vitest';
import { doesGroup, makeGroups } from '../groups/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { planOf, play, recordsOf, runs, story, verdictsIn, works } from './scene.ts';

test.concurrent('a check that cannot be started is told by check and doctor, and costs no attempt', async () => {
  const repo = makeRepo({
    plan: planOf(
      story('US-1', { verify: ['no-such-program --all'] }),
      story('US-2', { verify: ['./check.sh'] }),
      story('US-3', { verify: ['./late.sh'] }),
    ),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': works,
      // What the item itself makes run proves it, and what it makes fail does not.
      'US-2': { ...runs('printf "#!/bin/sh\\n" > check.sh; chmod +x check.sh'), claim: 'none' },
      'US-3': [
        runs('printf "#!/bin/sh\\nexit 1\\n" > late.sh; chmod +x late.sh'),
        runs('printf "#!/bin/sh\\n" > late.sh'),
      ],
    }),
  });
  const checked = await repo.ralph(['check']);
  expect(checked.code).toBe(0);
  expect(checked.stderr).toContain('US-1: its check `no-such-program --all` cannot be started');
  expect(checked.stderr).toContain('there is no file ./check.sh');
  const doctor = await repo.ralph(['doctor']);
  expect(doctor.stdout).toContain('there is no program no-such-program on PATH');
  const { code, stdout } = await repo.run();
  expect(code).toBe(0);
  expect(stdout).toContain('US-1: its check `no-such-program --all` cannot be started');
  expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted', 'US-3 rejected', 'US-3 accepted']);
  expect(recordsOf(repo, 'iteration.started').map(({ unstartable }) => unstartable)).toEqual([
    ['no-such-program --all'],
    ['./check.sh'],
    ['./late.sh'],
    undefined,
  ]);
});

test.concurrent('verify in the front matter of a group is its own check, and its notes are asked for', async () => {
  const repo = makeGroups({
    groups: ['One'],
    config: { gates: ['true'] },
    scenario: { items: { 1: doesGroup(1) } },
  });
  repo.write(
    'docs/ralph/prompts/group-1.md',
    '---\nverify:\n  - test -d docs\n  - "test 1 = 1"\n---\n# Group 1: One\n\nDo it.\n',
  );
  repo.git('commit', '-qam', 'checks');
  const brief = await repo.ralph(['brief']);
  expect(brief.stdout).toContain('- `test -d docs`\n- `test 1 = 1`');
  expect(brief.stdout).toContain('append a section to `docs/ralph/RALPH_NOTES.md` that starts with the heading');
  expect(brief.stdout).toContain('The item is in `docs/ralph/prompts/group-1.md`, line 1.');
  expect((await repo.run()).code).toBe(0);
  const [evidence] = recordsOf(repo, 'evidence');
  expect(evidence?.evidence.verify.map(({ run, status }) => [run, status])).toEqual([
    ['test -d docs', 'green'],
    ['test 1 = 1', 'green'],
  ]);
});

test.concurrent('a test command in the front matter is offered as a gate and not run', async () => {
  const repo = makeRepo({ config: { plan: 'PROGRESS.md' }, scenario: play({}) });
  repo.write('PROGRESS.md', '---\ntest_command: "touch ran.txt"\n---\n# Work\n\n- [ ] A-1: Do it\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'plan');
  const { stdout } = await repo.ralph(['doctor']);
  expect(stdout).toContain('the plan names a test command that is not a gate: touch ran.txt');
  expect(stdout).toContain('gates: ["touch ran.txt"]');
  expect(repo.git('status', '--porcelain')).toBe('');
});
