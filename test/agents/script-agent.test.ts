import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readClaim } from '../../src/agents/claims.ts';
import { script } from '../../src/agents/script.ts';
import type { AgentOutcome } from '../../src/protocol.ts';
import { buildScriptAgent } from '../support/build-script-agent.ts';
import { processEnd } from '../support/process-end.ts';

let program = '';
beforeAll(async () => {
  program = await buildScriptAgent();
});
const root = mkdtempSync(join(tmpdir(), 'ralph-script-'));
afterAll(() => {
  for (const folder of [root, dirname(program)]) rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly folder: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly outcome: AgentOutcome;
}

interface Play {
  readonly scenario: string;
  readonly file?: string;
  readonly env?: Record<string, string>;
  readonly whenPrinting?: (child: ChildProcess, so: Pick<Ran, 'folder' | 'stdout'>) => void;
}

async function run({ scenario, file = 'scenario.yaml', env = {}, whenPrinting }: Play): Promise<Ran> {
  const folder = mkdtempSync(join(root, 'run-'));
  const path = join(folder, file);
  writeFileSync(path, scenario);
  const child = spawn(process.execPath, [program, path], {
    cwd: folder,
    env: { PATH: process.env.PATH, RALPH_ITEM: 'US-001', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end('the brief\n'.repeat(20_000));
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    whenPrinting?.(child, { folder, stdout });
  });
  const [code, signal] = await new Promise<[number | null, string | null]>(resolve =>
    child.on('close', (exit, by) => resolve([exit, by])),
  );
  const reader = script.read();
  for (const line of stdout.split('\n')) reader.line(line);
  return { folder, code, signal, stdout, outcome: reader.end(processEnd({ code, signal })) };
}

describe('the scripted agent', () => {
  it('works, says what it did, and claims its item', async () => {
    const { folder, code, outcome, stdout } = await run({
      scenario: `
items:
  US-001:
    - steps:
        - say: "Looking at {{item}}"
        - tool: {name: Edit, detail: src/add.js}
        - write: {path: "src/{{item}}.js", text: "a {{attempt}} {{iteration}} {{try}}\\n"}
        - append: {path: notes.txt, text: "one\\n"}
        - append: {path: notes.txt, text: "two\\n"}
        - replace: {path: notes.txt, from: two, to: "$& three"}
        - write: {path: gone.txt, text: x}
        - delete: gone.txt
        - run: "cat notes.txt; echo RALPH_TASK_BLOCKED: {{item}} - no; exit 3"
        - sleep: 1ms
        - usage: {input: 1200, output: 300, cost: 0.01}
        - usage: {input: 1, cached: 5, cost: 0.02}
      message: "Added {{item}}."
`,
      env: { RALPH_ATTEMPT: '2', RALPH_ITERATION: '7', RALPH_TRY: '3' },
    });
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'src/US-001.js'), 'utf8')).toBe('a 2 7 3\n');
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('one\n$& three\n');
    expect(existsSync(join(folder, 'gone.txt'))).toBe(false);
    expect(stdout).toContain('"one\\n$& three\\n');
    expect(outcome.failure).toBeUndefined();
    expect(outcome.usage).toEqual({ inputTokens: 1201, outputTokens: 300, cachedTokens: 5 });
    expect(outcome.costUsd).toBeCloseTo(0.03);
    expect(outcome.message).toBe('Added US-001.\n\nRALPH_TASK_COMPLETE: US-001');
    expect(readClaim({ message: outcome.message, item: 'US-001', brief: '' })).toEqual({ type: 'done', how: 'signal' });
  });

  it('takes one entry per try, repeats the last, and has a default', async () => {
    const scenario = JSON.stringify({
      items: { 'US-001': [{ message: 'first', claim: 'none' }, { message: 'second' }], '*': [{ message: 'default' }] },
    });
    const message = async (env: Record<string, string>) =>
      (await run({ scenario, env })).outcome.message.split('\n')[0];
    expect(await message({})).toBe('first');
    expect(await message({ RALPH_TRY: '2' })).toBe('second');
    expect(await message({ RALPH_TRY: '9' })).toBe('second');
    expect(await message({ RALPH_ITEM: 'other' })).toBe('default');
  });

  it.each([
    ['promise', { type: 'done', how: 'promise' }],
    ['none', { type: 'none' }],
    [{ blocked: 'no key for {{item}}' }, { type: 'blocked', why: 'no key for US-001' }],
  ])('claims %j', async (claim, expected) => {
    const { outcome } = await run({ scenario: JSON.stringify({ items: { '*': { claim } } }), file: 's.json' });
    expect(readClaim({ message: outcome.message, item: 'US-001', brief: '' })).toEqual(expected);
  });

  const one = (step: string) => `items:\n  "*":\n    - steps:\n        - ${step}\n`;

  it('reaches its limit until a given time', async () => {
    const before = Date.now();
    const { code, outcome } = await run({ scenario: one('rate-limit: {for: 90s}') });
    expect(code).toBe(1);
    expect(outcome.failure?.class).toBe('rate-limit');
    const wait = (outcome.failure?.resetAt ?? 0) - before;
    expect(wait).toBeGreaterThanOrEqual(90_000);
  });

  it.each(['overload', 'network', 'auth', 'validation', 'logic'])('fails with class %s', async name => {
    const { code, outcome } = await run({ scenario: one(`fail: {class: ${name}, message: "oh {{item}}"}`) });
    expect(code).toBe(1);
    expect(outcome.failure).toEqual({ class: name, message: 'oh US-001' });
  });

  it('exits as told, without a last word', async () => {
    const { code, outcome } = await run({ scenario: one('exit: 3') });
    expect(code).toBe(3);
    expect(outcome.message).toBe('');
    expect(outcome.failure).toBeDefined();
  });

  it('hangs until it is ended', async () => {
    const { signal } = await run({
      scenario: 'items: {"*": [{steps: [{say: hello}, {hang: true}]}]}',
      whenPrinting: child => child.kill('SIGTERM'),
    });
    expect(signal).toBe('SIGTERM');
  });

  it('ignores a polite end when told to', async () => {
    const { signal } = await run({
      scenario:
        'items: {"*": [{steps: [{ignore-term: true}, {say: hello}, {run: "until test -e go; do sleep 0.02; done"}, {say: still here}, {hang: true}]}]}',
      whenPrinting: (child, { folder, stdout }) => {
        // A signal is there before what is written after it was sent.
        child.kill(stdout.includes('still here') ? 'SIGKILL' : 'SIGTERM');
        writeFileSync(join(folder, 'go'), '');
      },
    });
    expect(signal).toBe('SIGKILL');
  });

  it('does not wait for what its commands leave running', async () => {
    const { code, folder } = await run({ scenario: one('run: "sleep 60 & echo $! > pid"') });
    expect(code).toBe(0);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
  });

  it('fails when a file is not as expected', async () => {
    const { code, outcome } = await run({ scenario: one('replace: {path: none.txt, from: a, to: b}') });
    expect(code).toBe(1);
    expect(outcome.failure?.message).toContain('none.txt');
  });
});

describe('a scenario with a mistake', () => {
  it.each([
    [
      'items: {A: [{steps: [{wriet: {path: a, text: b}}]}]}',
      'items.A[0].steps[0]: unknown step "wriet"',
      'Did you mean "write"?',
    ],
    ['items: {A: [{steps: [{write: {path: a}}]}]}', 'items.A[0].steps[0].write: needs "text"', ''],
    ['items: {A: [{steps: [{sleep: 5}]}]}', 'items.A[0].steps[0].sleep: has to be a duration', ''],
    ['items: {A: [{steps: [{fail: {class: overlaod}}]}]}', 'unknown class "overlaod"', 'Did you mean "overload"?'],
    ['items: {A: [{step: []}]}', 'items.A[0]: unknown key "step"', 'Did you mean "steps"?'],
    ['items: {A: [{claim: maybe}]}', 'items.A[0].claim: has to be done, promise, none', ''],
    ['items: {A: []}', 'items.A: has no entry', ''],
    ['items: []', 'items: has to be a mapping', ''],
    ['plan: x', 'unknown key "plan"', ''],
    ['- a', 'a scenario is a mapping', ''],
    ['items: {A: [{steps: [{exit: 300}]}]}', 'items.A[0].steps[0].exit', ''],
    ['items: {A: [{steps: [{say: a, tool: b}]}]}', 'items.A[0].steps[0]: a step is a mapping with one key', ''],
    ['items: {B: [{}]}', 'nothing for item "US-001"', ''],
    ['items: {A: [', 'line', ''],
  ])('%s', async (scenario, message, hint) => {
    const { code, outcome } = await run({ scenario });
    expect(code).toBe(2);
    expect(outcome.failure?.class).toBe('validation');
    expect(outcome.failure?.message).toContain(message);
    expect(outcome.failure?.message).toContain(hint);
    expect(outcome.failure?.message).toContain('scenario.yaml');
  });
});

it('is started with this Node, its own program and an absolute scenario', () => {
  const { argv } = script.command({ scenario: 'a.yaml', args: [], env: {} });
  expect(argv[0]).toBe(process.execPath);
  expect(argv[1]).toMatch(/dist\/cli\/script-agent\.cjs$/);
  expect(argv[2]).toBe(join(process.cwd(), 'a.yaml'));
});
