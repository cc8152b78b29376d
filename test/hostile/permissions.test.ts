/** An agent, or a test that dies half-way, takes permissions from files and folders: the runner goes on, sees all, and can put all back. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namesIn } from '../../src/util/files.ts';
import { planOf, play, runs, verdictsIn } from '../loop/scene.ts';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

/** Permissions do not bind root, so root runs it as somebody else. */
async function runAsPerson(repo: Repo): Promise<{ readonly code: number | null; readonly said: string }> {
  if (isRoot) giveAway(join(repo.root, '..'));
  const { TMPDIR } = process.env;
  const child = spawn(process.execPath, [cliFile, 'run'], {
    cwd: repo.root,
    env: cleanEnv(repo.home, TMPDIR === undefined ? {} : { TMPDIR: repo.outside }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += String(chunk)));
  const code = await new Promise<number | null>(done => child.on('close', done));
  return { code, said };
}

function giveAway(path: string): void {
  chownSync(path, NOBODY, NOBODY);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveAway(join(path, entry.name));
    else chownSync(join(path, entry.name), NOBODY, NOBODY);
  }
  chmodSync(path, 0o755);
}

const WORK = 'echo x > "$RALPH_ITEM.txt"';

interface Taken {
  readonly agent: readonly string[];
  readonly gates?: readonly string[];
  readonly hidden?: Readonly<Record<string, string>>;
  readonly setup?: readonly string[];
  readonly final?: readonly string[];
}

const TAKEN: Readonly<Record<string, Taken>> = {
  'from a new file and a new folder': {
    agent: ['echo x > new.txt; mkdir -p deep/er; echo x > deep/er/a.txt; chmod 000 new.txt deep/er deep'],
  },
  'from everything in the tree': { agent: ['chmod -R 000 kept kept.txt; chmod 555 .'] },
  'from a folder that git ignores, with a file in it that gates must not see': {
    gates: ['! test -e ignored/found'],
    agent: ['mkdir ignored; touch ignored/found; chmod 555 ignored'],
  },
  'from installed packages that have to be installed again': {
    hidden: { 'node_modules/a/index.js': '1\n' },
    setup: ['mkdir -p node_modules/a; echo 1 > node_modules/a/index.js'],
    gates: ['! test -e node_modules/a/trojan.js'],
    agent: ['touch node_modules/a/trojan.js; chmod 555 node_modules/a'],
  },
  'from the git directory': { agent: ['chmod -R a-w .git'] },
  "from the runner's folder": { agent: ['chmod -R 000 .ralph'] },
  'from the folder that it may write messages to': {
    agent: ['in=".ralph/inbox/$RALPH_LEASE"; mkdir -p $in/a/b; chmod 000 $in/a'],
  },
  'by a gate, from a folder that it made': {
    gates: ['test -e US-1.txt || exit 0; mkdir -p made; touch made/x; chmod 000 made'],
    agent: [],
  },
  'by a gate in a fresh checkout': {
    final: ['mkdir -p made/here; touch made/here/x; chmod 555 made/here'],
    agent: [],
  },
};

test.concurrent.each(Object.entries(TAKEN))('%s', async (_, { agent, gates = ['true'], hidden = {}, setup, final }) => {
  const repo = makeRepo({
    files: { '.gitignore': 'ignored\nnode_modules\n', 'kept.txt': 'kept\n', 'kept/a.txt': 'kept\n' },
    plan: planOf('US-1', 'US-2'),
    config: { gates, ...(setup ? { setup } : {}), ...(final ? { final } : {}) },
    scenario: play({ 'US-1': runs(WORK, ...agent), 'US-2': runs(WORK) }),
  });
  for (const [path, text] of Object.entries(hidden)) repo.write(path, text);
  const { code, said } = await runAsPerson(repo);
  expect(code, said).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
  expect(existsSync(join(repo.root, 'kept/a.txt')) && repo.read('kept.txt')).toBe('kept\n');
  expect(existsSync(join(repo.root, 'made'))).toBe(false);
  expect(namesIn(join(repo.root, '.ralph/inbox'))).toEqual([]);
  expect(readdirSync(repo.outside).filter(name => name.startsWith('ralph-tree-'))).toEqual([]);
});

test('what they were taken from is part of the change, and is put back when the attempt is refused', async () => {
  const repo = makeRepo({
    files: { 'kept/a.txt': 'kept\n' },
    plan: planOf('US-1'),
    config: { gates: ['true'], guards: { forbid: ['kept/**'] } },
    scenario: play({ 'US-1': [runs('echo bad > kept/a.txt; chmod 000 kept/a.txt; chmod 000 kept'), runs(WORK)] }),
  });
  const { code, said } = await runAsPerson(repo);
  expect(code, said).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
  expect(said).toContain('permissions were taken away (kept, kept/a.txt)');
  expect(repo.read('kept/a.txt')).toBe('kept\n');
});
