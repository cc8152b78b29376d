/** The Model Context Protocol over standard input and output: a JSON-RPC message per line, the little of it a server of tools needs. */

import { isRecord, parseJson } from '../util/json.ts';
import { VIEWS } from './context.ts';
import { callTool, type Desk, look, tools } from './tools.ts';

type Json = Readonly<Record<string, unknown>>;

/** The newest first; a client that wants another gets that one, and decides. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** A longer line is no message. */
const LONGEST = 4 * 1024 * 1024;
const [PARSE, INVALID, METHOD, PARAMS] = [-32_700, -32_600, -32_601, -32_602];
const SCHEME = 'ralph://';

type Served = Desk & { readonly version: string };
type Answer = { readonly result: Json } | { readonly error: { readonly code: number; readonly message: string } };

const given = (result: Json): Answer => ({ result });
const refused = (code: number, message: string): Answer => ({ error: { code, message } });

/** Answers until the other end closes. */
export async function serveMcp(
  desk: Served,
  { input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): Promise<void> {
  const send = (message: Json) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let held = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    held += chunk as string;
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const answer = answerTo(desk, held.slice(0, end));
      held = held.slice(end + 1);
      if (answer) send(answer);
    }
    if (held.length > LONGEST) {
      held = '';
      send({ id: null, error: { code: PARSE, message: 'the message is too long' } });
    }
  }
}

/** Undefined for what wants no answer. Never throws. */
function answerTo(desk: Served, line: string): Json | undefined {
  if (line.trim() === '') return undefined;
  const message = parseJson(line);
  if (message === undefined) return { id: null, error: { code: PARSE, message: 'not JSON' } };
  if (!isRecord(message)) return { id: null, error: { code: INVALID, message: 'not a JSON-RPC message' } };
  const { id, method } = message;
  // Notifications, and answers to nothing that was asked.
  if (typeof method !== 'string' || id === undefined || id === null) return undefined;
  return { id, ...answerOf(desk, method, recordOf(message.params)) };
}

function answerOf(desk: Served, method: string, params: Json): Answer {
  switch (method) {
    case 'initialize':
      return given({
        protocolVersion: VERSIONS.find(version => version === params.protocolVersion) ?? VERSIONS[0],
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'ralph', version: desk.version },
        instructions:
          'Look up your item, and say how it ended. What you say is a claim: the runner checks the tree itself when you stop.',
      });
    case 'ping':
      return given({});
    case 'tools/list':
      return given({ tools });
    case 'tools/call': {
      const told = callTool(desk, String(params.name), recordOf(params.arguments));
      if (!told) return refused(PARAMS, `there is no tool named ${String(params.name)}`);
      return given({ content: [{ type: 'text', text: told.text }], ...(told.isError ? { isError: true } : {}) });
    }
    case 'resources/list':
      return given({ resources });
    case 'resources/templates/list':
      return given({ resourceTemplates: [] });
    case 'resources/read': {
      const uri = String(params.uri);
      const told = look(desk, uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : '');
      if (told.isError) return refused(PARAMS, `${uri} cannot be read: ${told.text}`);
      return given({ contents: [{ uri, mimeType: 'text/markdown', text: told.text }] });
    }
    default:
      return refused(METHOD, `${method} is not offered here`);
  }
}

const resources = Object.entries(VIEWS).map(([name, { about }]) => ({
  uri: SCHEME + name,
  name,
  description: about,
  mimeType: 'text/markdown',
}));

const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});
