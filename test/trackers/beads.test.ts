/** beads through a stand-in for `bd`: asked before a run, told after it; without it the file is all there is. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { play, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

interface Issue {
  readonly id: string;
  readonly title: string;
  status: string;
  close_reason?: string;
  readonly [key: string]: unknown;
}

const issue = (id: string, more: object = {}): Issue => ({
  id,
  title: `Do ${id}`,
  status: 'open',
  priority: 2,
  issue_type: 'task',
  ...more,
});
const lines = (issues: readonly Issue[]): string => issues.map(each => `${JSON.stringify(each)}\n`).join('');

/** A database that is a file; every change is exported at once, as bd does. */
function standIn(repo: Repo, issues: readonly Issue[]) {
  const bin = join(repo.outside, 'bin-bd');
  const store = join(repo.outside, 'bd.json');
  mkdirSync(bin, { recursive: true });
  const write = (all: readonly Issue[], mode = 'fine') => writeFileSync(store, JSON.stringify({ all, mode }));
  write(issues);
  writeFileSync(
    join(bin, 'bd'),
    `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const store = JSON.parse(readFileSync(${JSON.stringify(store)}, 'utf8'));
const [command, ...args] = process.argv.slice(2);
const die = text => { process.stderr.write('Error: ' + text + '\\n'); process.exit(1); };
if (store.mode === 'broken') die('failed to open database: locked');
const text = () => store.all.map(each => JSON.stringify(each) + '\\n').join('');
const save = () => { writeFileSync(${JSON.stringify(store)}, JSON.stringify(store)); writeFileSync('.beads/issues.jsonl', text()); };
const found = () => store.all.find(each => each.id === args[0]) ?? die('no issue found matching "' + args[0] + '"');
if (command === 'export' && args[0] === '-o') writeFileSync(args[1], text());
else if (command === 'close' && args[1] === '--reason') { Object.assign(found(), { status: 'closed', close_reason: args[2] }); save(); }
else if (command === 'update' && args[1] === '--status') { found().status = args[2]; save(); }
else die('unknown command "' + process.argv.slice(2).join(' ') + '" for "bd"');
`,
  );
  chmodSync(join(bin, 'bd'), 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH ?? '/usr/bin:/bin'}` },
    write,
    read: () => (JSON.parse(readFileSync(store, 'utf8')) as { all: Issue[] }).all,
  };
}

test('is asked for its issues first, and told at the end what is done and what is blocked', async () => {
  const old = [issue('a-1')];
  const repo = makeRepo({
    files: { '.beads/issues.jsonl': lines(old) },
    config: { gates: ['test ! -e bad'], limits: { attempts: 1 } },
    scenario: play({ 'a-3': { steps: [{ write: { path: 'bad', text: 'x' } }] }, '*': works }),
  });
  const bd = standIn(repo, [...old, issue('a-2', { priority: 0 }), issue('a-3')]);
  const ran = await repo.ralph(['run', '.beads'], { env: bd.env });
  expect(ran.code, ran.stderr).toBe(3);
  expect(verdictsIn(repo)).toEqual(['a-2 accepted', 'a-1 accepted', 'a-3 rejected']);
  expect(bd.read().map(({ id, status }) => `${id} ${status}`)).toEqual(['a-1 closed', 'a-2 closed', 'a-3 blocked']);
  expect(bd.read()[0]?.close_reason).toMatch(/^Done on branch `ralph\/\S+`: commit [0-9a-f]{10}/);
  expect((await repo.ralph(['check', '.beads'])).stdout).toContain('beads, 3 items, 2 done');
});

test('where bd fails, the run goes on with the file, says so, and the next one tells', async () => {
  const issues = [issue('a-1')];
  const repo = makeRepo({
    files: { '.beads/issues.jsonl': lines(issues) },
    config: { gates: ['true'] },
    scenario: play({ '*': works }),
  });
  const bd = standIn(repo, issues);
  bd.write(issues, 'broken');
  const ran = await repo.ralph(['run', '.beads'], { env: bd.env });
  expect(ran.stdout).toContain(
    'bd could not export its issues, so they are as in the file: bd export -o failed: Error: failed to open database',
  );
  expect(ran.stdout).toContain('1 change for bd could not be sent yet');
  bd.write(issues);
  expect((await repo.ralph(['run', '.beads'], { env: bd.env })).code).toBe(0);
  expect(bd.read()[0]?.status).toBe('closed');
});
