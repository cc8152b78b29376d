#!/usr/bin/env node
/**
 * A small agent that speaks the Agent Client Protocol. `ACP_DOES` selects its behaviour: work (asks for permission, writes
 * a file, claims), error (answers the prompt with 429), words (an error as text, no tokens), silent, stubborn (silent, and ends
 * its turn only on a cancel by the protocol), stays (does not exit when its input ends), early (exits before it answers),
 * grumbles (retries again and again, which only its log shows).
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// The second process for the same item does its work, like a provider that has recovered.
const does = process.env.RALPH_TRY === '1' ? (process.env.ACP_DOES ?? 'work') : 'work';
const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = change => send({ method: 'session/update', params: { sessionId: 's', update: change } });
const say = text => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

if (does === 'early') {
  process.stderr.write('error: no such thing as --acp here\n');
  process.exit(2);
}

if (does === 'stubborn') process.on('SIGTERM', () => {});
let asked;

const handlers = {
  'session/cancel': ({ params }) => {
    if (params.sessionId === 's' && asked !== undefined) send({ id: asked, result: { stopReason: 'cancelled' } });
  },
  initialize: ({ id }) => send({ id, result: { protocolVersion: 1, agentInfo: { name: 'small', version: '1' } } }),
  'session/new': ({ id }) => {
    process.stdout.write('a line for people\n');
    const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask' }, { id: 'yolo' }] };
    const models = { currentModelId: 'small-1', availableModels: [{ modelId: 'small-1', name: 'Small' }] };
    send({ id, result: { sessionId: 's', modes, models } });
  },
  'session/set_mode': ({ id }) => send({ id, result: {} }),
  'session/set_model': ({ id }) => send({ id, result: {} }),
  'session/prompt': ({ id, params }) => {
    if (does === 'silent') return;
    if (does === 'grumbles') {
      setInterval(() => process.stderr.write('level=ERROR error="APIError: Too many requests"\n'), 50);
      return;
    }
    if (does === 'stubborn') {
      asked = id;
      return;
    }
    if (does === 'error') return send({ id, error: { code: 429, message: 'Too many requests' } });
    if (does === 'words') {
      say('Error: 429 Too many requests');
      return send({ id, result: { stopReason: 'end_turn' } });
    }
    handlers.permitted = () => finish(id, params.prompt[0].text);
    update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'write', kind: 'edit', status: 'in_progress' });
    const options = [{ optionId: 'yes', kind: 'allow_once', name: 'Yes' }];
    send({ id: 'q1', method: 'session/request_permission', params: { sessionId: 's', toolCall: {}, options } });
  },
};

function finish(id, brief) {
  writeFileSync('made.txt', 'made\n');
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', content: [] });
  const item = /RALPH_TASK_COMPLETE: (\S+)/.exec(brief)?.[1] ?? process.env.RALPH_ITEM;
  for (const piece of ['All ', 'done.\n\n', `RALPH_TASK_COMPLETE: ${item}`]) say(piece);
  const usage = { inputTokens: 100, outputTokens: 20, cachedReadTokens: 10, totalTokens: 130 };
  send({ id, result: { stopReason: 'end_turn', usage } });
}

createInterface({ input: process.stdin })
  .on('line', line => {
    const message = JSON.parse(line);
    if (message.method) handlers[message.method]?.(message);
    else if (message.id === 'q1' && message.result?.outcome?.optionId === 'yes') handlers.permitted();
  })
  .on('close', () => {
    if (does !== 'stays') process.exit(0);
    setInterval(() => {}, 1000);
  });
