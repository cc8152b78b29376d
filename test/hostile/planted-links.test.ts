/** An agent that puts links and pipes where the runner will write: they go, nothing outside changes, the run goes on. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { doneIn, planOf, play, runs, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const PRECIOUS = 'precious\n';

/** Everything outside that a link may lead to, and what of it is still as it was. */
function outside(repo: Repo) {
  mkdirSync(join(repo.outside, 'things'));
  for (const name of ['file', 'things/order.json', 'things/brief.md', 'things/prd.json'])
    writeFileSync(join(repo.outside, name), PRECIOUS);
  return () => ({
    names: readdirSync(join(repo.outside, 'things')),
    texts: ['file', 'things/order.json', 'things/brief.md', 'things/prd.json'].map(name =>
      readFileSync(join(repo.outside, name), 'utf8'),
    ),
  });
}

const UNTOUCHED = { names: ['brief.md', 'order.json', 'prd.json'], texts: [PRECIOUS, PRECIOUS, PRECIOUS, PRECIOUS] };
const FILE = '../outside/file';

/** A link in the place of a file or folder, whatever was there. */
const link = (path: string, to: string) => `rm -rf ${path}; ln -s "$(realpath ${to})" ${path}`;
const HERE = 'd=.ralph/runs/$RALPH_RUN';

const runWith = async (attack: readonly string[]) => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({ 'US-1': runs('echo 1 > US-1.txt', ...attack), '*': works }),
  });
  const look = outside(repo);
  const ended = await repo.ralph(['run']);
  return { repo, look, ...ended };
};

describe.concurrent('an agent that plants', () => {
  test('links in the place of files changes nothing outside', async ({ expect }) => {
    const { repo, look, code, stdout, stderr } = await runWith([
      [
        HERE,
        ...['brief.md', 'output.log', 'events.jsonl', 'diff.patch', 'evidence.json'].flatMap(name => [
          link(`$d/iterations/001/${name}`, FILE),
          `mkdir -p $d/iterations/002; ${link(`$d/iterations/002/${name}`, FILE)}`,
        ]),
        ...['index', 'state.json', 'state.json.tmp', 'plan-after.json'].map(name => link(`$d/${name}`, FILE)),
        ...['progress.md', 'lessons.md', 'runs.list', 'lock', '.gitignore'].map(name => link(`.ralph/${name}`, FILE)),
        link('.ralph/runs/.git/HEAD', FILE),
        link('prd.json', FILE),
        link('ralph.json', FILE),
      ].join('; '),
    ]);
    expect(code, stdout + stderr).toBe(0);
    expect(look()).toEqual(UNTOUCHED);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
    expect(stdout).toContain('.ralph/progress.md was replaced by a link');
    expect(lstatSync(join(repo.root, '.ralph/progress.md')).isFile()).toBe(true);
    expect(repo.read('.ralph/progress.md')).toContain('Iteration 2: US-2');
    const report = await repo.ralph(['report']);
    expect(report.stdout).toContain('.ralph/progress.md was replaced by a link');
  });

  test('links in the place of folders changes nothing outside', async ({ expect }) => {
    const { repo, look, code, stdout, stderr } = await runWith([
      [
        HERE,
        link('$d/iterations/001', '../outside/things'),
        link('$d/iterations/002', '../outside/things'),
        link('.ralph/control', '../outside/things'),
        link('.ralph/templates', '../outside/things'),
        link('.ralph/runs/.git', '../outside/things'),
        link('archives', '../outside/things'),
        link('.git/hooks', '../outside/things'),
      ].join('; '),
    ]);
    expect(code, stdout + stderr).toBe(0);
    expect(look()).toEqual(UNTOUCHED);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
    expect(readdirSync(join(repo.root, 'archives')).filter(name => name.startsWith('run-'))).toHaveLength(1);
  });

  test('a link in the place of .ralph itself changes nothing outside', async ({ expect }) => {
    const { repo, look, code, stdout, stderr } = await runWith([
      'mv .ralph gone; ln -s ../outside/things .ralph; rm -rf gone',
    ]);
    expect(code, stdout + stderr).toBe(0);
    expect(look()).toEqual(UNTOUCHED);
    expect(stdout).toContain('.ralph was replaced by a link');
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
  });

  test('pipes where files are read and written holds nobody up', async ({ expect }) => {
    const pipe = (path: string) => `rm -rf ${path}; mkfifo ${path}`;
    const { repo, look, code, stdout, stderr } = await runWith([
      [
        HERE,
        'mkdir -p $d/iterations/002',
        ...['brief.md', 'output.log', 'events.jsonl', 'diff.patch'].map(name => pipe(`$d/iterations/002/${name}`)),
        ...['progress.md', 'lessons.md', 'pin.md', 'runs.list', 'lock'].map(name => pipe(`.ralph/${name}`)),
        pipe('.ralph/control/a.json'),
        'ln -s /dev/zero .ralph/control/b.json',
        'ln -s "$(realpath ../outside/things/order.json)" .ralph/control/c.json',
        pipe('$d/journal.jsonl'),
        pipe('prd.json'),
        pipe('ralph.json'),
      ].join('; '),
    ]);
    expect(code, stdout + stderr).toBe(0);
    expect(look()).toEqual(UNTOUCHED);
    expect(stdout).toContain('a.json is a named pipe');
    expect(readdirSync(join(repo.root, '.ralph/control'))).toEqual([]);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
  });

  test("a link behind a person's own linked plan loses; the person's link stays", async ({ expect }) => {
    const repo = makeRepo({
      files: { 'plans/shop.json': JSON.stringify(planOf('US-1', 'US-2'), undefined, 2) },
      config: { gates: ['true'], plan: 'prd.json' },
      scenario: play({
        'US-1': runs('echo 1 > US-1.txt', 'rm -r plans; ln -s "$(realpath ../outside/things)" plans'),
        'US-2': runs('echo 2 > US-2.txt', 'rm plans/shop.json; ln -s "$(realpath ../outside/file)" plans/shop.json'),
      }),
    });
    symlinkSync('plans/shop.json', join(repo.root, 'prd.json'));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'link');
    const look = outside(repo);
    const { code, stdout, stderr } = await repo.ralph(['run']);
    expect(code, stdout + stderr).toBe(0);
    expect(look()).toEqual(UNTOUCHED);
    expect(lstatSync(join(repo.root, 'prd.json')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(repo.root, 'plans/shop.json')).isFile()).toBe(true);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    expect(existsSync(join(repo.outside, 'things/shop.json'))).toBe(false);
  });
});
