/** A runner that dies leaves the plan and the config as its agent had them: neither decides anything on the restart. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo, type Repo, type RepoOptions } from '../support/repo.ts';
import { until } from './agents.ts';

const preload = [fileURLToPath(new URL('kill-at.mjs', import.meta.url))];
const GATES = '../outside/gates.log';

/** The first agent does this to the repository, and its runner is killed while it is at work; the next one works. */
async function killedAfter(command: string, more: RepoOptions = {}): Promise<Repo> {
  const repo = makeRepo({
    plan: { project: 'cut', userStories: [{ id: 'a', title: 'Write a', passes: false }] },
    ...more,
    config: { gates: [`echo gate >> ${GATES}`], ...more.config },
    scenario: {
      items: {
        '*': {
          steps: [
            { run: `test -f ../outside/at-work || { ${command}; touch ../outside/at-work; sleep 60; }` },
            { write: { path: 'a.txt', text: 'a\n' } },
          ],
        },
      },
    },
  });
  const running = repo.start(['run']);
  await until(() => existsSync(join(repo.outside, 'at-work')));
  running.child.kill('SIGKILL');
  await running.ended;
  return repo;
}

describe.concurrent('a restart after an agent that', () => {
  test.each([
    ['turned the gates off', `sed -i.bak 's/echo gate/echo off/' ralph.json && rm ralph.json.bak`, 'ralph.json'],
    ['deleted the config', 'rm ralph.json', 'ralph.json'],
    ['broke the config', 'echo "{" > ralph.json', 'ralph.json'],
    ['made the config a folder', 'rm ralph.json && mkdir -p ralph.json/x', 'ralph.json'],
    ['added a config that goes before it', `echo 'plan: other.json' > ralph.yaml`, 'ralph.yaml'],
    ['deleted the plan', 'rm prd.json', 'prd.json'],
    ['broke the plan', 'echo "{" > prd.json', 'prd.json'],
    ['gave the plan another name', `sed -i.bak 's/cut/new/' prd.json && rm prd.json.bak`, 'prd.json'],
    ['marked its item done', `sed -i.bak 's/false/true/' prd.json && rm prd.json.bak`, 'prd.json'],
  ])('%s goes on with plan and config as they were', async (_, command, file) => {
    const repo = await killedAfter(command);
    const { code, stdout, stderr } = await repo.ralph(['run']);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`${file} is again what it was before the agent whose runner died`);
    expect(repo.git('diff', '--name-only', 'main', 'HEAD').split('\n')).toEqual(['a.txt', 'prd.json']);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.runs()).toHaveLength(1);
    // Once before the first item and once for it.
    expect(repo.read(GATES)).toBe('gate\ngate\n');
  });

  test('changed a plan that git does not see goes on with it as it was', async () => {
    const files = { '.gitignore': 'prd.json\n' };
    const repo = await killedAfter(`sed -i.bak 's/false/true/' prd.json && rm prd.json.bak`, { files });
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('prd.json is again what it was');
    expect(repo.git('ls-tree', '--name-only', 'HEAD').split('\n')).toContain('a.txt');
  });

  test('changed the config goes on with it as it was, also when a person marked something in between', async () => {
    const repo = await killedAfter(`sed -i.bak 's/echo gate/echo off/' ralph.json && rm ralph.json.bak`);
    expect((await repo.ralph(['block', 'a'])).code).toBe(0);
    expect((await repo.ralph(['unblock', 'a'])).code).toBe(0);
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('ralph.json is again what it was');
    expect(repo.read(GATES)).toBe('gate\ngate\n');
  });

  test('worked writes what a person marked since, although the plan is put back to what it was before', async () => {
    const userStories = ['a', 'b'].map(id => ({ id, title: `Write ${id}`, passes: false }));
    const repo = await killedAfter('true', { plan: { project: 'cut', userStories } });
    expect((await repo.ralph(['done', 'a'])).code).toBe(0);
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(repo.plan().userStories.map(({ passes }) => passes)).toEqual([true, true]);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test.each([
    ['in git', {}],
    ['that git does not see', { files: { '.gitignore': 'prd.json\n' } }],
  ])('worked keeps an item that a person added since to a plan %s', async (_, more) => {
    const repo = await killedAfter('true', more);
    const { userStories } = repo.plan();
    repo.write(
      'prd.json',
      JSON.stringify({ project: 'cut', userStories: [...userStories, { ...userStories[0], id: 'b' }] }),
    );
    const { code, stdout, stderr } = await repo.ralph(['run', '--once']);
    expect({ code, stderr }, stdout).toEqual({ code: 1, stderr: '' });
    expect(stdout).not.toContain('prd.json is again');
    expect(repo.plan().userStories.map(({ id, passes }) => [id, passes])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  test.each([7, 5])('was judged, or not, keeps what a person wrote into the plan since: record %i', async at => {
    const repo = makeRepo({ plan: planOf('a', 'b'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const env = { RALPH_TEST_KILL: `journal after ${at}` };
    await repo.ralph(['run'], { env, preload });
    expect(repo.journal()).toHaveLength(at);
    const [a, b] = repo.plan().userStories;
    repo.write('prd.json', JSON.stringify({ project: 'Shop', userStories: [a, { ...b, title: 'Reworded' }] }));
    const { code, stdout, stderr } = await repo.ralph(['run']);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    const [, file = ''] =
      /as it was found(?: it is| the plan is)? in ([^\n]*\.edited)/.exec(stdout.replace(/\n +/g, ' ')) ?? [];
    expect(repo.read(file)).toContain('Reworded');
  });

  test('changed nothing of them says nothing of it', async () => {
    const repo = await killedAfter('echo b > b.txt');
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(stdout).not.toContain('is again what it was');
  });
});
