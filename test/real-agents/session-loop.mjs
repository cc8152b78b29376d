/** The plugin, or its Stop hook alone, in a real session: what the model says, and how often it is asked until the session ends. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startModel } from '../support/model-server.mjs';
import { link } from './install.mjs';
import { put } from './put.mjs';

const CLI = resolve('dist/cli.cjs');
const SESSION_MS = 60_000;
const LOOP = '/ralph:ralph-loop "Make made.txt" --max-iterations 3';

/** What the command asks the model to do first. */
const BEGIN = {
  shell:
    'mkdir -p .ralph && printf "Make made.txt" > .ralph/loop-task.md && ralph hook start --from .ralph/loop-task.md --max-iterations 3',
};
const PROMISED = { say: 'Done.\n\n<promise>COMPLETE</promise>' };

/** The model begins the loop itself: for versions that know no plugins, with the hook in a settings file. */
const START = { shell: 'ralph hook start "Make made.txt" --max-iterations 3' };

/** `says` is a part of what the model was told by the last request. */
const pluginSessions = {
  'no promise': { prompt: LOOP, turns: [BEGIN, { say: 'Working.' }], requests: 4, says: 'turn 3 of 3' },
  'red gate': { prompt: LOOP, turns: [BEGIN, PROMISED], requests: 4, says: '$ test -f made.txt' },
  done: { prompt: LOOP, turns: [BEGIN, { shell: 'touch made.txt' }, PROMISED], requests: 3, says: '' },
  installed: {
    prompt: LOOP,
    turns: [BEGIN, PROMISED],
    requests: 4,
    says: '$ test -f made.txt',
    installed: true,
    long: true,
  },
  status: {
    prompt: '/ralph:ralph-status',
    turns: [{ say: 'Nothing runs.' }],
    requests: 1,
    says: 'No session has a loop here',
    long: true,
  },
  'inside a run': {
    prompt: LOOP,
    turns: [BEGIN, { say: 'Working.' }],
    requests: 2,
    says: 'belongs to a run',
    env: { RALPH_RUN: 'r-1' },
  },
};

const hookSessions = {
  'no promise': { prompt: 'Work.', turns: [START, { say: 'Working.' }], requests: 4, says: 'turn 3 of 3' },
  'red gate': { prompt: 'Work.', turns: [START, PROMISED], requests: 4, says: '$ test -f made.txt' },
  done: { prompt: 'Work.', turns: [START, { shell: 'touch made.txt' }, PROMISED], requests: 3, says: '' },
  'no loop': { prompt: 'Work.', turns: [{ say: 'Working.' }], requests: 1, says: '' },
};

/** Why one of them is not as it should be, or undefined. */
export async function playSessions({ name, agent, folder, short }) {
  const sessions = agent.pluginFlag ? pluginSessions : hookSessions;
  for (const [title, session] of Object.entries(sessions)) {
    if (short && session.long) continue;
    const wrong = await play({ name, agent, folder, session });
    if (wrong) return `${title}: ${wrong}`;
  }
}

async function play({ name, agent, folder, session }) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-session-')));
  const [root, home, bin] = [join(top, 'repo'), join(top, 'home'), join(top, 'bin')];
  for (const each of [root, home]) mkdirSync(each);
  const model = await startModel({ turns: session.turns });
  try {
    link(name, folder, bin);
    writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
    chmodSync(join(bin, 'ralph'), 0o755);
    writeFileSync(join(root, 'ralph.json'), JSON.stringify({ gates: ['test -f made.txt'], sandbox: 'none' }));
    const own = { PATH: `${bin}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8', IS_SANDBOX: '1' };
    spawnSync('git', ['init', '-q'], { cwd: root, env: own });
    const env = { ...own, ...agent.env(model.url), ...session.env };
    if (session.installed) {
      const done = spawnSync(join(bin, 'ralph'), ['plugin', 'install'], { cwd: root, env, encoding: 'utf8' });
      if (done.status !== 0) return `ralph plugin install: exit ${done.status}: ${done.stderr}`;
    }
    const flags = session.installed ? [] : agent.pluginFlag ? agent.pluginFlag(resolve('plugin')) : hookFlags(top);
    const code = await talk([...flags, '-p', '--dangerously-skip-permissions'], {
      program: join(bin, agent.program),
      cwd: root,
      env,
      prompt: session.prompt,
    });
    const asked = model.requests.filter(({ body }) => body?.tools?.length > 0);
    const last = JSON.stringify(asked.at(-1)?.body.messages ?? '');
    const left = existsSync(join(root, '.ralph/hook')) ? readdirSync(join(root, '.ralph/hook')) : [];
    if (code === 0 && asked.length === session.requests && last.includes(session.says) && left.length === 0) return;
    return `exit ${code}, ${asked.length} requests, left: ${left.join()}; the last one: ${last.slice(-300)}`;
  } finally {
    model.close();
    rmSync(top, { recursive: true, force: true });
  }
}

function hookFlags(folder) {
  const file = join(folder, 'settings.json');
  put(file, { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'ralph hook stop' }] }] } });
  return ['--settings', file];
}

function talk(args, { program, cwd, env, prompt }) {
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => undefined).end(prompt);
  const late = setTimeout(() => child.kill('SIGKILL'), SESSION_MS);
  return new Promise(done => {
    child.on('close', code => {
      clearTimeout(late);
      done(code);
    });
  });
}
