/** Whole sprints with the scripted agent. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { agentsIn, play, recordsOf, verdictsIn, works, writes } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { PROGRESS, type Progress } from './support.ts';

const SPRINT = `# The sprint of the login
workflow: build
sprint-id: login
goal: A login that works.
steps:
  - Log in
  - id: out
    prompt: Log out
`;
const BUILD = `phases:
  - id: prepare
    prompt: Prepare {{sprint.id}}
  - id: development
    for-each: step
    workflow: step
`;
const STEP = `phases:
  - id: implement
    prompt: "Implement: {{step.prompt}}"
  - id: qa
    prompt: Check it
`;
const FILE = 'sprints/login/PROGRESS.yaml';
const IDS = [
  'prepare',
  'development/step-0/implement',
  'development/step-0/qa',
  'development/out/implement',
  'development/out/qa',
];

const sprintRepo = (scenario: unknown, files: Readonly<Record<string, string>> = {}): Repo =>
  makeRepo({
    files: {
      'sprints/login/SPRINT.yaml': SPRINT,
      '.claude/workflows/build.yaml': BUILD,
      '.claude/workflows/step.yaml': STEP,
      ...files,
    },
    config: { gates: ['test ! -e broken'] },
    scenario,
  });

const stateOf = (repo: Repo): Progress & { readonly status: string } => parse(repo.read(FILE)) as never;
const accepted = (ids: readonly string[]) => ids.map(id => `${id} accepted`);
const everything = play({ '*': works });
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('a sprint', () => {
  it('says what is odd about its plan before anything is done, and when nothing is left', async () => {
    const repo = sprintRepo(everything);
    expect((await repo.run(['sprints/login'])).code).toBe(0);
    repo.write('sprints/login/SPRINT.yaml', `${SPRINT}  - id: later\n    prompt: Log in again\n`);
    repo.git('commit', '-qam', 'One step more');
    const again = await repo.run(['sprints/login', '--json']);
    expect(again.stdout).toContain('SPRINT.yaml has steps that are not in this file and so are not worked on: later');
  });

  it('is compiled and walked to its end, one fresh agent per phase', async () => {
    const repo = sprintRepo(everything);
    const { code, stderr } = await repo.run(['sprints/login', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(verdictsIn(repo)).toEqual(accepted(IDS));
    const state = stateOf(repo);
    expect(state).toMatchObject({
      'sprint-id': 'login',
      status: 'completed',
      current: { phase: 2, step: null, 'sub-phase': null },
      stats: { 'total-phases': 6, 'completed-phases': 6, 'total-steps': 2, 'completed-steps': 2 },
    });
    const [prepare, development] = state.phases;
    for (const part of [
      prepare,
      development,
      ...(development?.steps ?? []),
      ...(development?.steps?.[0]?.phases ?? []),
    ]) {
      expect(part).toMatchObject({
        status: 'completed',
        'started-at': expect.stringMatching(ISO),
        'completed-at': expect.stringMatching(ISO),
      });
    }
    const log = repo.git('log', '--format=%(trailers:key=Ralph-Item,valueonly)', '--reverse');
    expect(log.split('\n').filter(Boolean)).toEqual(IDS);
    expect(repo.git('status', '--porcelain')).toBe('');
    const again = await repo.run(['sprints/login', '--json']);
    expect(again.code).toBe(0);
    expect(verdictsIn(repo)).toHaveLength(IDS.length);
  });

  it('tells the agent its place, its prompt, its step and the goal', async () => {
    const repo = sprintRepo(everything, { 'sprints/login/context/_shared-context.md': 'Use the session store.\n' });
    const { code, stdout } = await repo.ralph(['brief', 'development/step-0/qa', '--plan', 'sprints/login']);
    expect(code).toBe(0);
    for (const words of [
      'Phase development 2/2, step step-0 1/2, sub-phase qa 2/2',
      'Check it',
      'Log in',
      'A login that works.',
      'Use the session store.',
      'RALPH_TASK_COMPLETE: development/step-0/qa',
    ]) {
      expect(stdout).toContain(words);
    }
  });

  it('may have phases that change nothing', async () => {
    const repo = sprintRepo(play({ '*': works, 'development/step-0/qa': { steps: [{ say: 'Looks good' }] } }));
    expect((await repo.run(['sprints/login', '--json'])).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(accepted(IDS));
    expect(stateOf(repo).status).toBe('completed');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('goes on where another tool stopped, and keeps every byte but the state', async () => {
    const repo = sprintRepo(everything, { [FILE]: PROGRESS });
    expect((await repo.run(['sprints/login', '--json'])).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(
      accepted(['development/step-0/qa', 'development/step-1/implement', 'development/step-2', 'summary']),
    );
    const state = /^ *(?:status|started-at|completed-at|phase|step|sub-phase|completed-phases|completed-steps):/;
    const rest = (text: string) => text.split('\n').filter(line => !state.test(line) && !line.includes('{id: step-1'));
    expect(rest(repo.read(FILE))).toEqual(rest(PROGRESS));
    for (const comment of ['# half way', '# where we are', '# the end']) expect(repo.read(FILE)).toContain(comment);
  });

  it('counts what is rejected and tries again', async () => {
    const repo = sprintRepo(
      play({
        '*': works,
        'development/step-0/implement': [
          writes('broken'),
          { steps: [{ delete: 'broken' }, { write: { path: 'a.txt', text: 'a' } }] },
        ],
      }),
    );
    expect((await repo.run(['sprints/login', '--json'])).code).toBe(0);
    expect(verdictsIn(repo).slice(0, 3)).toEqual([
      'prepare accepted',
      'development/step-0/implement rejected',
      'development/step-0/implement accepted',
    ]);
    expect(stateOf(repo).phases[1]?.steps?.[0]?.phases[0]).toMatchObject({ status: 'completed', 'retry-count': 1 });
  });

  it('writes down why a phase is blocked, needs a person, and does not start what follows', async () => {
    const repo = sprintRepo(
      play({ '*': works, 'development/step-0/implement': { ...works, claim: { blocked: 'there is no session' } } }),
      { '.claude/workflows/build.yaml': `${BUILD}  - id: release\n    prompt: Run full QA and open the PR\n` },
    );
    const { code, stdout } = await repo.run(['sprints/login']);
    expect(code).toBe(3);
    expect(stdout).toContain('1 item blocked, 4 items waiting for others; development/step-0/implement: there is no');
    const ran = ['prepare accepted', 'development/step-0/implement blocked'];
    expect(verdictsIn(repo)).toEqual(ran);
    const state = stateOf(repo);
    expect(state).toMatchObject({ status: 'blocked', current: { phase: 1, step: 0, 'sub-phase': 0 } });
    expect(state.phases[1]?.steps).toMatchObject([
      { status: 'in-progress', phases: [{ status: 'blocked', error: 'there is no session' }, { status: 'pending' }] },
      { status: 'pending' },
    ]);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect((await repo.ralph(['skip', 'development/step-0/implement', '--plan', 'sprints/login'])).code).toBe(0);
    expect((await repo.run(['sprints/login', '--json'])).code).toBe(0);
    expect(verdictsIn(repo)).toEqual([...ran, ...accepted([...IDS.slice(2), 'release'])]);
    expect(stateOf(repo)).toMatchObject({ status: 'completed', current: { phase: 3 } });
  });

  it('of another tool goes on at its pointer, and what that has passed over needs a person', async () => {
    const phases = ['one', 'two', 'three', 'four'].map(id => `  - {id: ${id}, status: pending, prompt: Do ${id}}\n`);
    const repo = makeRepo({
      files: {
        'sprints/login/PROGRESS.yaml': `status: in-progress\nphases:\n${phases.join('')}current: {phase: 1, step: null, sub-phase: null}\n`,
      },
      config: { gates: ['true'] },
      scenario: everything,
    });
    const { code, stdout } = await repo.run(['sprints/login']);
    expect(code).toBe(3);
    expect(verdictsIn(repo)).toEqual(accepted(['two', 'three', 'four']));
    expect(stdout).toContain(
      'one is open, but the pointer of the sprint has passed it; ralph reset one goes back to it',
    );
    expect((await repo.ralph(['reset', 'one', '--plan', 'sprints/login'])).code).toBe(0);
    expect((await repo.run(['sprints/login'])).code).toBe(0);
    expect(stateOf(repo)).toMatchObject({ status: 'completed', current: { phase: 4 } });
  });

  it('runs in a worktree, is taken up there again, and leaves nothing in the checkout', async () => {
    const repo = sprintRepo(everything);
    expect((await repo.run(['sprints/login', '--worktree', '--once', '--json'])).code).toBe(1);
    expect(repo.git('status', '--porcelain')).toBe('');
    const { code, stderr } = await repo.run(['sprints/login', '--worktree', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(verdictsIn(repo)).toEqual(accepted(IDS));
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('ls-files', '--others', '--ignored', '--exclude-standard', 'sprints')).toBe('');
    const [branch = ''] = repo.git('branch', '--list', '--format=%(refname:short)', 'ralph/*').split('\n');
    const state = parse(repo.git('show', `${branch}:${FILE}`)) as Progress & { readonly status: string };
    expect(state).toMatchObject({ status: 'completed', current: { phase: 2 } });
    expect(repo.git('show', `${branch}:development/out/qa.txt`)).toBe('development/out/qa');
  });

  it('does not let the agent write the state', async () => {
    const forge = {
      steps: [{ replace: { path: FILE, from: 'Check it', to: 'Nothing' } }, { write: { path: 'x.txt', text: 'x' } }],
    };
    const repo = sprintRepo(play({ '*': works, prepare: forge }));
    expect((await repo.run(['sprints/login', '--json'])).code).toBe(0);
    expect(repo.read(FILE).match(/Check it/g)).toHaveLength(2);
    expect(recordsOf(repo, 'plan.restored')).toHaveLength(1);
  });
});

describe('a crash', () => {
  it('in the middle costs nothing that was done', async () => {
    const slow = { steps: [{ write: { path: '{{item}}.txt', text: '{{item}}\n' } }, { sleep: '500ms' }] };
    const repo = sprintRepo(play({ '*': slow }));
    let kills = 0;
    for (;;) {
      const before = agentsIn(repo);
      const running = repo.start(['run', 'sprints/login', '--json']);
      // Later each time, so that every run gets further than the one before it.
      await until(() => running.child.exitCode !== null || agentsIn(repo) >= before + 2 + kills);
      if (running.child.exitCode !== null) {
        const ended = await running.ended;
        expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
        break;
      }
      running.child.kill('SIGKILL');
      await running.ended;
      kills += 1;
      expect(parse(repo.read(FILE))).toMatchObject({ 'sprint-id': 'login' });
    }
    expect(kills).toBeGreaterThan(0);
    expect(verdictsIn(repo).filter(line => line.endsWith('accepted'))).toEqual(accepted(IDS));
    expect(stateOf(repo)).toMatchObject({
      status: 'completed',
      stats: { 'completed-phases': 6, 'completed-steps': 2 },
    });
    expect(repo.git('status', '--porcelain')).toBe('');
    const log = repo.git('log', '--format=%(trailers:key=Ralph-Item,valueonly)', '--reverse');
    expect(log.split('\n').filter(Boolean)).toEqual(IDS);
  });
});

describe('ralph compile', () => {
  it('writes PROGRESS.yaml and says what is in it', async () => {
    const repo = sprintRepo(everything);
    const { code, stdout, stderr } = await repo.ralph(['compile', 'sprints/login']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `wrote ${FILE}: 2 phases, 2 steps, 4 sub-phases\nfirst: prepare (prepare: Prepare login)\nNext: ralph run sprints/login\n`,
    );
    expect(stateOf(repo)).toMatchObject({ status: 'not-started', current: { phase: 0 } });
    expect((await repo.ralph(['compile', 'sprints/login'])).code).toBe(0);
    // The one that is compiled need not be named any more; of two a person chooses.
    expect((await repo.ralph(['check'])).stdout).toContain(`${FILE}: sprint`);
    repo.write('sprints/logout/PROGRESS.yaml', repo.read(FILE).replace('login', 'logout'));
    const several = await repo.ralph(['run', '--dry-run']);
    expect(several.code).toBe(2);
    expect(several.stderr).toContain('ralph run sprints/logout');
  });

  it('throws no progress away unless it is told to', async () => {
    const repo = sprintRepo(everything, { [FILE]: PROGRESS });
    const refused = await repo.ralph(['compile', 'sprints/login', '--json']);
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, error: { reason: 'has-progress', file: FILE } });
    expect(repo.read(FILE)).toBe(PROGRESS);
    const forced = await repo.ralph(['compile', 'sprints/login', '--force', '--json']);
    expect(forced.code).toBe(0);
    expect(JSON.parse(forced.stdout)).toMatchObject({
      ok: true,
      phases: 2,
      steps: 2,
      subPhases: 4,
      items: 5,
      first: 'prepare',
    });
    expect(stateOf(repo).status).toBe('not-started');
  });

  it('writes nothing where there is a mistake, and says where it is', async () => {
    const repo = sprintRepo(everything, { '.claude/workflows/step.yaml': STEP.replace('step.prompt', 'step.promt') });
    const before = repo.git('status', '--porcelain');
    const compiled = await repo.ralph(['compile', 'sprints/login']);
    expect(compiled.stderr).toBe(
      'ralph: .claude/workflows/step.yaml:3:25: there is no variable {{step.promt}}\n  Did you mean {{step.prompt}}?\n',
    );
    for (const command of ['compile', 'check', 'run']) {
      const { code, stderr } = await repo.ralph([command, 'sprints/login']);
      expect(code).toBe(2);
      expect(stderr).toContain('.claude/workflows/step.yaml:3:25: there is no variable {{step.promt}}');
      expect(stderr).toContain('Did you mean {{step.prompt}}?');
    }
    expect(repo.git('status', '--porcelain')).toBe(before);
    const { code, stderr } = await repo.ralph(['compile', '.claude']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^ralph: \.claude: there is no SPRINT\.yaml here\n {2}Name the folder/),
    });
  });

  it('is not needed: a look at the sprint shows what would be run', async () => {
    const repo = sprintRepo(everything);
    const { code, stdout } = await repo.ralph(['check', 'sprints/login']);
    expect(code).toBe(0);
    expect(stdout).toContain(`${FILE}: sprint, 5 items, 0 done\nnext: prepare prepare: Prepare login`);
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
