import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runTail } from '../../src/cli/run-tail.ts';
import { Journal } from '../../src/journal/journal.ts';
import { iterationFolder, journalOf, makeRalphFolder, ralphFolder, reviewFolder } from '../../src/journal/runs.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

/** A shell command that waits for a file beside the repository. */
const waitFor = (name: string) => `until [ -e ../outside/${name} ]; do sleep 0.05; done`;
const release = (repo: Repo, name: string) => writeFileSync(join(repo.outside, name), '');

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 120_000, interval: 20 }).toBe(true);
}

const holds = (repo: Repo, path: string, text: string) => () =>
  existsSync(join(repo.root, path)) && readFileSync(join(repo.root, path), 'utf8').includes(text);

const scenario = {
  items: {
    'US-1': [
      {
        steps: [
          { usage: { input: 1200, output: 300, cost: 0.25 } },
          { say: 'I look first.' },
          { run: 'seq 1 40' },
          { run: 'echo broken >&2; exit 3' },
          { tool: { name: 'Read', detail: 'src/invoice.ts' } },
          { run: waitFor('go') },
          { write: { path: 'a.txt', text: 'fine\n' } },
        ],
        message: 'Wrote a.txt.',
      },
    ],
    'US-2': [{ steps: [{ write: { path: 'b.txt', text: 'bad\n' } }] }],
  },
};
const plan = {
  project: '2026-01-05 Shop',
  userStories: [
    { id: 'US-1', title: 'Sell', passes: false },
    { id: 'US-2', title: 'Buy', passes: false },
  ],
};
const config = {
  gates: [{ name: 'test', run: `${waitFor('base')}; ! grep -n bad *.txt` }],
  limits: { attempts: 1 },
};

describe('a run that is going on', () => {
  it('is seen from other terminals, and read afterwards', async () => {
    const repo = makeRepo({ plan, scenario, config, files: { 'k.txt': 'k\n' } });
    const ralph = async (...args: readonly string[]) => await repo.ralph(args);
    const run = repo.start(['run', '-v']);
    onTestFinished(() => void run.child.kill());

    // Before the first item there is no journal.
    await until(holds(repo, '.ralph/live.jsonl', 'gate.started'));
    const early = await ralph('status');
    expect(early.stdout).toContain('the gates are being run before the first item · test · for ');
    const watched = repo.start(['watch', '--verbose']);
    release(repo, 'base');

    const id = new Date().toISOString().slice(0, 10);
    await until(() => repo.runs().length > 0);
    // The plan begins with a date; the run's id has one date only.
    expect(repo.runs()[0]).toMatch(/^\d{4}-\d\d-\d\d-shop$/);
    expect(Math.abs(Date.parse(repo.runs()[0]?.slice(0, 10) ?? '') - Date.parse(id))).toBeLessThanOrEqual(86_400_000);
    const events = `.ralph/runs/${repo.runs()[0]}/iterations/001/events.jsonl`;
    await until(holds(repo, events, '../outside/go'));
    const live = await ralph('status');
    expect(live.stdout).toMatch(/\nnow {7}US-1 Sell · attempt 1 · iteration 1 · for /);
    expect(live.stdout).toMatch(/\ndoing {5}run until \[ -e .* ago\n/);
    expect(live.stdout).toMatch(/\nspent {5}1\.2k in · 300 out · \$0\.25 · iteration 1 · /);
    expect(JSON.parse((await ralph('status', '--json')).stdout)).toMatchObject({
      doing: expect.stringContaining('run until'),
      running: { usage: { inputTokens: 1200, outputTokens: 300 }, costUsd: 0.25 },
    });
    const steps = `
       0:00       I look first. · 1.5k tokens
       0:00       run seq 1 40
                    1
                    2
                    3
                    4
                    5
                    … 35 more lines
       0:00       run echo broken >&2; exit 3
                    exit 3
                    broken
       0:00       Read src/invoice.ts
`;
    const anyTime = (text: string) => text.replace(/^( {7})\d+:\d\d {7}/gm, '$10:00       ');
    expect(anyTime((await ralph('logs')).stdout)).toContain(steps);
    const diff = await ralph('logs', '--diff');
    expect([diff.code, diff.stderr]).toEqual([1, expect.stringContaining('iteration 1 is not over')]);
    const followed = repo.start(['logs', '-f']);
    const one = repo.start(['logs', '1', '-f']);
    await Promise.all([followed, one].map(({ child }) => once(child.stdout ?? child, 'data')));
    release(repo, 'go');

    expect((await run.ended).code).toBe(3);
    const [seen, all, first] = await Promise.all([watched.ended, followed.ended, one.ended]);
    for (const view of [await run.ended, seen, all, first]) expect(anyTime(view.stdout)).toContain(steps);
    expect([seen.code, all.code, first.code]).toEqual([0, 0, 0]);
    expect(seen.stdout).toMatch(/\n\d\d:\d\d {2}end {8}A person is needed/);
    expect(all.stdout).toContain('\nIteration 2\n');
    expect(first.stdout).toMatch(/\n {7}accepted {3}claimed/);
    expect(first.stdout).not.toContain('Iteration 2');
    expect(existsSync(join(repo.root, '.ralph/live.jsonl'))).toBe(false);

    // What a rejection points to says what the agent did, what the gate printed, and why.
    const rejected = (await ralph('logs', '2')).stdout;
    expect(rejected).toMatch(/^Iteration 2\n\d\d:\d\d {2}US-2 Buy\n {7}\d:\d\d {7}write b.txt\n/);
    expect(rejected).toContain(
      '\n       output     of test\n                    b.txt:1:bad\n       rejected   gate test',
    );
    expect(rejected).toMatch(/blocked {4}US-2: 1 attempt was rejected/);
    const json = (await ralph('logs', '1', '--json')).stdout.trimEnd().split('\n');
    expect(json.map(line => JSON.parse(line).kind)).toEqual(
      'says tool result tool result tool tool tool says'.split(' '),
    );
    expect(JSON.parse(json[4] ?? '')).toMatchObject({ iteration: 1, depth: 0, failed: true, text: 'exit 3\nbroken' });
    expect((await ralph('logs', '1', '--raw')).stdout).toContain('{"type":"text","text":"I look first."}\n');
    expect((await ralph('logs', '2', '--diff')).stdout).toContain('\n+bad\n');

    const { items } = JSON.parse((await ralph('items', '--json')).stdout);
    expect(items).toMatchObject([
      { id: 'US-1', status: 'done', attempts: 1, costUsd: 0.25 },
      { id: 'US-2', status: 'blocked', attempts: 1, why: expect.stringContaining('1 attempt was rejected') },
    ]);
    expect((await ralph('items')).stdout).toMatch(
      /\nUS-2 {2}blocked {9}1 .* Buy\n {6}1 attempt was rejected: gate test/,
    );
    const idle = await ralph('attach');
    expect([idle.code, idle.stdout]).toEqual([1, expect.stringMatching(/^No run is live here\.\n\nrun {7}\d{4}/)]);
  });

  it('leaves the last words of an agent that said nothing in its own format', async () => {
    const repo = makeRepo({
      plan,
      config: { agent: { command: ['sh', '-c', 'echo no such model >&2; exit 1'] }, limits: { attempts: 1 } },
    });
    expect((await repo.ralph(['items'])).stdout).toMatch(/^2026-01-05 Shop: 0 of 2 done · 2 left, no run yet\n\nid /);
    await repo.ralph(['run', '--once']);
    expect((await repo.ralph(['logs', '1'])).stdout).toContain('no such model\n');
  });
});

describe('a run that is over', () => {
  it('is looked at without git, config and plan, which take longer than the look', async () => {
    const done = { steps: [{ write: { path: 'a.txt', text: 'fine\n' } }] };
    const repo = makeRepo({ plan, scenario: { items: { 'US-1': [done], 'US-2': [done] } } });
    await repo.ralph(['run', '--max-iterations', '1']);
    const env = { PATH: repo.outside };
    writeFileSync(join(repo.root, 'ralph.yaml'), 'gates: [not: closed');
    expect((await repo.ralph(['items'], { env })).stdout).toMatch(/US-1 +done[\s\S]*US-2 +/);
    for (const args of [['logs'], ['logs', '1']])
      expect((await repo.ralph(args, { env })).stdout).toMatch(/^Iteration 1[\s\S]*US-1 Sell/);
    // Where the plan is another, the quick way is not taken, and what is wrong is said.
    writeFileSync(join(repo.root, 'prd.json'), JSON.stringify({ ...plan, project: 'Another' }));
    expect((await repo.ralph(['items'], { env })).code).not.toBe(0);
  });
});

describe('a run as its files tell it', () => {
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  const key = { iteration: 1, item: 'A' };
  const git = { base: 'b', tree: 't', lease: 'l' };
  const process = { pid: 1, started: '1', boot: 'b' };

  it('ends with the runner that died, where nobody was left to record it', async () => {
    const repo = makeRepo();
    const folder = ralphFolder(repo.root);
    makeRalphFolder(folder);
    const opened = Journal.open(journalOf(folder, 'r'), () => undefined);
    if (!opened.ok) throw new Error(opened.error.message);
    const plan = { path: 'p.json', format: 'prd', name: 'p' } as const;
    const run = { type: 'run.started', run: 'r', plan, branch: 'b', base: 'b', workspace: '.', gates: [] } as const;
    opened.value.append({ ...run, agent: 'codex' }, 1);
    opened.value.append({ type: 'iteration.started', ...key, ...git, title: 'A', attempt: 1, try: 1 }, 10);
    opened.value.close();
    mkdirSync(iterationFolder(folder, 'r', 1), { recursive: true });
    for (const args of [['logs'], ['logs', '-f'], ['logs', '1']]) {
      const { code, stdout } = await repo.ralph(args);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/cut off +A: its runner died; ralph run continues with it\n$/),
      ]);
    }
    expect((await repo.ralph(['logs', '--json'])).stdout).toBe('');
  });

  it('has the words of agents and reviewers where they were said, whichever version kept them', () => {
    const repo = makeRepo();
    const folder = ralphFolder(repo.root);
    makeRalphFolder(folder);
    const opened = Journal.open(journalOf(folder, 'r'), () => undefined);
    if (!opened.ok) throw new Error(opened.error.message);
    const journal = opened.value;
    const write = (place: string, name: string, ...lines: readonly string[]) => {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, name), lines.map(line => `${line}\n`).join(''));
    };
    const plan = { path: 'p', format: 'prd', name: 'p' } as const;
    const run = { type: 'run.started', run: 'r', plan, branch: 'b', base: 'b', workspace: '.', gates: [] } as const;
    journal.append({ ...run, agent: 'codex' }, 1);
    journal.append({ type: 'iteration.started', ...key, ...git, title: 'A', attempt: 1, try: 1 }, 10);
    const first = iterationFolder(folder, 'r', 1);
    // What the agent left that was cut off under the same number is not this one's.
    write(first, 'events.jsonl', '{"at":5,"type":"text","text":"another"}', '{"at":12,"type":"text","text":"now"}');

    const tail = runTail({ folder, run: 'r', fromSeq: 2 });
    const read = () =>
      tail.read().map(({ event }) => {
        if (event.type !== 'agent.signal') return event.type;
        const by = event.review === undefined ? 'agent' : 'reviewer';
        return event.signal.type === 'text' ? `${by}: ${event.signal.text}` : `${by}: ${event.signal.type}`;
      });
    expect(read()).toEqual(['iteration.started', 'agent: now']);
    journal.append({ type: 'agent.started', ...key, process }, 11);
    expect(read()).toEqual(['agent.started']);
    const end = { reason: 'exited', code: 0, signal: null, durationMs: 1, leftovers: [], droppedBytes: 0 } as const;
    const finished = { type: 'agent.finished', ...key, end, claim: { type: 'none' }, usage, costUsd: 0 } as const;
    write(
      first,
      'events.jsonl',
      '{"at":5,"type":"text","text":"another"}',
      '{"at":12,"type":"text","text":"now"}',
      '{"at":13,"type":"text","text":"last"}',
    );
    journal.append(finished, 20);
    journal.append({ type: 'iteration.finished', ...key, verdict: 'rejected', tree: 't', durationMs: 9 }, 21);
    expect(read()).toEqual(['agent: last', 'agent.finished', 'iteration.finished']);

    // No signals were kept: its stream is read by the reader of its agent.
    journal.append({ type: 'review.started', review: 1, item: 'A', round: 1, agent: 'codex', ...git }, 30);
    write(
      reviewFolder(folder, 'r', 1),
      'output.log',
      '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"looks fine"}}',
    );
    expect(read()).toEqual(['review.started', 'agent.output']);
    journal.append({ type: 'review.aborted', review: 1, item: 'A', why: 'stopped', usage, costUsd: 0 }, 40);
    expect(read()).toEqual(['reviewer: looks fine', 'review.aborted']);
    journal.close();
  });
});
