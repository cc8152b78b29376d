/** A scene for escapes: throw-away files, a process and sockets; and a look at whether any of it was touched. */
import { createHash, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, supervise, systemTable } from '../process/index.ts';
import type { EscapeScene } from '../sandbox/index.ts';
import { systemClock } from '../util/clock.ts';
import { deferred } from '../util/deferred.ts';

export interface MadeScene {
  readonly scene: EscapeScene;
  /** Must not be read by anybody inside. */
  readonly secret: string;
  /** The environment of the runner, with a secret in it. */
  readonly env: NodeJS.ProcessEnv;
  /** Undefined: nothing was touched since it was made. */
  touched(): Promise<string | undefined>;
  close(): Promise<void>;
}

const GIT_CONFIG = ['-c', 'user.name=Ralph', '-c', 'user.email=ralph@localhost', '-c', 'commit.gpgsign=false'];
/** No check takes this long. */
const VICTIM_SECONDS = 900;

export async function makeScene(env: NodeJS.ProcessEnv): Promise<MadeScene> {
  const secret = `secret-${randomBytes(12).toString('hex')}`;
  const marker = `ralph-escape-${randomBytes(6).toString('hex')}`;
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-escapes-')));
  const home = realpathSync(mkdtempSync(join(env.HOME || homedir(), '.ralph-escapes-')));
  const [tree, outside] = [join(top, 'tree'), join(top, 'outside')];
  const state = join(tree, '.ralph');
  for (const folder of [tree, outside]) mkdirSync(folder);
  for (const folder of [outside, home]) {
    writeFileSync(join(folder, 'file'), 'as it was\n');
    writeFileSync(join(folder, 'secret'), `${secret}\n`);
  }
  await makeTree(tree, env);
  for (const folder of ['runs/run', 'runs/.git', 'control', 'inbox'])
    mkdirSync(join(state, folder), { recursive: true });
  writeFileSync(join(state, '.gitignore'), '*\n');
  writeFileSync(join(state, 'runs/run/journal.jsonl'), '{}\n');
  writeFileSync(join(state, 'runs/.git/HEAD'), 'x\n');

  const victim = startVictim(marker, { ...env, RALPH_ESCAPE_SECRET: secret });
  const socket = join(top, 'socket');
  const servers = await Promise.all([listen(socket), listen(`\0${marker}`), listen(0)]);
  const address = servers[2]?.address();
  const scene: EscapeScene = {
    ...{ tree, state, outside, home, marker, socket, abstract: marker, node: process.execPath },
    victim: await victim.pid,
    port: typeof address === 'object' && address ? address.port : 0,
  };
  const watched = () => fingerprint(scene);
  const before = watched();
  return {
    scene,
    secret,
    env: { ...env, ESCAPE_API_KEY: secret },
    touched: async () => {
      const left = await survivor(scene);
      // After that wait: on a busy machine a process that was killed is there for a while.
      const now = watched();
      const changed = Object.keys(before).find(name => before[name] !== now[name]);
      return changed ?? (left === undefined ? undefined : `a process that outlived it (${left})`);
    },
    close: async () => {
      for (const server of servers) server?.close();
      for (const pid of survivors(scene)) endNow(pid);
      await victim.end();
      for (const folder of [top, home]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * What ends a namespace says so before everything in it is gone: that gets a moment. And a process that is just becoming
 * another program has no command line to know it by: nothing is there only once nothing was seen for a while.
 */
const DYING_MS = 3_000;
const QUIET_MS = 150;
const LOOK_MS = 15;

async function survivor(scene: EscapeScene): Promise<number | undefined> {
  const began = systemClock.monotonic();
  let seen = began;
  for (;;) {
    const now = systemClock.monotonic();
    const [left] = survivors(scene);
    if (left !== undefined) seen = now;
    if (left !== undefined ? now - began > DYING_MS : now - seen > QUIET_MS) return left;
    await systemClock.sleep(LOOK_MS);
  }
}

async function makeTree(tree: string, env: NodeJS.ProcessEnv): Promise<void> {
  const git = (...args: readonly string[]) =>
    capture({ argv: ['git', ...GIT_CONFIG, ...args], cwd: tree, env, maxBytes: 64 * 1024, timeoutMs: 30_000 });
  await git('init', '-q');
  await git('commit', '-q', '--allow-empty', '-m', 'Start');
  await git('branch', 'other');
  await git('checkout', '-q', '-b', 'mine');
  await git('commit', '-q', '--allow-empty', '-m', 'Second');
}

function startVictim(marker: string, env: NodeJS.ProcessEnv): { readonly pid: Promise<number>; end(): Promise<void> } {
  const stop = new AbortController();
  const { promise, resolve } = deferred<number>();
  const ended = supervise({
    argv: ['/bin/sh', '-c', `sleep ${VICTIM_SECONDS}; : ${marker}`],
    cwd: '/',
    env,
    stdin: 'none',
    graceMs: 100,
    signal: stop.signal,
    onStarted: ({ pid }) => resolve(pid),
  });
  return {
    pid: Promise.race([promise, ended.then(() => 0)]),
    end: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Undefined where such a socket cannot be had: then there is nothing to reach. */
function listen(where: string | number): Promise<Server | undefined> {
  return new Promise(resolve => {
    const server = createServer(socket => socket.on('error', () => undefined).end('hello'));
    server.once('error', () => resolve(undefined));
    if (typeof where === 'number') server.listen(where, '127.0.0.1', () => resolve(server));
    else server.listen(where, () => resolve(server));
  });
}

/** By name, so that one can say what was touched. */
function fingerprint({ tree, state, outside, home, victim }: EscapeScene): Readonly<Record<string, string>> {
  const git = join(tree, '.git');
  return {
    'a file outside': contents(outside),
    'a file in HOME': contents(home),
    'the git directory': `${statSync(git).ino}`,
    'the hooks': contents(join(git, 'hooks')),
    'the settings of git': contents(join(git, 'config')),
    'a branch of somebody else': contents(join(git, 'refs', 'heads', 'other')),
    'the newest commit': contents(join(git, 'refs', 'heads', 'mine')),
    'the runs': contents(join(state, 'runs')),
    'the orders': contents(join(state, 'control')),
    'a process': systemTable.row(victim)?.zombie === false ? 'alive' : 'gone',
  };
}

function contents(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return createHash('sha256').update(readFileSync(path)).digest('hex');
    return readdirSync(path)
      .toSorted()
      .map(name => `${name}=${contents(join(path, name))}`)
      .join(',');
  } catch {
    return 'gone';
  }
}

function survivors({ marker, victim }: EscapeScene): readonly number[] {
  return systemTable
    .list()
    .rows.filter(row => !row.zombie && row.pid !== victim && row.parent !== victim)
    .filter(row => systemTable.command(row.pid).includes(marker))
    .map(row => row.pid);
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}
