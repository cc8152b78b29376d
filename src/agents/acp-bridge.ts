/**
 * The program between the runner and an agent that speaks the Agent Client Protocol:
 * `acp-bridge.cjs <wishes> <program> [arguments]`. The brief comes on standard input; everything the agent says goes out
 * as one JSON record per line. So the runner supervises one process that reads and prints, as it does with every agent.
 */
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type AcpAnswer, acpConnection } from './acp-connection.ts';
import { converse } from './acp-conversation.ts';
import { permissionAnswer, type SessionCall } from './acp-session-options.ts';
import { type Json, recordAt, recordsOf } from './json-lines.ts';

/** How long it may take to leave after its last word; some never do. */
const LEAVE_MS = 3_000;
/** Of the log. */
const LONGEST_LINE = 2_000;

/** Resolves when the line is with the reader: an exit must not cut it off. */
function print(record: Json): Promise<void> {
  return new Promise(resolve => process.stdout.write(`${JSON.stringify(record)}\n`, () => resolve()));
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}

async function main(): Promise<number> {
  process.stdout.on('error', () => process.exit(1));
  const [wishes = '{}', program = '', ...args] = process.argv.slice(2);
  const [wanted = {}] = recordsOf(wishes);
  const brief = await readAll(process.stdin);
  const child = wanted.log
    ? spawn(program, args, { stdio: 'pipe' })
    : spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const heardOut = child.stderr ? passOn(child.stderr) : Promise.resolve();
  const gone = new Promise<number>(resolve => {
    child.once('error', error => {
      process.stderr.write(`error: ${program} cannot be started: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      // What it started may hold its log open.
      void Promise.race([heardOut, after(LEAVE_MS)]).then(() => resolve(code ?? (signal ? 143 : 1)));
    });
  });
  const connection = acpConnection({
    write: text => child.stdin.write(text),
    onUpdate: update => void print({ type: 'acp.update', update }),
    onRequest: request => {
      const answer = permissionAnswer(request);
      if (answer) void print({ type: 'acp.permission', params: recordAt(request, 'params') ?? {} });
      return answer;
    },
    onOther: record => void print({ type: 'acp.other', record }),
    // Words for people among the records.
    onText: line => process.stderr.write(`${line}\n`),
  });
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text: string) => connection.hear(text));
  const exit = gone.then(code => ({ gone: code }));

  async function ask(call: SessionCall, deadline?: number): Promise<AcpAnswer | { readonly gone: number }> {
    const late = deadline === undefined ? [] : [tooLate(call.method, deadline)];
    const answer = await Promise.race([connection.ask(call.method, call.params), exit, ...late]);
    if (!('gone' in answer)) await print({ type: 'acp.answer', method: call.method, ...answer });
    return answer;
  }

  let sessionId = '';
  process.once('SIGTERM', () => {
    // Without the name of its session an agent does not know what to end, and may keep asking the model until it is killed.
    if (sessionId !== '') connection.tell('session/cancel', { sessionId });
    child.kill('SIGTERM');
  });

  const onSession = (id: string) => {
    sessionId = id;
  };
  const ended = await converse({ ask, wanted, brief, onSession, print });
  if (ended !== undefined) return ended;
  child.stdin.end();
  await Promise.race([gone, after(LEAVE_MS)]);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  return 0;
}

/** Errors in its log are told among the records, in their order: what it does after one says that it is over. */
function passOn(log: Readable): Promise<void> {
  let held = '';
  log.pipe(process.stderr);
  log.setEncoding('utf8').on('data', (text: string) => {
    const lines = (held + text).split('\n');
    held = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines)
      if (/error/i.test(line)) void print({ type: 'acp.complaint', text: line.slice(0, LONGEST_LINE) });
  });
  return new Promise(resolve => log.once('close', resolve));
}

async function tooLate(method: string, ms: number): Promise<AcpAnswer> {
  await after(ms);
  return { error: { code: -32_603, message: `no answer to ${method} within ${Math.round(ms / 1000)} s` } };
}

const after = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref());

// Not a top-level await: the program is built as CommonJS, which has none.
void main().then(code => process.exit(code));
