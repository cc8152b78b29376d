/** The demo's throw-away repository: one folder, and nothing of the person's machine in it or touched by it. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { errorText, type Failure, fail, ok, type Result } from '../util/result.ts';
import { Git } from '../workspace/index.ts';
import e2e from './files/e2e.js.txt';
import manifest from './files/package.json.txt';
import prd from './files/prd.json.txt';
import config from './files/ralph.yaml.txt';
import scenario from './files/scenario.yaml.txt';
import shop from './files/shop.js.txt';
import till from './files/till.js.txt';
import tests from './files/till.test.js.txt';

const AUTHOR = { name: 'Ralph demo', email: 'demo@localhost' };

/** An empty folder: the one that was asked for, or a new one among the temporary files. */
export function demoFolder(keep: string | undefined): Result<string> {
  try {
    if (keep === undefined) return ok(realpathSync(mkdtempSync(join(tmpdir(), 'ralph-demo-'))));
    const folder = resolve(keep);
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length === 0) return ok(realpathSync(folder));
    return fail<Failure>({
      reason: 'not-empty',
      message: `there is something in ${folder} already`,
      hint: 'Name an empty or new folder.',
    });
  } catch (error) {
    return fail<Failure>({
      reason: 'no-folder',
      message: `the folder for the demo cannot be made: ${errorText(error)}`,
      hint: 'Name one that can be written to: ralph demo --keep FOLDER',
    });
  }
}

/** The demo's own environment: no settings or hooks from a home folder, and the Node.js that runs this one. */
export function demoEnvironment(folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...rest } = env;
  const home = join(folder, '.git');
  const path = [dirname(process.execPath), env['PATH']].filter(Boolean).join(delimiter);
  return { ...rest, HOME: home, XDG_CONFIG_HOME: home, PATH: path };
}

/** Writes the files and makes the first commit, on a branch that only people write to. */
export async function makeRepository(folder: string, env: NodeJS.ProcessEnv): Promise<Result<void>> {
  for (const [path, text] of Object.entries(demoFiles)) writeFileSync(join(folder, path), text);
  const { name, email } = AUTHOR;
  const git = new Git(folder, env);
  const steps = [
    ['init', '-q', '--template='],
    ['symbolic-ref', 'HEAD', 'refs/heads/main'],
    ['config', 'user.name', name],
    ['config', 'user.email', email],
    ['add', '-A'],
    ['commit', '-q', '--no-verify', '-m', 'A very small tea shop'],
  ];
  for (const step of steps) {
    const done = await git.text(...step);
    if (!done.ok) return fail(gitTrouble(done.error));
  }
  return ok(undefined);
}

function gitTrouble(error: Failure): Failure {
  if (!error.message.includes('ENOENT')) return error;
  return { reason: 'git-missing', message: 'git was not found on PATH', hint: 'Install git and try again.' };
}

/** Text by path. */
const demoFiles: Readonly<Record<string, string>> = {
  'package.json': manifest,
  'till.js': till,
  'till.test.js': tests,
  'shop.js': shop,
  'e2e.js': e2e,
  'prd.json': prd,
  'ralph.yaml': config,
  'scenario.yaml': scenario,
};
