/** `ralph hook` and `ralph plugin`: the built program, fed with what Claude Code says to a Stop hook. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lastMessageIn } from '../../src/agents/index.ts';
import { hasFresh } from '../../src/cli/hook-loops.ts';
import { ralphFolder } from '../../src/journal/index.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const PROMISE = '<promise>COMPLETE</promise>';
const GATES = { gates: ['test -f made.txt || { echo made.txt is missing; exit 3; }'] };

const record = (text: string, more: object = {}): string =>
  `${JSON.stringify({ type: 'assistant', message: { id: `m-${text.length}`, role: 'assistant', content: [{ type: 'text', text }] }, ...more })}\n`;

/** What a session prints when `/ralph-loop` is called in it. */
async function begin(repo: Repo, ...flags: readonly string[]): Promise<string> {
  const { code, stdout } = await repo.ralph(['hook', 'start', 'Make the file', ...flags]);
  expect(code).toBe(0);
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content: stdout } })}\n`;
}

interface Stop {
  readonly session?: string;
  readonly begun: string;
  readonly says: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly lastMessage?: string;
  /** The transcript is written after the hook was called. */
  readonly late?: true;
}

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
}

/** The session stops with these words. */
async function stop(
  repo: Repo,
  { session = 's-1', begun, says, env, lastMessage, late }: Stop,
): Promise<Answer | 'nothing'> {
  const transcript = join(repo.outside, `${session}.jsonl`);
  const write = () => writeFileSync(transcript, `${begun}${record('Working.')}${record(says)}not json\n`);
  if (late) setTimeout(write, 400);
  else write();
  const input = JSON.stringify({
    session_id: session,
    transcript_path: transcript,
    stop_hook_active: false,
    cwd: repo.root,
    hook_event_name: 'Stop',
    ...(lastMessage === undefined ? {} : { last_assistant_message: lastMessage }),
  });
  const ended = await repo.ralph(['hook', 'stop'], { input, cwd: repo.outside, ...(env ? { env } : {}) });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  return ended.stdout === '' ? 'nothing' : (JSON.parse(ended.stdout) as Answer);
}

const states = (repo: Repo): readonly string[] => readdirSync(join(repo.root, '.ralph/hook'));

test('waits for a transcript that is written behind the session', async () => {
  const repo = makeRepo({ config: GATES });
  const begun = await begin(repo);
  expect(await stop(repo, { begun, says: 'Working.', late: true })).toMatchObject({ decision: 'block' });
  expect(states(repo)).toEqual(['s-1.json']);
});

test('holds the session until the promise is there and the gates are green', async () => {
  const repo = makeRepo({ config: GATES });
  expect(await stop(repo, { begun: '', says: 'No loop here.' })).toBe('nothing');
  expect(existsSync(join(repo.root, '.ralph'))).toBe(false);

  const begun = await begin(repo);
  expect(repo.git('status', '--porcelain')).toBe('');
  // Another session of the same repository, and one that a run has started, are not held.
  expect(await stop(repo, { session: 's-2', begun: '', says: 'Other work.' })).toBe('nothing');
  expect(await stop(repo, { begun, says: 'In a run.', env: { RALPH_RUN: 'r-1' } })).toBe('nothing');

  const unpromised = await stop(repo, { begun, says: `I write ${PROMISE} later.\n\n\`\`\`\n${PROMISE}\n\`\`\`` });
  expect(unpromised).toMatchObject({
    decision: 'block',
    reason: expect.stringMatching(/does not promise[\s\S]*turn 2 of 10:\nMake the file/) as string,
  });
  expect(states(repo)).toEqual(['s-1.json']);

  const red = await stop(repo, { begun, says: `All done.\n\n${PROMISE}` });
  expect(red).toMatchObject({ decision: 'block', reason: expect.stringContaining('made.txt is missing') as string });
  expect(red).toMatchObject({ reason: expect.stringContaining('turn 3 of 10') as string });

  // Gates that the session takes out of the config still count.
  repo.write('ralph.json', '{}');
  expect(await stop(repo, { begun, says: PROMISE })).toMatchObject({ decision: 'block' });
  repo.write('ralph.json', '{');
  const broken = await stop(repo, { begun, says: PROMISE });
  expect(broken).toMatchObject({ decision: 'block', reason: expect.stringContaining('ralph.json') as string });

  repo.write('ralph.json', '{}');
  repo.write('made.txt', 'made');
  // The word on stdin is newer than the transcript.
  expect(await stop(repo, { begun, says: PROMISE, lastMessage: 'Not yet.' })).toMatchObject({ decision: 'block' });
  const done = await stop(repo, { begun, says: `Really done.\n\n**${PROMISE}**` });
  expect(done).toEqual({ systemMessage: expect.stringMatching(/^ralph: done after 6 of 10 turns; green: /) as string });
  expect(states(repo)).toEqual([]);
  expect(await stop(repo, { begun, says: 'A talk afterwards.' })).toBe('nothing');
});

test('ends after the last turn, and when a person wants out, also while gates run', async () => {
  const repo = makeRepo({ config: GATES });
  const begun = await begin(repo, '--max-iterations', '2');
  expect(await stop(repo, { begun, says: 'One.' })).toMatchObject({ decision: 'block' });
  expect((await repo.ralph(['hook'])).stdout).toBe('turn 2 of 2  Make the file\n');
  const last = await stop(repo, { begun, says: `Two.\n${PROMISE}` });
  expect(last).toEqual({ systemMessage: expect.stringMatching(/NOT done[\s\S]*made\.txt is missing/) as string });
  expect(await stop(repo, { begun, says: 'Three.' })).toBe('nothing');

  const again = await begin(repo);
  expect(await stop(repo, { begun: again, says: 'One.' })).toMatchObject({ decision: 'block' });
  expect((await repo.ralph(['hook', 'stop', '--off'])).stdout).toContain('Ended 1 loop');
  expect(await stop(repo, { begun: again, says: 'Two.' })).toBe('nothing');

  repo.write('ralph.json', JSON.stringify({ gates: ['touch .ralph/hook/stop; exit 1'] }));
  const third = await begin(repo);
  expect(await stop(repo, { begun: third, says: PROMISE })).toEqual({
    systemMessage: 'ralph: the loop was called off.',
  });
  expect(states(repo)).toEqual([]);
});

test('a gate that hangs ends when the loop is called off', async () => {
  const repo = makeRepo({ config: { gates: ['touch began; exec sleep 300'] } });
  const begun = await begin(repo);
  const stopping = stop(repo, { begun, says: PROMISE });
  while (!existsSync(join(repo.root, 'began'))) await sleep(50);
  expect((await repo.ralph(['hook', 'stop', '--off'])).stdout).toContain('Ended 1 loop');
  expect(await stopping).toEqual({ systemMessage: 'ralph: the loop was called off.' });
});

test('a loop whose own file is deleted ends alone', async () => {
  const repo = makeRepo({ config: { gates: ['rm .ralph/hook/s-1.json; exit 1'] } });
  const [one, two] = [await begin(repo), await begin(repo)];
  expect(await stop(repo, { session: 's-2', begun: two, says: 'Two.' })).toMatchObject({ decision: 'block' });
  expect(await stop(repo, { begun: one, says: PROMISE })).toEqual({ systemMessage: 'ralph: the loop was called off.' });
  expect(states(repo)).toEqual(['s-2.json']);
});

test('other sessions wait for a transcript only while a loop has just begun', async () => {
  const repo = makeRepo({ config: GATES });
  await begin(repo);
  const folder = ralphFolder(repo.root);
  expect(hasFresh(folder)).toBe(true);
  const [name = ''] = states(repo);
  const long = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder.root, 'hook', name), long, long);
  expect(hasFresh(folder)).toBe(false);
});

test('trouble of its own never holds a session: exit 1, not 2', async () => {
  const repo = makeRepo();
  for (const input of ['', 'no json', '[]', 'null', '{"session_id":"../../x"}']) {
    const { code, stdout, stderr } = await repo.ralph(['hook', 'stop'], { input });
    expect([input, code, stdout]).toEqual([input, 1, '']);
    expect(stderr).toContain('ralph hook stop --off');
  }
  const nowhere = JSON.stringify({ session_id: 's', transcript_path: '/nowhere', cwd: repo.outside });
  expect(await repo.ralph(['hook', 'stop'], { input: nowhere })).toMatchObject({ code: 0, stdout: '' });
  expect((await repo.ralph(['hook', 'start'])).code).toBe(2);
  expect((await repo.ralph(['hook', 'start', 'x'], { env: { RALPH_RUN: 'r' } })).code).toBe(2);
});

test('the last message of a transcript is all blocks of it, and no subagent speaks for the session', () => {
  const block = (content: object, more: object = {}) =>
    JSON.stringify({ type: 'assistant', message: { id: 'm2', content: [content] }, ...more });
  const lines = [
    record('before').trim(),
    block({ type: 'text', text: 'one' }),
    block({ type: 'tool_use', name: 'Bash', input: {} }),
    block({ type: 'text', text: PROMISE }, { isSidechain: true }),
    JSON.stringify({ type: 'user', message: { content: 'assistant' } }),
    block({ type: 'text', text: 'two' }),
    '{"type":"assistant"',
  ];
  expect(lastMessageIn(lines.join('\n'))).toBe('one\ntwo');
  expect([lastMessageIn(''), lastMessageIn('\n\n'), lastMessageIn('{"type":"assistant","message":5}')]).toEqual([
    '',
    '',
    '',
  ]);
});

test('the words of a task never go through a shell', async () => {
  const repo = makeRepo({ config: GATES });
  const plugin = (await repo.ralph(['plugin', 'path'])).stdout.trim();
  for (const file of readdirSync(join(plugin, 'commands')))
    for (const [, run = ''] of readFileSync(join(plugin, 'commands', file), 'utf8').matchAll(
      /!`([^`]*)`|```!([^`]*)```/g,
    ))
      expect(run, file).not.toContain('$');

  const words = `Fix the user's "login"; $(touch pwned) \`id\` --max-iterations 2\nand a second line`;
  repo.write('.ralph/loop-task.md', `${words}\n`);
  const { code, stdout } = await repo.ralph([
    'hook',
    'start',
    '--from',
    '.ralph/loop-task.md',
    '--max-iterations',
    '3',
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain(`at most 3 turns. The task:\n${words}\n`);
  expect(existsSync(join(repo.root, '.ralph/loop-task.md'))).toBe(false);
  expect((await repo.ralph(['hook', 'start', '--from', '.ralph/loop-task.md'])).code).toBe(2);
  expect((await repo.ralph(['hook', 'start', 'words', '--from', 'ralph.json'])).code).toBe(2);
});

test('the plugin is where it says, and is installed by claude or told how', async () => {
  const repo = makeRepo();
  const path = (await repo.ralph(['plugin', 'path'])).stdout.trim();
  const json = (file: string) => JSON.parse(readFileSync(join(path, file), 'utf8')) as Record<string, unknown>;
  expect(json('.claude-plugin/plugin.json')).toMatchObject({ name: 'ralph' });
  expect(JSON.stringify(json('hooks/hooks.json'))).toContain('ralph hook stop');
  expect(readdirSync(join(path, 'commands')).toSorted()).toEqual([
    'ralph-loop.md',
    'ralph-plan.md',
    'ralph-status.md',
    'ralph.md',
  ]);

  const bare = await repo.ralph(['plugin', 'install'], { env: { PATH: repo.outside } });
  expect(bare.code).toBe(4);
  expect(bare.stderr).toContain(`claude plugin marketplace add ${path}\n  claude plugin install ralph@ralph-runner`);

  const bin = join(repo.outside, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "$@" >> ${join(repo.outside, 'calls')}\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  expect((await repo.ralph(['plugin', 'install', '--scope', 'project'], { env })).code).toBe(0);
  expect(readFileSync(join(repo.outside, 'calls'), 'utf8')).toBe(
    `plugin marketplace add ${path}\nplugin install ralph@ralph-runner --scope project\n`,
  );
});
