import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../../src/process/identity.ts';
import type { ProcessId } from '../../src/protocol.ts';
import { GIT, play } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { planText, story, writesPlan } from './plans.ts';

const GOAL = 'Customers can pay with vouchers';
const write = (path: string, text: string) => ({ write: { path, text } });
const OLD = planText([story('OLD-1')]);

describe('a planning session changes the plan and nothing else', () => {
  it('puts back what the agent did to other files, says so and keeps it reachable', async () => {
    const steps = [
      write('README.md', 'mine now\n'),
      write('src/new.ts', 'export {};\n'),
      write('.gitignore', 'hidden\n'),
      write('hidden', 'x\n'),
      write('prd.json', planText()),
    ];
    const repo = makeRepo({ scenario: play({ plan: { steps, claim: 'none' } }) });
    const { code, stderr } = await repo.ralph(['plan', GOAL]);
    expect(code).toBe(0);
    expect(stderr).toContain('the agent also changed 3 files, restored');
    expect(stderr).toContain('src/new.ts');
    expect(repo.read('README.md')).toBe('# A repository\n');
    expect(repo.git('status', '--porcelain')).toBe('?? prd.json');
    const ref = /refs\/ralph\/plan\/\S+/.exec(stderr)?.[0] ?? '';
    expect(repo.git('show', `${ref}:src/new.ts`)).toBe('export {};');
  });

  it('undoes commits, another branch and staging of the agent', async () => {
    const run = `git checkout -q -b other && echo x > x && git add x && ${GIT} commit -qm x && echo y > y && git add y`;
    const repo = makeRepo({
      scenario: play({ plan: { steps: [{ run }, write('prd.json', planText())], claim: 'none' } }),
    });
    const head = repo.git('rev-parse', 'HEAD');
    const { code } = await repo.ralph(['plan', GOAL]);
    expect(code).toBe(0);
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(repo.git('status', '--porcelain')).toBe('?? prd.json');
  });

  it("puts back git's settings, hooks, refs of others and the lessons", async () => {
    const run = [
      'git config core.hooksPath ../outside',
      'printf "#!/bin/sh\\n" > .git/hooks/post-commit',
      'git branch -f release HEAD~1',
      'mkdir -p .ralph && echo mine >> .ralph/lessons.md',
      'rm -rf .ralph/control && ln -s ../.. .ralph/control',
    ].join(' && ');
    const repo = makeRepo({
      scenario: play({ plan: { steps: [{ run }, write('prd.json', planText())], claim: 'none' } }),
    });
    repo.git('commit', '-q', '--allow-empty', '-m', 'second');
    repo.git('branch', 'release');
    repo.write('.ralph/lessons.md', '# Lessons\n');
    const { code, stderr } = await repo.ralph(['plan', GOAL]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('.git/config (core.hooksPath)');
    expect(stderr).toContain('.git/hooks/post-commit');
    expect(() => repo.git('config', 'core.hooksPath')).toThrow();
    expect(existsSync(join(repo.root, '.git/hooks/post-commit'))).toBe(false);
    expect(repo.git('rev-parse', 'release')).toBe(repo.git('rev-parse', 'HEAD'));
    expect(stderr).toContain('release');
    expect(repo.read('.ralph/lessons.md')).toBe('# Lessons\n');
    expect(stderr).toContain('the lessons file was edited');
    expect(existsSync(join(repo.root, '.ralph/control'))).toBe(false);
    expect(repo.read('prd.json')).toBe(planText());
    expect(repo.git('status', '--porcelain')).toBe('?? prd.json');
  });

  it('works on a detached HEAD and leaves it detached where it was', async () => {
    const run = `echo x > x && git add x && ${GIT} commit -qm x`;
    const repo = makeRepo({
      scenario: play({ plan: { steps: [{ run }, write('prd.json', planText())], claim: 'none' } }),
    });
    repo.git('checkout', '-q', '--detach');
    const head = repo.git('rev-parse', 'HEAD');
    expect((await repo.ralph(['plan', GOAL])).code).toBe(0);
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(() => repo.git('symbolic-ref', '-q', 'HEAD')).toThrow();
    expect(repo.git('status', '--porcelain')).toBe('?? prd.json');
  });

  it('does not replace a plan with open items, and does so with --force', async () => {
    const repo = makeRepo({ plan: OLD, scenario: play({ plan: writesPlan(planText()) }) });
    const refused = await repo.ralph(['plan', GOAL]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('1 open item');
    expect(repo.read('prd.json')).toBe(OLD);
    expect(existsSync(join(repo.root, '.ralph/plan'))).toBe(false);

    expect((await repo.ralph(['plan', GOAL, '--force'])).code).toBe(0);
    expect(repo.read('prd.json')).toBe(planText());
    expect(repo.read('.ralph/plan/before.json')).toBe(OLD);
    expect(repo.read('.ralph/plan/brief-1.md')).toContain('holds an older plan');
  });

  it('replaces a finished plan, but no file that it cannot read as one', async () => {
    const done = planText([story('OLD-1', { passes: true })]);
    const finished = makeRepo({ plan: done, scenario: play({ plan: writesPlan(planText()) }) });
    expect((await finished.ralph(['plan', GOAL])).code).toBe(0);
    const strange = makeRepo({ plan: '{"userStories": "soon"}', scenario: play({ plan: writesPlan(planText()) }) });
    expect((await strange.ralph(['plan', GOAL])).code).toBe(2);
  });

  it('puts the old plan back when the new one is not sound, even one that git ignores', async () => {
    const scenario = play({ plan: writesPlan('nonsense', 'plans/prd.json') });
    const repo = makeRepo({ files: { '.gitignore': 'plans/\n' }, scenario });
    repo.write('plans/prd.json', OLD);
    const { code } = await repo.ralph(['plan', GOAL, '--out', 'plans/prd.json', '--force']);
    expect(code).toBe(1);
    expect(repo.read('plans/prd.json')).toBe(OLD);
    expect(repo.read('.ralph/plan-draft.json')).toBe('nonsense');
  });

  it('writes through a link', async () => {
    const scenario = play({ plan: { steps: [{ run: 'rm prd.json' }, write('prd.json', planText())], claim: 'none' } });
    const repo = makeRepo({ files: { 'real/plan.json': OLD }, scenario });
    symlinkSync('real/plan.json', join(repo.root, 'prd.json'));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'link');
    expect((await repo.ralph(['plan', GOAL, '--force'])).code).toBe(0);
    expect(lstatSync(join(repo.root, 'prd.json')).isSymbolicLink()).toBe(true);
    expect(repo.read('real/plan.json')).toBe(planText());
  });

  it('refuses a tree with uncommitted work and starts nothing', async () => {
    const repo = makeRepo({ scenario: play({ plan: writesPlan(planText()) }) });
    repo.write('mine.txt', 'not yet\n');
    const { code, stderr } = await repo.ralph(['plan', GOAL]);
    expect(code).toBe(4);
    expect(stderr).toContain('mine.txt');
    expect(existsSync(join(repo.root, 'prd.json'))).toBe(false);
  });

  it('ends the agent when it is silent for too long', async () => {
    const repo = makeRepo({
      scenario: play({ plan: { steps: [write('prd.json', planText()), { hang: true }] } }),
      config: { limits: { idle: '1s' } },
    });
    const { code, stderr } = await repo.ralph(['plan', GOAL]);
    expect(code).toBe(1);
    expect(stderr).toContain('the agent failed');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('an interrupt ends it: the agent is gone and nothing is changed', async () => {
    const repo = makeRepo({
      scenario: play({ plan: { steps: [write('code.ts', 'x'), { run: 'touch ../outside/there' }, { hang: true }] } }),
    });
    const running = repo.start(['plan', GOAL]);
    await expect.poll(() => existsSync(join(repo.outside, 'there')), { timeout: 20_000 }).toBe(true);
    // An agent may be faster than the disk on which it is written down that it was started.
    await expect.poll(() => existsSync(join(repo.root, '.ralph/plan/agent.json')), { timeout: 20_000 }).toBe(true);
    const { process: agent } = JSON.parse(readFileSync(join(repo.root, '.ralph/plan/agent.json'), 'utf8')) as {
      process: ProcessId;
    };
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    expect(code).toBe(130);
    expect(isAlive(agent)).toBe(false);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(repo.root, '.ralph/lock'))).toBe(false);
  });

  it('only one runner at a time, and the agent of one that died is ended', async () => {
    const scenario = play({ plan: [{ steps: [{ run: 'touch ../outside/there' }, { hang: true }] }] });
    const repo = makeRepo({ scenario });
    const running = repo.start(['plan', GOAL]);
    await expect.poll(() => existsSync(join(repo.outside, 'there')), { timeout: 20_000 }).toBe(true);
    const second = await repo.ralph(['plan', GOAL]);
    expect(second.code).toBe(4);
    expect(second.stderr).toContain('another runner works here');
    const { process: agent } = JSON.parse(readFileSync(join(repo.root, '.ralph/plan/agent.json'), 'utf8')) as {
      process: ProcessId;
    };
    running.child.kill('SIGKILL');
    await running.ended;
    expect(isAlive(agent)).toBe(true);
    const third = repo.start(['plan', GOAL, '--idle-timeout', '1s']);
    const { stderr } = await third.ended;
    expect(stderr).toContain('an earlier planning session was interrupted');
    expect(isAlive(agent)).toBe(false);
  });
});

describe('ralph plan says what it needs', () => {
  const repo = makeRepo({
    files: { 'notes.md': 'x\n', 'empty.md': ' \n' },
    scenario: play({ plan: writesPlan(planText()) }),
  });
  it.each([
    [[], 'needs a goal'],
    [['notes.md'], 'Did you mean: ralph plan --from notes.md'],
    [['--from', 'nowhere.md'], 'there is no such file'],
    [['--from', 'empty.md'], 'the file is empty'],
    [['x', '--format', 'trello'], 'no plan format "trello"'],
    [['x', '--format', 'prd', '--out', 'a.md'], 'would not be read as a prd'],
    [['x', '--out', '../outside/prd.json'], 'inside the repository'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await repo.ralph(['plan', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
