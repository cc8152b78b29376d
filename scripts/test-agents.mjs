/**
 * Drives the whole loop with real agents against a scripted model on loopback: `npm run test:agents [-- names] [--only=scenario]`.
 * `--short` is the CI variant: a few scenarios with three agents. An agent that cannot be installed is skipped with a message.
 * After the installation all network access except loopback is cut off, so that no agent can call a real service.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { agents } from '../test/real-agents/agents.mjs';
import { install, link } from '../test/real-agents/install.mjs';
import { scenarios } from '../test/real-agents/scenarios.mjs';
import { playSessions } from '../test/real-agents/session-loop.mjs';
import { tryAgent } from '../test/real-agents/try-agent.mjs';
import { startModel } from '../test/support/model-server.mjs';

const CLI = resolve('dist/cli.cjs');
const args = process.argv.slice(2);
const short = args.includes('--short');
const named = args.filter(arg => !arg.startsWith('--') && arg in agents);
const only = args.filter(arg => arg.startsWith('--only=')).map(arg => arg.slice('--only='.length));
const names = named.length > 0 ? named : short ? ['claude', 'codex', 'gemini'] : Object.keys(agents);
const INSTALL_MS = short ? 40_000 : 600_000;
const RUN_MS = short ? 120_000 : 600_000;
/** The reverse direction: the agent calls the program, through the plugin. */
const SESSION_LOOP = {
  play: playSessions,
  needs: agent => agent.use === 'claude',
  lack: 'it has no Stop hook of this kind',
  short: true,
};
const all = { ...scenarios, 'agents try': { play: tryAgent }, 'session loop': SESSION_LOOP };

if (!existsSync(CLI)) {
  console.error('dist/ is not there: node scripts/build.mjs');
  process.exit(2);
}

// On a machine without namespaces the agents are tried without a sandbox, and the output says so.
const inside = spawnSync('bwrap', ['--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', 'true'], {
  stdio: 'ignore',
});
const sandboxed = inside.status === 0;
const outside = sandboxed ? {} : { RALPH_SANDBOX: 'none' };
if (!sandboxed) console.log('SKIPPED the sandbox: bwrap does not work here, so the agents run without one');

const installed = process.env.RALPH_AGENTS_INSTALLED ? JSON.parse(process.env.RALPH_AGENTS_INSTALLED) : installAll();
if (sandboxed && !process.env.RALPH_AGENTS_INSTALLED) {
  const env = { ...process.env, RALPH_AGENTS_INSTALLED: JSON.stringify(installed) };
  const alone = [
    '--dev-bind',
    '/',
    '/',
    '--unshare-net',
    '--die-with-parent',
    process.execPath,
    ...process.argv.slice(1),
  ];
  process.exit(spawnSync('bwrap', alone, { stdio: 'inherit', env }).status ?? 1);
}

const rows = [];
for (const name of names) {
  const { folder, error } = installed[name];
  for (const [scenario, what] of Object.entries(all)) {
    if ((short && !what.short) || (only.length > 0 && !only.includes(scenario))) continue;
    const lack = agents[name].lacks?.[scenario] ?? (what.needs && !what.needs(agents[name]) ? what.lack : undefined);
    if (error || lack) {
      rows.push({ name, scenario, outcome: error ? 'SKIPPED' : 'n/a', detail: error ?? lack });
      continue;
    }
    const began = Date.now();
    const wrong = await (what.play ?? play)({ name, agent: agents[name], folder, what, short });
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    rows.push({ name, scenario, outcome: wrong ? 'FAILED' : 'ok', detail: wrong ?? '', seconds });
    console.log(`${wrong ? 'FAILED' : 'ok    '} ${name}: ${scenario} (${seconds} s)${wrong ? `: ${wrong}` : ''}`);
  }
}
summary();

/** By name: the folder of each, or why it is skipped. */
function installAll() {
  const entries = names.map(name => [name, install(name, INSTALL_MS)]);
  for (const [name, { error }] of entries) {
    if (error) console.log(`SKIPPED ${name}: it cannot be installed: ${error}`);
  }
  return Object.fromEntries(entries);
}

/** What is wrong, or undefined. */
async function play({ name, folder, what }) {
  const agent = agents[name];
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-real-')));
  const [root, home, bin] = [join(top, 'repo'), join(top, 'home'), join(top, 'bin')];
  for (const each of [root, home]) mkdirSync(each);
  const model = await startModel(typeof what.model === 'function' ? what.model(agent) : what.model);
  try {
    link(name, folder, bin);
    agent.prepare?.(home, model.url, what.settings?.(agent));
    const env = { ...agent.env(model.url), ...what.env?.(agent) };
    writeRepository(root, { agent, what, env, folder, url: model.url });
    const ended = await run({ root, home, bin, model, what });
    const expect = typeof what.expect === 'function' ? what.expect(agent) : what.expect;
    const wrong = judge({ root, ended, calls: model.calls(), expect });
    return wrong ?? what.check?.({ root, records: journalIn(root) });
  } finally {
    model.close();
    if (process.env.RALPH_AGENTS_KEEP) console.log(`kept: ${top}`);
    else rmSync(top, { recursive: true, force: true });
  }
}

function writeRepository(root, { agent, what, env, folder, url }) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const config = {
    plan: 'prd.json',
    agent: {
      use: agent.use,
      env: given,
      args: what.args?.(agent) ?? [],
      ...(agent.model ? { model: agent.model } : {}),
    },
    gates: ['true'],
    // Inside the sandbox, if the machine has one: the agent's program is in a cache folder that would be hidden otherwise.
    sandbox: { allow: { read: [folder] }, ...(what.hosts && sandboxed ? { network: what.hosts(url) } : {}) },
    claims: 'required',
    archive: 'off',
    ...what.config,
    limits: {
      attempts: 1,
      wait: '1s',
      idle: (typeof what.idle === 'function' ? what.idle(agent) : what.idle) ?? '60s',
      iteration: '300s',
      ...what.limits,
    },
  };
  const userStories = what.stories ?? [{ id: 'T-1', title: 'Make made.txt', passes: false }];
  const plan = { project: 'Real', userStories };
  writeFileSync(join(root, 'ralph.json'), JSON.stringify(config));
  writeFileSync(join(root, 'prd.json'), JSON.stringify(plan, undefined, 2));
  for (const [path, text] of Object.entries(what.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const git of [
    ['init', '-q', '-b', 'work'],
    ['config', 'user.name', 'A Person'],
    ['config', 'user.email', 'person@example.org'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Start'],
  ]) {
    spawnSync('git', git, { cwd: root, env: { PATH: process.env.PATH, HOME: root } });
  }
}

/** Runs to the end; when the run waits, the model switches to its later behaviour. */
function run({ root, home, bin, model, what }) {
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    ...outside,
  };
  mkdirSync(env.TMPDIR);
  const child = spawn(process.execPath, [CLI, 'run', '--json'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  let turned = false;
  child.stdout.on('data', chunk => {
    out += chunk;
    if (turned || !what.later || !out.includes('"wait.started"')) return;
    turned = true;
    model.set(what.later);
    if (what.resume) spawn(process.execPath, [CLI, 'resume'], { cwd: root, env, stdio: 'ignore' });
  });
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  const late = setTimeout(() => child.kill('SIGTERM'), RUN_MS);
  return new Promise(done => {
    child.on('close', code => {
      clearTimeout(late);
      done({ code, err });
    });
  });
}

function judge({ root, ended, calls, expect }) {
  const records = journalIn(root);
  const of = type => records.filter(record => record.type === type);
  const verdicts = of('iteration.finished').map(({ verdict }) => verdict);
  const failure = of('agent.finished').find(record => record.failure)?.failure;
  const last = of('run.finished').at(-1);
  const told = () =>
    `exit ${ended.code}, ${verdicts.join(' ') || 'no verdict'}; ${failure ? `${failure.class}: ${failure.message}` : (last?.why ?? ended.err.trim().slice(0, 300))}`;
  if (![expect.exit].flat().includes(ended.code) || verdicts.join() !== expect.verdicts.join()) return told();
  if (expect.failure && ![expect.failure].flat().includes(failure?.class)) return told();
  const how = of('agent.finished').at(-1)?.claim?.how;
  if (expect.claim && how !== expect.claim) return `claimed by ${how}: ${told()}`;
  if (expect.why && !last?.why?.includes(expect.why)) return `it does not say "${expect.why}": ${told()}`;
  if (expect.announced && !failure?.resetAt) return `no end of the limit was read: ${told()}`;
  if (expect.calls && (calls < expect.calls[0] || calls > expect.calls[1]))
    return `${calls} calls of the model: ${told()}`;
  const cost = of('agent.finished').reduce((sum, { costUsd }) => sum + costUsd, 0);
  if (expect.cost && cost < expect.cost) return `only $${cost} are in the journal: ${told()}`;
  const left = expect.gone && spawnSync('pgrep', ['-f', expect.gone]).status === 0;
  return left ? `${expect.gone} is still running` : undefined;
}

function journalIn(root) {
  const runs = join(root, '.ralph/runs');
  const [name] = existsSync(runs)
    ? readdirSync(runs).filter(each => existsSync(join(runs, each, 'journal.jsonl')))
    : [];
  if (name === undefined) return [];
  const lines = readFileSync(join(runs, name, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map(line => JSON.parse(line.slice(line.indexOf('{'))));
}

/** One table; below it, why a cell is empty. */
function summary() {
  const found = (name, scenario) => rows.find(row => row.name === name && row.scenario === scenario);
  const width = Math.max(...names.map(name => name.length)) + 2;
  console.log(`\n${'scenario'.padEnd(22)}${names.map(name => name.padEnd(width)).join('')}`);
  console.log(`${'version'.padEnd(22)}${names.map(name => agents[name].version.padEnd(width)).join('')}`);
  for (const scenario of Object.keys(all).filter(each => rows.some(row => row.scenario === each))) {
    const cells = names.map(name => (found(name, scenario)?.outcome ?? '').padEnd(width));
    console.log(scenario.padEnd(22) + cells.join(''));
  }
  const lacking = rows.filter(({ outcome }) => outcome === 'n/a');
  if (lacking.length > 0)
    console.log(`\nn/a: ${lacking.map(row => `${row.name}, ${row.scenario}: ${row.detail}`).join('; ')}`);
  const count = outcome => rows.filter(row => row.outcome === outcome).length;
  console.log(`\n${count('ok')} passed, ${count('FAILED')} failed, ${count('SKIPPED')} skipped`);
  process.exit(count('FAILED') > 0 ? 1 : 0);
}
