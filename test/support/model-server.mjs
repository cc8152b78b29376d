/**
 * A scripted model on loopback that speaks the Anthropic Messages, OpenAI Responses, OpenAI Chat and Gemini protocols,
 * streamed. The tool results in a request decide which turn is next, so that retries shift nothing.
 */
import { createServer } from 'node:http';

const SHELL_TOOL = /^(bash|shell|shell_command|exec_command|local_shell|run_shell_command)$/i;
const TOKENS = { input: 1200, cached: 300, output: 45 };
let serial = 0;
const nextId = kind => `${kind}_${++serial}`;

/**
 * `script` may be replaced while it runs: `{turns: [{shell: 'ls'}, {say: 'Done.'}], fail: {status, headers, body}, hang}`.
 * `needsKey` refuses a key that does not end in `dummy`. `turns` may be a function of the brief in the request.
 * Returns `{url, requests, calls(), set(script), close()}`.
 */
export async function startModel(script) {
  let current = script;
  const requests = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const dialect = dialectOf(request.url ?? '');
      const body = parsed(Buffer.concat(chunks).toString());
      if (!dialect) return sendJson(response, 200, { data: [], models: [], input_tokens: 1, totalTokens: 1 });
      requests.push({ url: request.url, body });
      if (current.needsKey && !hasKey(request.headers)) return sendJson(response, 401, dialect.error(401));
      answer({ dialect, body, response, url: request.url ?? '', script: current });
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** Requests of the conversation itself: titles and probes come without tools. */
    calls: () => requests.filter(({ body }) => toolsIn(body).length > 0).length,
    set: next => {
      current = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer({ dialect, body, response, url, script }) {
  const tools = toolsIn(body);
  const results = resultsIn(body);
  const { fail, hang } = script;
  const turns = typeof script.turns === 'function' ? script.turns(briefIn(body)) : script.turns;
  if (fail && results >= (fail.after ?? 0)) {
    const given = typeof fail.headers === 'function' ? fail.headers() : fail.headers;
    const refusal = typeof fail.body === 'function' ? fail.body() : fail.body;
    return sendJson(response, fail.status, refusal ?? dialect.error(fail.status), given);
  }
  if (hang) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.write(': nothing follows\n\n');
  }
  // Titles, summaries and probes come without tools.
  const turn = tools.length === 0 ? { say: 'A title' } : turns[Math.min(results, turns.length - 1)];
  const call = turn.shell === undefined ? toolCall(tools, turn.tool) : shellCall(tools, turn.shell);
  const message = {
    call,
    text: call ? undefined : (turn.say ?? 'there is no such tool'),
    model: body.model ?? 'scripted',
  };
  const streamed = body.stream === true || /stream/i.test(url);
  if (!streamed) return sendJson(response, 200, dialect.whole(message));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of dialect.events(message)) {
    const name = event.type && dialect.named ? `event: ${event.type}\n` : '';
    response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

const hasKey = headers =>
  ['x-api-key', 'x-goog-api-key', 'authorization'].some(name => headers[name]?.endsWith('dummy'));

const parsed = text => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

function sendJson(response, status, value, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

function toolsIn({ tools = [] }) {
  const flat = tools.flatMap(
    tool =>
      tool.functionDeclarations ??
      (tool.type === 'namespace' ? (tool.tools ?? []).map(each => ({ ...each, namespace: tool.name })) : [tool]),
  );
  return flat.map(tool => {
    const described = tool.function ?? tool;
    const schema = described.input_schema ?? described.parameters ?? described.parametersJsonSchema ?? {};
    return { name: described.name ?? described.type ?? '', namespace: tool.namespace, schema };
  });
}

function resultsIn({ messages = [], input = [], contents = [] }) {
  const inMessages = messages.reduce(
    (sum, { role, content }) =>
      sum +
      (role === 'tool' ? 1 : Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result').length : 0),
    0,
  );
  const inInput = Array.isArray(input) ? input.filter(({ type }) => String(type).endsWith('_call_output')).length : 0;
  const inContents = contents.flatMap(({ parts = [] }) => parts).filter(part => part.functionResponse).length;
  return inMessages + inInput + inContents;
}

/** The prompt in a request, wherever the protocol puts it. */
function briefIn(value) {
  if (typeof value === 'string') return value.includes('## How to finish') ? value : '';
  if (typeof value !== 'object' || value === null) return '';
  for (const each of Object.values(value)) {
    const found = briefIn(each);
    if (found !== '') return found;
  }
  return '';
}

/** A call of the client's shell tool, with all required arguments. */
function shellCall(tools, command) {
  const tool = tools.find(({ name }) => SHELL_TOOL.test(name));
  if (!tool) return undefined;
  const properties = tool.schema.properties ?? {};
  const key = 'command' in properties ? 'command' : 'cmd' in properties ? 'cmd' : 'command';
  const input = { [key]: properties[key]?.type === 'array' ? ['bash', '-c', command] : command };
  for (const name of tool.schema.required ?? []) input[name] ??= filler(properties[name]);
  return { name: tool.name, input };
}

/** A call of the first tool with a matching name. */
function toolCall(tools, wanted) {
  const tool = wanted && tools.find(({ namespace = '', name }) => wanted.name.test(`${namespace} ${name}`));
  return tool && { name: tool.name, namespace: tool.namespace, input: wanted.input ?? {} };
}

const filler = ({ type, enum: words } = {}) =>
  words?.[0] ?? (type === 'boolean' ? false : type === 'number' || type === 'integer' ? 30 : 'scripted');

const WORDS = { 401: 'invalid x-api-key', 404: 'model: not found', 429: 'Too many requests', 529: 'Overloaded' };
const KINDS = { 401: 'authentication_error', 404: 'not_found_error', 429: 'rate_limit_error', 529: 'overloaded_error' };
const wordsFor = status => WORDS[status] ?? 'Internal error';
const anthropicError = status => ({
  type: 'error',
  error: { type: KINDS[status] ?? 'api_error', message: wordsFor(status) },
});
const openaiError = status => ({
  error: { message: wordsFor(status), type: KINDS[status] ?? 'server_error', code: null },
});
const geminiError = status => ({ error: { code: status, message: wordsFor(status), status: 'INTERNAL' } });

const DIALECTS = [
  { path: /\/messages(\?|$)/, named: true, events: anthropicEvents, whole: anthropicWhole, error: anthropicError },
  { path: /\/responses(\?|$)/, named: true, events: responsesEvents, whole: responsesWhole, error: openaiError },
  { path: /\/chat\/completions(\?|$)/, named: false, events: chatEvents, whole: chatWhole, error: openaiError },
  {
    path: /:(streamGenerateContent|generateContent)(\?|$)/,
    named: false,
    events: m => [geminiWhole(m)],
    whole: geminiWhole,
    error: geminiError,
  },
];
const dialectOf = url => (/count_?tokens/i.test(url) ? undefined : DIALECTS.find(({ path }) => path.test(url)));

const anthropicUsage = () => ({
  input_tokens: TOKENS.input - TOKENS.cached,
  cache_read_input_tokens: TOKENS.cached,
  cache_creation_input_tokens: 0,
  output_tokens: TOKENS.output,
});

function anthropicWhole({ call, text, model }) {
  const content = call
    ? [{ type: 'tool_use', id: nextId('toolu'), name: call.name, input: call.input }]
    : [{ type: 'text', text }];
  const stop_reason = call ? 'tool_use' : 'end_turn';
  return {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason,
    stop_sequence: null,
    usage: anthropicUsage(),
  };
}

function anthropicEvents(message) {
  const whole = anthropicWhole(message);
  const [block] = whole.content;
  const begun = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  return [
    { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: begun },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage: whole.usage },
    { type: 'message_stop' },
  ];
}

function responsesWhole({ call, text, model }) {
  const item = call
    ? {
        type: 'function_call',
        id: nextId('fc'),
        call_id: nextId('call'),
        name: call.name,
        // JSON leaves it out if it is undefined.
        namespace: call.namespace,
        arguments: JSON.stringify(call.input),
        status: 'completed',
      }
    : {
        type: 'message',
        id: nextId('msg'),
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
  const usage = {
    input_tokens: TOKENS.input,
    input_tokens_details: { cached_tokens: TOKENS.cached },
    output_tokens: TOKENS.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: TOKENS.input + TOKENS.output,
  };
  return {
    id: nextId('resp'),
    object: 'response',
    created_at: 1,
    status: 'completed',
    model,
    output: [item],
    usage,
    error: null,
  };
}

function responsesEvents(message) {
  const whole = responsesWhole(message);
  const [item] = whole.output;
  return [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

const chatUsage = () => ({
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
  prompt_tokens_details: { cached_tokens: TOKENS.cached },
});
const chatCall = call => [
  {
    index: 0,
    id: nextId('call'),
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  },
];

function chatWhole({ call, text, model }) {
  const message = { role: 'assistant', content: text ?? null, ...(call ? { tool_calls: chatCall(call) } : {}) };
  const choices = [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }];
  return { id: nextId('chat'), object: 'chat.completion', created: 1, model, choices, usage: chatUsage() };
}

function chatEvents({ call, text, model }) {
  const head = { id: nextId('chat'), object: 'chat.completion.chunk', created: 1, model };
  const delta = { role: 'assistant', content: text ?? null, ...(call ? { tool_calls: chatCall(call) } : {}) };
  return [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }] },
    { ...head, choices: [], usage: chatUsage() },
    '[DONE]',
  ];
}

function geminiWhole({ call, text, model }) {
  const parts = call ? [{ functionCall: { name: call.name, args: call.input } }] : [{ text }];
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: TOKENS.input,
      cachedContentTokenCount: TOKENS.cached,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.input + TOKENS.output,
    },
    modelVersion: model,
  };
}
