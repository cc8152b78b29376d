/** `ralph mcp` as the official client sees it. */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type McpContext } from '../../src/mcp/context.ts';
import { readSaid } from '../../src/mcp/said.ts';
import { secretValues } from '../../src/util/secret-values.ts';
import { cliFile } from '../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'ralph-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context: McpContext = {
  run: '2026-01-08-shop',
  attempt: 2,
  attempts: 3,
  item: { id: 'US-2', title: 'Send it', body: 'By mail.', criteria: ['It arrives'], verify: ['npm run mail'] },
  failures: { rejected: 1, feedback: 'gate test exited 1', refs: ['refs/ralph/run/US-2/1'] },
  answers: [{ question: 'Which server?', answer: 'The old one.' }],
  lessons: [{ id: 'L-1', kind: 'gotcha', text: 'Ports are taken.' }],
  plan: {
    path: 'prd.json',
    name: 'Shop',
    items: [
      { id: 'US-1', title: 'Make it', status: 'done' },
      { id: 'US-2', title: 'Send it', status: 'pending' },
    ],
  },
};

async function connected(...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [cliFile, 'mcp', ...args] }));
  return client;
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('\n');

describe.concurrent('ralph mcp', () => {
  test('shows what the session is about, and writes down what is said', async () => {
    const file = join(folder, 'context.json');
    writeFileSync(file, JSON.stringify(context));
    const client = await connected('--context', file, '--inbox', folder);
    expect(client.getServerVersion()).toMatchObject({ name: 'ralph' });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'ralph://item',
      'ralph://failures',
      'ralph://lessons',
      'ralph://plan',
    ]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
    expect((await read('ralph://item')).text).toBe(
      '# US-2: Send it\n\nAttempt 2 of 3.\n\nBy mail.\n\nIt is done when every point holds:\n\n- It arrives\n\nIts own checks, each of which must exit 0:\n\n- `npm run mail`\n\nWhat was asked about it, and answered:\n\n- Which server? The old one.',
    );
    expect((await read('ralph://plan')).text).toContain(
      '1 of 2 items done.\n\n- US-1 [done] Make it\n- US-2 [pending] Send it (yours)',
    );
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('cannot be read');

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['look', 'claim', 'blocked', 'question', 'lesson', 'progress']);
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      await client.callTool({ name, arguments: args });
    expect(textOf(await call('look', { what: 'failures' }))).toContain('gate test exited 1');
    expect(textOf(await call('look', { what: 'lessons' }))).toBe('- L-1 (gotcha) Ports are taken.');
    expect(await call('look', { what: 'secrets' })).toMatchObject({ isError: true });
    expect(await call('lesson', { kind: 'rule', text: 'x' })).toMatchObject({ isError: true });
    expect(await call('question', { text: ' ' })).toMatchObject({ isError: true });
    await call('question', { text: 'A or B?' });
    await call('lesson', { kind: 'fact', text: 'It is\nso.' });
    await call('progress', { text: 'Half of it.' });
    await call('claim');
    await expect(call('done')).rejects.toThrow('no tool named done');
    await client.close();
    expect(readSaid(folder)).toEqual({
      claim: { type: 'done', how: 'tool' },
      lessons: [{ kind: 'fact', text: 'It is so.' }],
      notes: ['Half of it.'],
    });
  });

  test('keeps a claim that follows a note without an end', async () => {
    const inbox = mkdtempSync(join(folder, 'long-'));
    const client = await connected('--inbox', inbox);
    await client.callTool({ name: 'progress', arguments: { text: 'x'.repeat(600_000) } });
    await client.callTool({ name: 'claim', arguments: {} });
    await client.close();
    const { claim, notes } = readSaid(inbox);
    expect([claim.type, notes.length]).toEqual(['done', 1]);
    // What an agent wrote itself is bounded by nobody: the end counts.
    appendFileSync(
      join(inbox, 'said.jsonl'),
      `{"type":"progress","text":"${'y'.repeat(600_000)}"}\n{"type":"claim"}\n`,
    );
    expect(readSaid(inbox).claim.type).toBe('done');
  });

  test('says so where no run started the session, and refuses a context that is none', async () => {
    const client = await connected();
    const claimed = await client.callTool({ name: 'claim', arguments: {} });
    expect([textOf(claimed), (claimed as { isError?: boolean }).isError]).toEqual([
      'This session was not started by ralph run, so nobody would read it.',
      true,
    ]);
    await client.close();
    await expect(connected('--context', cliFile)).rejects.toThrow();
  });

  test('answers what is no message with an error, and goes on', async () => {
    const child = spawn(process.execPath, [cliFile, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' });
    child.stdin.end(
      `nonsense\n[]\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"id":1,"method":"x/y"}\n${ping}\n`,
    );
    let out = '';
    for await (const chunk of child.stdout) out += String(chunk);
    const answers = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [1, -32601],
      [7, undefined],
    ]);
  });
});

describe('what stands in an inbox', () => {
  const place = (text: string) => {
    const inbox = mkdtempSync(join(folder, 'inbox-'));
    writeFileSync(join(inbox, 'said.jsonl'), text);
    return inbox;
  };
  const lines = (...words: readonly unknown[]) => words.map(word => JSON.stringify(word)).join('\n');

  test('is read without the secrets that the agent was given', () => {
    const known = secretValues({ SHOP_TOKEN: 'say "please" twice' });
    const told = { type: 'question', text: 'Is say "please" twice right?' };
    expect(readSaid(place(lines(told)), known).claim).toEqual({
      type: 'question',
      text: 'Is [SHOP_TOKEN hidden] right?',
    });
  });

  test('is read as words of the agent: the last claim counts, and everything is bounded', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ type: 'progress', text: `note ${at}` }));
    const said = readSaid(place(lines({ type: 'claim' }, ...many, { type: 'blocked', text: 'x'.repeat(9000) })));
    expect(said.notes).toHaveLength(20);
    expect(said.claim).toMatchObject({ type: 'blocked' });
    expect(JSON.stringify(said.claim).length).toBeLessThan(600);
  });

  test('never makes the runner throw or wait, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), text => void readSaid(place(text))),
      { numRuns: 50 },
    );
    expect(readSaid(join(folder, 'not-there')).claim).toEqual({ type: 'none' });
    const linked = mkdtempSync(join(folder, 'linked-'));
    symlinkSync('/dev/zero', join(linked, 'said.jsonl'));
    expect(readSaid(linked).claim).toEqual({ type: 'none' });
    expect(readFileSync(join(folder, 'context.json'), 'utf8')).not.toBe('');
  });
});
