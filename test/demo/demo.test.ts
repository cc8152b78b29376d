/** The demo as a newcomer meets it: on a bare machine, without a terminal, and with nothing left behind but its folder. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findOnPath } from '../../src/agents/index.ts';
import { makeRepository } from '../../src/demo/repository.ts';
import type { Event } from '../../src/events.ts';
import { ralph, startRalph } from '../support/cli.ts';
import { until } from '../support/until.ts';

const made: string[] = [];
afterAll(() => {
  for (const top of made) rmSync(top, { recursive: true, force: true });
});

interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly tmp: string;
}

/** Three folders with a file each, so that a change to any of them shows. */
function place(): Place {
  const top = mkdtempSync(join(tmpdir(), 'ralph-newcomer-'));
  made.push(top);
  const [home, cwd, tmp] = ['home', 'cwd', 'tmp'].map(name => join(top, name)) as [string, string, string];
  for (const folder of [home, cwd, tmp]) mkdirSync(folder);
  return { home, cwd, tmp };
}

/** Names, modes and bytes of everything below a folder. */
function digest(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const stat = lstatSync(join(folder, name));
    hash.update(`${name} ${stat.mode} ${stat.isFile() ? readFileSync(join(folder, name)).toString('hex') : ''}\n`);
  }
  return hash.digest('hex');
}

const MOMENTS: readonly (readonly [what: string, shown: RegExp])[] = [
  ['the orientation', /You will see[\s\S]*in \/.*ralph-demo-/],
  ['a story accepted', /\[1\/5\] US-001[\s\S]*accepted +claimed, 2 of 2 gates green · commit [0-9a-f]{7}/],
  ['a false claim', /\[2\/5\] US-002[\s\S]*says done[\s\S]*✗ test exit 1[\s\S]*rejected +gate test/],
  ['its mending', /US-002 Add up a basket \(attempt 2\)[\s\S]*accepted/],
  [
    'the plan put back',
    /\[3\/5\] US-003[\s\S]*restored .*set US-004 from pending to done[\s\S]*rejected +it was claimed done, but nothing changed/,
  ],
  ['a rate limit', /\[4\/5\] US-004[\s\S]*retry +usage limit reached.*not charged[\s\S]*waiting +until/],
  ['no attempt charged', /US-004 Three scones for two \(try 2\)/],
  [
    'a hang',
    /\[5\/5\] US-005[\s\S]*Killed after 3s without output[\s\S]*not charged[\s\S]*US-005 Print a receipt \(try 2\)/,
  ],
  ['the final gates', /final +✓ e2e/],
  ['the end', /Complete: every item is done \(.*the final gates are green/],
  [
    'the summary',
    /items +5 of 5 done\n +branch +ralph\/tea-shop\n +commits +5 [\s\S]*time +\S+.*9 iterations\n +tokens +\S+ in, \S+ out\n +cost +\$0\.18/,
  ],
  [
    'what to look at next',
    /Look around\n +cd [\s\S]*git log[\s\S]*prd\.json[\s\S]*refs\/ralph[\s\S]*ralph status[\s\S]*ralph report[\s\S]*ralph merge/,
  ],
  ['how to go on', /ralph doctor[\s\S]*ralph run prd\.json[\s\S]*rm -rf /],
];

describe.concurrent('ralph demo', () => {
  test('shows every promised moment, and leaves nothing outside its folder', async () => {
    const { home, cwd, tmp } = place();
    const before = [digest(home), digest(cwd)];
    const { code, stdout, stderr } = await ralph(['demo'], { cwd, home, env: { TMPDIR: tmp } });
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).toBe('');
    for (const [what, shown] of MOMENTS) expect(stdout, what).toMatch(shown);
    expect([digest(home), digest(cwd)]).toEqual(before);
    expect(readdirSync(tmp)).toEqual([expect.stringMatching(/^ralph-demo-/)]);
    // Every comment once, right where its moment is.
    const notes = stdout.match(/note +\^ .*/g) ?? [];
    expect(new Set(notes).size).toBe(notes.length);
    expect(notes).toHaveLength(7);
  });

  test('works with only node and git on PATH, a HOME that cannot be written, and in a repository of the person', async () => {
    const { home, cwd, tmp } = place();
    const bin = join(tmp, '..', 'bin');
    mkdirSync(bin);
    const git = findOnPath('git', process.env) ?? '';
    symlinkSync(git, join(bin, 'git'));
    mkdirSync(join(cwd, '.git'));
    const before = digest(cwd);
    const { code, stdout, stderr } = await ralph(['demo', '--keep', join(tmp, 'deep/kept')], {
      cwd,
      home: '/proc/no-such-home',
      env: { TMPDIR: tmp, PATH: [bin, dirname(process.execPath)].join(delimiter), NO_COLOR: '1' },
    });
    expect(code, stdout + stderr).toBe(0);
    expect(digest(cwd)).toBe(before);
    expect(existsSync(home) && readdirSync(home)).toEqual([]);
    expect(existsSync(join(tmp, 'deep/kept/.ralph/runs'))).toBe(true);
  });

  test('is not led by the settings, hooks or templates of the person', async () => {
    const { home, cwd, tmp } = place();
    const hooks = join(home, 'hooks');
    mkdirSync(join(home, 'template/hooks'), { recursive: true });
    mkdirSync(hooks);
    for (const file of [join(hooks, 'pre-commit'), join(home, 'template/hooks/pre-commit')]) {
      writeFileSync(file, '#!/bin/sh\nexit 1\n');
      chmodSync(file, 0o755);
    }
    writeFileSync(join(home, 'ignore'), '*.json\n*.js\n');
    writeFileSync(
      join(home, '.gitconfig'),
      `[core]\n\thooksPath = ${hooks}\n\texcludesFile = ${join(home, 'ignore')}\n[init]\n\ttemplateDir = ${join(home, 'template')}\n[commit]\n\tgpgSign = true\n`,
    );
    const before = digest(home);
    const { code, stdout, stderr } = await ralph(['demo'], { cwd, home, env: { TMPDIR: tmp } });
    expect(code, stdout + stderr).toBe(0);
    expect(digest(home)).toBe(before);
  });

  test('with --json prints nothing but events on stdout', async () => {
    const { home, cwd, tmp } = place();
    const folder = join(tmp, 'kept');
    const { code, stdout, stderr } = await ralph(['demo', '--json', '--keep', folder], { cwd, home });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(folder);
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Event);
    const types = new Set(events.map(event => event.type));
    for (const type of ['run.started', 'plan.restored', 'wait.started', 'final', 'run.finished'] as const) {
      expect(types).toContain(type);
    }
    expect(stdout).not.toContain('Look around');
  });

  test('interrupted, it offers nothing that is not there', async () => {
    const { home, cwd, tmp } = place();
    const folder = join(tmp, 'kept');
    const runs = join(folder, '.ralph/runs');
    const { child, ended } = startRalph(['demo', '--keep', folder], { cwd, home });
    await until(
      () =>
        existsSync(runs) &&
        readdirSync(runs, { recursive: true, encoding: 'utf8' }).some(name => name.endsWith('iterations/001')),
    );
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code, stdout).toBe(130);
    // Commands come after the `cd` that they need.
    expect(stdout.indexOf('ralph report')).toBeGreaterThan(stdout.indexOf(`  cd ${folder}`));
    expect(stdout).toMatch(/\n {2}ralph run +# continue/);
    const offered = stdout.slice(stdout.indexOf('Look around'));
    expect(offered).not.toMatch(/shop\.js --pay|ralph logs 2|ralph merge|refs\/ralph/);
    const { stdout: again } = await ralph(['run', '--dry-run'], { cwd: folder, home });
    expect(again).toContain('US-005');
  });

  test('refuses a folder that has something in it, and leaves that alone', async () => {
    const { home, cwd } = place();
    writeFileSync(join(cwd, 'mine.txt'), 'mine');
    const { code, stderr } = await ralph(['demo', '--keep', '.'], { cwd, home });
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is something in .*cwd already/);
    expect(readdirSync(cwd)).toEqual(['mine.txt']);
  });

  test('without git says so', async () => {
    const { cwd, tmp } = place();
    // In process, because the folder of node, which the demo adds to PATH, often holds git as well.
    const result = await makeRepository(cwd, { PATH: join(tmp, 'nothing') });
    expect(result).toMatchObject({ ok: false, error: { message: 'git was not found on PATH' } });
  });
});
