/** A pipe, a device, a folder or a link where a file is expected: one sentence and an end, never a wait or a stack trace. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

/** Far more than any of these commands takes; a wait that never ends is what it is for. */
const DEADLINE_MS = 120_000;

type Kind = 'a named pipe' | 'a link' | 'a device' | 'a folder' | 'a file';

const kinds: Readonly<Record<Kind, (path: string, repo: Repo) => void>> = {
  'a named pipe': path => execFileSync('mkfifo', [path]),
  'a link': (path, repo) => symlinkSync(join(repo.outside, 'precious'), path),
  'a device': path => symlinkSync('/dev/zero', path),
  'a folder': path => mkdirSync(path),
  'a file': path => writeFileSync(path, 'in the way\n'),
};

/** Outside, nothing may change: a file, and a folder with one in it. */
function precious(repo: Repo): () => void {
  writeFileSync(join(repo.outside, 'precious'), 'mine\n');
  mkdirSync(join(repo.outside, 'things'));
  writeFileSync(join(repo.outside, 'things', 'order.json'), '{"type":"pause"}');
  return () => {
    expect(readFileSync(join(repo.outside, 'precious'), 'utf8')).toBe('mine\n');
    expect(readdirSync(join(repo.outside, 'things'))).toEqual(['order.json']);
  };
}

async function ends(repo: Repo, args: readonly string[]) {
  const running = repo.start(args);
  const late = setTimeout(() => running.child.kill('SIGKILL'), DEADLINE_MS);
  const ended = await running.ended;
  clearTimeout(late);
  const said = ended.stdout + ended.stderr;
  expect(ended.signal, `${args.join(' ')} did not end: ${said}`).toBeNull();
  expect(said).not.toMatch(/\n\s+at .+:\d+:\d+|node:internal|UnhandledPromise/);
  return { ...ended, said };
}

/** A repository with a run that was stopped, and one item left to do. */
let stopped: Repo;
beforeAll(async () => {
  stopped = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({ '*': works }),
  });
  expect((await stopped.ralph(['run', '--once'])).code).toBe(1);
});

function put(repo: Repo, path: string, kind: Kind): void {
  const full = join(repo.root, path);
  rmSync(full, { recursive: true, force: true });
  mkdirSync(dirname(full), { recursive: true });
  kinds[kind](full, repo);
}

/** Where, what, and how each command ends there. */
const refused: readonly (readonly [string, Kind, Readonly<Record<string, number>>])[] = [
  ['ralph.json', 'a named pipe', { status: 1, check: 2, run: 2, doctor: 4 }],
  ['ralph.json', 'a device', { run: 2, report: 1 }],
  ['ralph.json', 'a folder', { run: 2 }],
  ['prd.json', 'a named pipe', { check: 2, run: 2, status: 0, doctor: 4 }],
  ['prd.json', 'a device', { check: 2 }],
  ['.ralph', 'a file', { run: 4, doctor: 4, status: 1, report: 1, check: 2, stop: 1, done: 2 }],
  ['.ralph', 'a link', { run: 4, doctor: 4, status: 1 }],
  ['.ralph', 'a named pipe', { status: 1 }],
  ['.ralph/lock', 'a folder', { run: 4, doctor: 4, status: 0 }],
  ['.ralph/lock', 'a named pipe', { run: 4, status: 0 }],
  ['.ralph/lock', 'a link', { run: 4 }],
  ['.ralph/runs', 'a file', { run: 4, status: 1 }],
  ['.ralph/runs.list', 'a named pipe', { run: 4, status: 0 }],
  ['.ralph/control', 'a link', { run: 4 }],
  ['.ralph/progress.md', 'a named pipe', { run: 4, status: 0 }],
  ['.ralph/progress.md', 'a link', { run: 4, doctor: 4 }],
  ['.ralph/lessons.md', 'a named pipe', { run: 4, lessons: 0 }],
  ['.ralph/pin.md', 'a named pipe', { run: 4 }],
  ['.ralph/templates/role.md', 'a named pipe', { run: 2, brief: 2 }],
  ['.ralph/runs/RUN/journal.jsonl', 'a named pipe', { run: 4, status: 1, report: 1 }],
  ['.ralph/runs/RUN/journal.jsonl', 'a folder', { run: 4 }],
  ['.ralph/runs/RUN/state.json', 'a named pipe', { status: 0 }],
  ['.ralph/runs/RUN/iterations/001/output.log', 'a named pipe', { logs: 0 }],
  ['.ralph/runs/RUN/iterations/001/diff.patch', 'a named pipe', { report: 0 }],
  ['archives', 'a named pipe', { run: 0 }],
];

describe.concurrent('a command that meets', () => {
  test.for(refused)('%s as %s ends with a sentence', async ([path, kind, commands], { expect }) => {
    const repo = stopped.copy();
    const unchanged = precious(repo);
    put(repo, path.replace('RUN', repo.runs()[0] ?? ''), kind);
    const ended: Record<string, unknown> = {};
    for (const [command, exit] of Object.entries(commands)) {
      const { code, said } = await ends(repo, command === 'done' ? [command, 'US-2'] : [command]);
      ended[command] = code;
      if (code !== 0) expect(said, command).toContain('not a f');
      if (code !== exit) expect(said, command).toBe(`exit ${exit}, not ${code}`);
    }
    expect(ended).toEqual(commands);
    unchanged();
  });
});
