/**
 * Checks that other tools' own programs accept our marks, and agree on the next item. `npm run test:ecosystems` installs
 * task-master, Backlog.md and OpenSpec into a temporary folder (this takes network access and minutes);
 * ECOSYSTEMS=<folder with their node_modules> uses an existing installation. Not part of the tests: it needs third-party programs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { planFile } = await import(new URL('../dist/index.js', import.meta.url).href);

const PACKAGES = ['task-master-ai', 'backlog.md', '@fission-ai/openspec'];
const scratch = mkdtempSync(join(tmpdir(), 'ralph-ecosystems-'));
const home = join(scratch, 'home');
mkdirSync(home);
const env = { ...process.env, HOME: home, CI: '1', DO_NOT_TRACK: '1', OPENSPEC_TELEMETRY: '0', NO_COLOR: '1' };

function install() {
  const given = process.env.ECOSYSTEMS;
  if (given) return given;
  writeFileSync(join(scratch, 'package.json'), '{"private": true}\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], {
    cwd: scratch,
    stdio: 'inherit',
    timeout: 900_000,
  });
  return scratch;
}

const folders = install().split(':');
const programOf = name => folders.map(folder => join(folder, 'node_modules/.bin', name)).find(path => existsSync(path));

/** A repository with these files, and a function that calls the program in it. */
function scene(name, files) {
  const root = join(scratch, `with-${name}`);
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  execFileSync('git', ['init', '-q'], { cwd: root, env });
  const program = programOf(name);
  const call = (...args) =>
    execFileSync(program, args, {
      cwd: root,
      env,
      encoding: 'utf8',
      timeout: 120_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return { root, call, program };
}

let wrong = 0;
function expect(what, found, wanted) {
  const same = JSON.stringify(found) === JSON.stringify(wanted);
  if (!same) wrong += 1;
  console.log(
    `${same ? 'ok  ' : 'FAIL'} ${what}${same ? '' : `: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`}`,
  );
}

/** Marks the next item done, and returns the new plan and the id that was marked. */
function markNext(path) {
  const read = planFile(path);
  if (!read.ok) throw new Error(read.error.message);
  const id = read.value.next?.id ?? '';
  const marked = read.value.mark({ id, to: 'done', at: Date.now() });
  if (!marked.ok) throw new Error(marked.error.message);
  return { id, after: marked.value };
}

function openspec() {
  const { root, call } = scene('openspec', {
    'openspec/changes/add-search/proposal.md': '## Why\n\nx\n\n## What Changes\n\n- x\n',
    'openspec/changes/add-search/tasks.md': '## 1. A\n\n- [x] 1.1 One\n- [ ] 1.2 Two\n\n## 2. B\n\n* [ ] 2.1 Three\n',
  });
  const counts = () => JSON.parse(call('list', '--json')).changes.map(each => [each.completedTasks, each.totalTasks]);
  expect('openspec counts the tasks that are read', counts(), [[1, 3]]);
  expect('the next is its first open one', markNext(join(root, 'openspec/changes/add-search/tasks.md')).id, '1.2');
  expect('openspec counts our mark', counts(), [[2, 3]]);
}

function taskMaster() {
  const task = (id, more) => ({
    id,
    title: `Task ${id}`,
    description: 'd',
    details: '',
    testStrategy: '',
    status: 'pending',
    priority: 'medium',
    dependencies: [],
    subtasks: [],
    ...more,
  });
  const part = (id, dependencies) => ({
    id,
    title: `Part ${id}`,
    description: 'd',
    details: '',
    status: 'pending',
    dependencies,
  });
  const tasks = [
    task(1, { status: 'done', priority: 'high' }),
    task(2, { dependencies: [1] }),
    task(3, { priority: 'high', dependencies: [1], subtasks: [part(1, []), part(2, [1])] }),
    task(4, { priority: 'high', dependencies: [2] }),
  ];
  const metadata = { created: '2026-01-01T00:00:00.000Z', updated: '2026-01-01T00:00:00.000Z', description: 'x' };
  const { root, call } = scene('task-master', {
    '.taskmaster/tasks/tasks.json': JSON.stringify({ master: { tasks, metadata } }, undefined, 2),
    '.taskmaster/state.json': '{"currentTag":"master","lastSwitched":"2026-01-01T00:00:00.000Z"}\n',
  });
  const path = join(root, '.taskmaster/tasks/tasks.json');
  const next = () => /│ ID: +│ (\S+)/.exec(call('next'))?.[1];
  for (let n = 1; n <= 4; n++) {
    const theirs = next();
    const { id } = markNext(path);
    // It offers a task until somebody has begun it, and then its subtasks; here only subtasks are worked on.
    expect(`task-master offers what is next here (${n}: ${id})`, theirs === id || id.startsWith(`${theirs}.`), true);
  }
  expect('task-master has nothing left after our marks', next(), undefined);
  expect('task-master finds no fault with them', /error/i.test(call('validate-dependencies')), false);
}

function backlog() {
  const { root, call } = scene('backlog', {});
  execFileSync(
    'git',
    ['-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-q', '--allow-empty', '-m', 'x'],
    { cwd: root, env },
  );
  call('init', 'Shop', '--defaults', '--integration-mode', 'none');
  call('task', 'create', 'One', '--ac', 'a works', '--ac', 'b works', '--plain');
  call('task', 'create', 'Two', '--dep', 'task-1', '--priority', 'high', '--plain');
  const path = join(root, 'backlog/config.yml');
  expect('what depends on nothing is first, whatever its priority', markNext(path).id.toLowerCase(), 'task-1');
  const shown = call('task', '1', '--plain');
  expect('backlog reads our mark as its last status', /Status: .*Done/.test(shown), true);
  expect('and both criteria as checked', shown.match(/- \[x\] #\d/g)?.length, 2);
  expect('the next is the one that waited', markNext(path).id.toLowerCase(), 'task-2');
}

try {
  for (const [name, check] of Object.entries({ openspec, 'task-master': taskMaster, backlog })) {
    if (programOf(name)) check();
    else console.log(`none ${name} is not installed`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = wrong > 0 ? 1 : 0;
