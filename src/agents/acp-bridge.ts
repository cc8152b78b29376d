/**
 * The program between the runner and an agent that speaks the Agent Client Protocol:
 * `acp-bridge.cjs <wishes> <program> [arguments]`. The brief comes on standard input; everything the agent says goes out
 * as one JSON record per line. So the runner supervises one process that reads and prints, as it does with every agent.
 */
import { spawn } from 'node:child_process';
import { type AcpAnswer, acpConnection } from './acp-connection.ts';
import { permissionAnswer, type SessionCall, sessionCalls } from './acp-wishes.ts';
import { isRecord, type Json, recordAt, recordsOf, textAt } from './json-lines.ts';

/** Longest wait for the agent to be ready; how long the turn takes is the runner's to decide. */
const READY_MS = 180_000;
/** How long it may take to leave after its last word; some never do. */
const LEAVE_MS = 3_000;

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
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise<number>(resolve => {
    child.once('error', error => {
      process.stderr.write(`error: ${program} cannot be started: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 143 : 1)));
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
    // Without the name of its session an agent does not know what to end, and may go on asking the model until it is killed.
    if (sessionId !== '') connection.tell('session/cancel', { sessionId });
    child.kill('SIGTERM');
  });

  const onSession = (id: string) => {
    sessionId = id;
  };
  const ended = await converse({ ask, wanted, brief, onSession });
  if (ended !== undefined) return ended;
  child.stdin.end();
  await Promise.race([gone, after(LEAVE_MS)]);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  return 0;
}

interface Talk {
  readonly ask: (call: SessionCall, deadline?: number) => Promise<AcpAnswer | { readonly gone: number }>;
  readonly wanted: Json;
  readonly brief: string;
  readonly onSession: (id: string) => void;
}

/** The exit code where the agent left before it had answered, undefined where the turn came to an end. */
async function converse({ ask, wanted, brief, onSession }: Talk): Promise<number | undefined> {
  const hello = {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: 'ralph', version: '1' },
  };
  const first = await ask({ method: 'initialize', params: hello }, READY_MS);
  if ('gone' in first) return first.gone || 1;
  if ('error' in first) return undefined;
  const server = recordAt(wanted, 'mcp');
  const mcpServers = server ? [{ name: 'ralph', ...server, env: [] }] : [];
  const opened = await ask({ method: 'session/new', params: { cwd: process.cwd(), mcpServers } }, READY_MS);
  if ('gone' in opened) return opened.gone || 1;
  if ('error' in opened) return undefined;
  const session = isRecord(opened.result) ? opened.result : {};
  const sessionId = textAt(session, 'sessionId');
  onSession(sessionId);
  const calls = sessionCalls(session, { model: textAt(wanted, 'model'), effort: textAt(wanted, 'effort') });
  if ('error' in calls) {
    await print({ type: 'acp.answer', method: 'session/set_model', error: calls.error });
    return undefined;
  }
  for (const call of calls.calls) {
    const answer = await ask({ method: call.method, params: { sessionId, ...call.params } }, READY_MS);
    if ('gone' in answer) return answer.gone || 1;
    if ('error' in answer && call.needed) return undefined;
  }
  const prompt = [{ type: 'text', text: brief }];
  const answer = await ask({ method: 'session/prompt', params: { sessionId, prompt } });
  return 'gone' in answer ? answer.gone || 1 : undefined;
}

const after = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref());

async function tooLate(method: string, ms: number): Promise<AcpAnswer> {
  await after(ms);
  return { error: { code: -32_603, message: `no answer to ${method} within ${Math.round(ms / 1000)} s` } };
}

// Not a top-level await: the program is built as CommonJS, which has none.
void main().then(code => process.exit(code));
