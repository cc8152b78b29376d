/**
 * Any agent that speaks the Agent Client Protocol. The protocol needs both ends of a pipe, so a small program of our own
 * (`acp-bridge.ts`) holds the conversation and prints what it hears, a record per line; this reads those lines.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Agent, AgentOptions, AgentReader, AgentSignal, Usage } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { acpFailure } from './acp-failure.ts';
import { acpAgents, plainAcp, type Quirks } from './acp-quirks.ts';
import { acpUsage } from './acp-usage.ts';
import { effortWord } from './effort.ts';
import { amountAt, type Json, recordAt, recordsOf, textAt } from './json-lines.ts';
import { endOfMessage, MESSAGE_LIMIT } from './message.ts';
import { toolDetail } from './tool-detail.ts';
import { toolResult } from './tool-result.ts';
import { unknownEvents } from './unknown-events.ts';

/** Gemini, OpenCode, Copilot, Qwen, and `acp` for any other. */
export const acp: readonly Agent[] = [...acpAgents, plainAcp].map(quirks => ({
  name: quirks.name,
  abilities: { stream: 'events', model: true, ...quirks.abilities },
  command: options => acpCommand(quirks, options),
  read: () => acpReader(quirks),
}));

function acpCommand(
  { argv, env: own, modelFlag, abilities }: Omit<Quirks, 'argv'> & Partial<Pick<Quirks, 'argv'>>,
  { acp: words = argv ?? [''], model, effort, args, env }: AgentOptions,
): ReturnType<Agent['command']> {
  const byFlag = model && modelFlag ? [modelFlag, model] : [];
  const level = effortWord(effort, abilities.efforts.length > 0 ? abilities.efforts : [effort ?? '']);
  const wishes = { ...(model && !modelFlag ? { model } : {}), ...(level ? { effort: level } : {}) };
  return {
    argv: [process.execPath, bridgePath(), JSON.stringify(wishes), ...words, ...byFlag, ...args],
    env: { ...own, ...env },
    program: words[0] ?? '',
  };
}

/** Among the chunks of the running bundle, or in the build folder when this runs from its sources. */
function bridgePath(): string {
  const places = ['./acp-bridge.cjs', './cli/acp-bridge.cjs', '../../dist/cli/acp-bridge.cjs'];
  const paths = places.map(place => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find(path => existsSync(path)) ?? paths.at(-1) ?? '';
}

/** Known, and nothing to tell. */
const QUIET = [
  'acp.permission',
  'agent_thought_chunk',
  'user_message_chunk',
  'plan',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
];

/** Longer messages are cut to what is kept of them anyway. */
const LONGEST = 4 * MESSAGE_LIMIT;

/** Reads what the bridge printed of one turn. */
function acpReader(quirks: Omit<Quirks, 'argv'>): AgentReader {
  let started = false;
  let answer: Json | undefined;
  let refused: Json | undefined;
  let tools = 0;
  let model = '';
  let usage: Usage = noUsage;
  let costUsd = 0;
  let message = '';
  let shown = 0;
  let systemError = false;
  const titles = new Map<string, string>();
  const strange = unknownEvents(QUIET);

  /** A message comes in small pieces; it is told in whole lines. */
  function flush(whole: boolean): readonly AgentSignal[] {
    const end = whole ? message.length : message.lastIndexOf('\n') + 1;
    const text = message.slice(shown, end).trim();
    shown = Math.max(shown, end);
    return text ? [{ type: 'text', text }] : [];
  }

  function toolCall(update: Json): readonly AgentSignal[] {
    const id = textAt(update, 'toolCallId');
    const signals = [...flush(true)];
    const status = textAt(update, 'status');
    const known = titles.get(id);
    const detail = toolDetail(recordAt(update, 'rawInput')) || textAt(update, 'title');
    // Some tell the call first and what it is about with its next state: told once, when that is known or it is over.
    if (known === undefined || (known === '' && detail !== '')) {
      const begun = status === 'pending' && recordAt(update, 'rawInput')?.command === undefined && known === undefined;
      titles.set(id, begun ? '' : detail);
      if (!begun) {
        tools += 1;
        const name = textAt(recordAt(update, '_meta'), 'toolName') || textAt(update, 'kind') || 'tool';
        signals.push({ type: 'tool', name, detail: detail.slice(0, 200), ...(id ? { id } : {}) });
      }
      // What was said before a tool call was not the final message.
      message = '';
      shown = 0;
    }
    if (status !== 'completed' && status !== 'failed') return signals;
    titles.delete(id);
    return [...signals, toolResult({ text: contentText(update.content), failed: status === 'failed', id })];
  }

  function update(said: Json): readonly AgentSignal[] {
    const spent = acpUsage(quirks, { update: said, before: usage });
    const told: readonly AgentSignal[] = spent ? [{ type: 'usage', usage: spent }] : [];
    usage = spent ?? usage;
    switch (said.sessionUpdate) {
      case 'agent_message_chunk':
        message += textAt(recordAt(said, 'content'), 'text');
        if (message.length > LONGEST) {
          message = endOfMessage(message);
          shown = message.length;
        }
        return [...told, ...flush(false)];
      case 'tool_call':
      case 'tool_call_update':
        return [...told, ...toolCall(said)];
      case 'usage_update':
        costUsd = Math.max(costUsd, amountAt(recordAt(said, 'cost'), 'amount'));
        return costUsd > 0 ? [{ type: 'usage', usage, costUsd }] : told;
      case 'session_info_update':
        systemError ||= JSON.stringify(said).includes('"systemError"');
        return told;
      default:
        strange.see(textAt(said, 'sessionUpdate'));
        return told;
    }
  }

  function read(event: Json): readonly AgentSignal[] {
    if (textAt(event, 'type').startsWith('acp.')) started = true;
    if (event.type === 'acp.update') return update(recordAt(event, 'update') ?? {});
    if (event.type === 'acp.other') return strange.see(textAt(recordAt(event, 'record'), 'method'));
    if (event.type !== 'acp.answer') return strange.see(textAt(event, 'type'));
    const result = recordAt(event, 'result');
    const error = recordAt(event, 'error');
    if (error) {
      refused = { method: textAt(event, 'method'), ...error };
      return [{ type: 'error', text: textAt(error, 'message') }, { type: 'finished' }];
    }
    if (event.method === 'session/new') model = textAt(recordAt(result, 'models'), 'currentModelId');
    if (event.method !== 'session/prompt') return [];
    answer = result ?? {};
    usage = acpUsage(quirks, { answer, before: usage }) ?? usage;
    return [...flush(true), { type: 'usage', usage, ...(costUsd ? { costUsd } : {}) }, { type: 'finished' }];
  }

  return {
    line: line => recordsOf(line).flatMap(read),
    model: () => model || undefined,
    end: end => {
      const reached = tools > 0 || usage.outputTokens > 0;
      const failure = acpFailure({ end, answer, refused, message, reached, started, systemError, quirks });
      const said = endOfMessage(message);
      const named = model ? { model } : {};
      return { message: said, usage, costUsd, ...named, ...(failure ? { failure } : {}), ...strange.counts() };
    },
  };
}

/** The text of a tool's content blocks. */
function contentText(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map(block => textAt(recordAt(block as Json, 'content'), 'text'))
    .filter(Boolean)
    .join('\n');
}
