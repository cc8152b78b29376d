/** `ralph agents try NAME`: one tiny real iteration in a throw-away repository, and what worked. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentNamed, findOnPath } from '../agents/index.ts';
import type { Event } from '../events.ts';
import { Stopper } from '../process/index.ts';
import { run } from '../run.ts';
import { openProject } from '../start/index.ts';
import { errorText, type Failure, fail, ok, type Result } from '../util/result.ts';
import { showCost, showDuration } from '../util/show.ts';
import { Git } from '../workspace/index.ts';
import { type Call, switchFlag, textFlag } from './command.ts';
import { complain, print } from './print.ts';
import { onSignals } from './signals.ts';

const ITEM = 'TRY-1';
const PLAN = {
  project: 'Try',
  userStories: [
    {
      id: ITEM,
      title: 'Say hello',
      description: 'Write a file named hello.txt in the top folder that holds the one word: hello',
      acceptanceCriteria: ['hello.txt holds the word hello'],
      passes: false,
    },
  ],
};
/** The scenario for the scripted agent, which has no model that could read the item: everything else is tried. */
const SCENARIO = {
  items: {
    [ITEM]: {
      steps: [{ write: { path: 'hello.txt', text: 'hello\n' } }, { usage: { input: 1, output: 1, cost: 0.01 } }],
    },
  },
};
const SCRIPTED = 'agent: {use: script, scenario: scenario.json}\n';

/** Limits on cost and time for such a small item. */
const MOST = {
  maxCost: 1,
  iterationTimeoutMs: 10 * 60_000,
  idleTimeoutMs: 3 * 60_000,
  maxAttempts: 1,
  maxIterations: 1,
};

const WORK = { green: 'the gate is green', red: 'the gate is red', unchanged: 'nothing was changed' } as const;

/** What was observed. */
interface Seen {
  started: boolean;
  words: boolean;
  tools: number;
  tokens: number;
  costUsd: number;
  model?: string;
  failure?: string;
  claim?: string;
  gates?: keyof typeof WORK;
  verdict?: string;
}

export async function tryAgent(call: Call, name: string): Promise<number> {
  const missing = refuse(name);
  if (missing) return complain(missing, missing.reason === 'agent-not-found' ? 4 : 2);
  // Variables that only notifications need are not passed to an agent.
  const here = await openProject({ cwd: process.cwd(), env: process.env });
  const env = here.ok ? here.value.env : process.env;
  const scripted = name === 'script';
  const made = await makeRepository(env, scripted ? SCRIPTED : '');
  if (!made.ok) return complain(made.error, 4);
  const folder = made.value;
  const stopper = new Stopper();
  const quit = onSignals(stopper);
  const seen: Seen = { started: false, words: false, tools: 0, tokens: 0, costUsd: 0 };
  const model = textFlag(call, 'model');
  try {
    const began = Date.now();
    const result = await run({
      cwd: folder,
      env,
      stopper,
      command: 'ralph agents try',
      once: true,
      overrides: { ...(scripted ? {} : { agent: name }), ...MOST, ...(model === undefined ? {} : { model }) },
      sinks: [
        event => {
          note(seen, event);
          // A rate limit may last for hours; finding it is the result.
          if (event.type === 'wait.started') stopper.stop({ reason: 'stop-requested', now: false });
        },
      ],
    });
    if (result.type === 'refused') return complain(result.failure, result.exit);
    const why = result.reason === 'agent-unavailable' || result.reason === 'agent-unusable' ? result.why : seen.failure;
    const facts = { agent: name, ...seen, ...(why ? { failure: why } : {}), durationMs: Date.now() - began };
    if (switchFlag(call, 'json')) print(JSON.stringify({ works: seen.verdict === 'accepted', ...facts }, undefined, 2));
    else print(lines(facts).join('\n'));
    return seen.verdict === 'accepted' ? 0 : 1;
  } finally {
    quit();
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuse(name: string): Failure | undefined {
  const hint = 'ralph agents lists those there are.';
  if (name === '')
    return {
      reason: 'usage',
      message: 'ralph agents try needs the name of an agent',
      hint: 'For example: ralph agents try claude',
    };
  if (name === 'script' || name.includes('/')) return undefined;
  const agent = agentNamed(name);
  if (!agent?.abilities?.install)
    return { reason: 'agent-unknown', message: `there is no agent named "${name}"`, hint };
  const { argv, program = argv[0] } = agent.command({ args: [], env: {} });
  if (findOnPath(program, process.env)) return undefined;
  return {
    reason: 'agent-not-found',
    message: `the program "${program}" was not found`,
    hint: `Install it: ${agent.abilities.install}`,
  };
}

async function makeRepository(env: NodeJS.ProcessEnv, config: string): Promise<Result<string>> {
  try {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-try-')));
    writeFileSync(join(folder, 'prd.json'), `${JSON.stringify(PLAN, undefined, 2)}\n`);
    writeFileSync(
      join(folder, 'ralph.yaml'),
      `plan: prd.json\ngates: ["! test -e hello.txt || grep -qx hello hello.txt"]\narchive: off\n${config}`,
    );
    if (config !== '') writeFileSync(join(folder, 'scenario.json'), JSON.stringify(SCENARIO));
    const git = new Git(folder, env);
    for (const step of [
      ['init', '-q', '--template='],
      ['config', 'user.name', 'Ralph'],
      ['config', 'user.email', 'ralph@localhost'],
      ['add', '-A'],
      ['commit', '-q', '--no-verify', '-m', 'Start'],
    ]) {
      const done = await git.text(...step);
      if (!done.ok) return done;
    }
    return ok(folder);
  } catch (error) {
    const message = `a folder for the try cannot be made: ${errorText(error)}`;
    return fail({ reason: 'no-folder', message, hint: 'Set TMPDIR to one that can be written to.' });
  }
}

function note(seen: Seen, event: Event): void {
  if (event.type === 'agent.started') seen.started = true;
  if (event.type === 'agent.signal') {
    if (event.signal.type === 'text') seen.words = true;
    if (event.signal.type === 'tool') seen.tools += 1;
  }
  if (event.type === 'agent.finished') {
    seen.tokens = event.usage.inputTokens + event.usage.cachedTokens + event.usage.outputTokens;
    seen.costUsd = event.costUsd;
    seen.claim = event.claim.type;
    if (event.model) seen.model = event.model;
    if (event.failure) seen.failure = `${event.failure.class}: ${event.failure.message}`;
  }
  if (event.type === 'evidence') {
    const { changed, gates } = event.evidence;
    seen.gates = !changed ? 'unchanged' : gates.every(({ status }) => status === 'green') ? 'green' : 'red';
  }
  if (event.type === 'verdict') seen.verdict = event.verdict.type;
}

function lines(seen: Seen & { readonly agent: string; readonly durationMs: number }): readonly string[] {
  const line = (good: boolean, what: string, how = '') => `${good ? '✓' : '✗'} ${what.padEnd(12)}${how}`.trimEnd();
  return [
    line(seen.started, 'starts', seen.model ? `model ${seen.model}` : ''),
    line(seen.failure === undefined, 'answers', seen.failure ?? (seen.words ? '' : 'without a word')),
    line(seen.tools > 0, 'tools', seen.tools > 0 ? `${seen.tools} used` : 'none were seen'),
    line(seen.gates === 'green', 'work', WORK[seen.gates ?? 'unchanged']),
    line(
      seen.claim === 'done',
      'claim',
      seen.claim === 'done' ? 'it says that it is done' : 'it does not say that it is done',
    ),
    line(seen.tokens > 0, 'tokens', seen.tokens > 0 ? String(seen.tokens) : 'not told'),
    line(seen.costUsd > 0, 'cost', seen.costUsd > 0 ? showCost(seen.costUsd) : 'not known'),
    '',
    seen.verdict === 'accepted'
      ? `${seen.agent} works: the item was accepted after ${showDuration(seen.durationMs)}.`
      : `${seen.agent} does not work here yet${seen.failure ? `: ${seen.failure}` : ': what it did was not accepted'}.`,
  ];
}
