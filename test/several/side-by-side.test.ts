/** Several runs of one repository at the same time, each in a worktree of its own. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf, play, runs } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const planNamed = (project: string, ...ids: string[]) => `${JSON.stringify({ ...planOf(...ids), project })}\n`;

/** Works, tells that it is there, and waits for a file outside to come. */
const meets = (name: string) =>
  runs(`touch ../../../../outside/${name}-{{item}}`, `while ! test -e ../../../../outside/go; do sleep 0.05; done`, 'echo {{item}} > {{item}}.txt');

const three = (): Repo =>
  makeRepo({
    files: { 'a.json': planNamed('Alpha', 'A-1', 'A-2'), 'b.json': planNamed('Beta', 'B-1', 'B-2'), 'c.json': planNamed('Gamma', 'C-1', 'C-2') },
    config: { gates: ['true'] },
    scenario: play({ '*': meets('at') }),
  });

const there = (repo: Repo, name: string) => existsSync(join(repo.outside, name));

describe('three runs at once', () => {
  test('finish independently, on branches of their own, and leave one memory', async () => {
    const repo = three();
    const started = ['a', 'b', 'c'].map(name => repo.start(['run', '--worktree', `${name}.json`]));
    await until(() => ['A', 'B', 'C'].every(name => there(repo, `at-${name}-1`)), 'three agents at once');
    const twice = await repo.ralph(['run', '--worktree', 'b.json']);
    expect(twice.code).toBe(4);
    expect(twice.stderr).toContain('this plan is being worked on already: run ');
    expect(twice.stderr).toMatch(/End it with: ralph stop --run \S+-beta/);
    repo.write('../outside/go', '');
    const ended = await Promise.all(started.map(each => each.ended));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([0, 0, 0].map(code => [code, '']));
    for (const [name, id] of [['alpha', 'A'], ['beta', 'B'], ['gamma', 'C']]) {
      const files = repo.git('ls-tree', '--name-only', `ralph/${name}`).split('\n');
      expect(files.filter(file => /^[ABC]-\d\.txt$/.test(file))).toEqual([`${id}-1.txt`, `${id}-2.txt`]);
    }
    expect(repo.runs()).toHaveLength(3);
    expect(readdirSync(join(repo.root, 'archives')).filter(name => name.startsWith('run-'))).toHaveLength(3);
    const progress = readFileSync(join(repo.root, '.ralph/progress.md'), 'utf8');
    expect(progress.match(/^## Iteration/gm)).toHaveLength(6);
    expect(readdirSync(join(repo.root, '.ralph/locks'))).toEqual([]);
    const text = ended.map(({ stdout }) => stdout).join('\n');
    expect(text).not.toMatch(/put back|taken away|deleted/);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });
});
