/** What the bridge prints during one turn: records of the Agent Client Protocol, turned into signals and an outcome. */
import type { AgentReader, AgentSignal, Usage } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { acpFailure } from './acp-failure.ts';
import { acpComplaints } from './acp-log-errors.ts';
import type { Quirks } from './acp-quirks.ts';
import { acpWords } from './acp-text.ts';
import { acpTools } from './acp-tools.ts';
import { acpUsage } from './acp-usage.ts';
import { amountAt, type Json, recordAt, recordsOf, textAt } from './json-lines.ts';
import { endOfMessage } from './message.ts';
import { unknownEvents } from './unknown-events.ts';

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

/** Reads what the bridge printed of one turn. */
export function acpReader(quirks: Omit<Quirks, 'argv'>): AgentReader {
  let started = false;
  let answer: Json | undefined;
  let refused: Json | undefined;
  let model = '';
  let usage: Usage = noUsage;
  let costUsd = 0;
  let systemError = false;
  const complaints = acpComplaints();
  const words = acpWords();
  const tools = acpTools();
  const strange = unknownEvents(QUIET);

  function update(said: Json): readonly AgentSignal[] {
    if (/^(agent|tool)_/.test(textAt(said, 'sessionUpdate'))) complaints.over();
    const spent = acpUsage(quirks, { update: said, before: usage });
    const told: readonly AgentSignal[] = spent ? [{ type: 'usage', usage: spent }] : [];
    usage = spent ?? usage;
    switch (said.sessionUpdate) {
      case 'agent_message_chunk':
        return [...told, ...words.hear(textAt(recordAt(said, 'content'), 'text'))];
      case 'tool_call':
      case 'tool_call_update': {
        const { fresh, signals } = tools.see(said);
        const before = words.rest();
        if (fresh) words.forget();
        return [...told, ...before, ...signals];
      }
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
    // A line on standard error can be its help text: not a word of the protocol.
    if (textAt(event, 'type').startsWith('acp.') && event.type !== 'acp.complaint') started = true;
    if (event.type === 'acp.update') return update(recordAt(event, 'update') ?? {});
    if (event.type === 'acp.complaint') return complaints.hear(textAt(event, 'text'));
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
    return [...words.rest(), { type: 'usage', usage, ...(costUsd ? { costUsd } : {}) }, { type: 'finished' }];
  }

  return {
    line: line => recordsOf(line).flatMap(read),
    model: () => model || undefined,
    end: end => {
      const message = words.message();
      const reached = tools.called() || usage.outputTokens > 0;
      const failure = acpFailure({ end, answer, refused, message, reached, started, systemError, complaints, quirks });
      const said = endOfMessage(message);
      const named = model ? { model } : {};
      const denied = tools.denied().length > 0 ? { denied: tools.denied() } : {};
      return {
        message: said,
        usage,
        costUsd,
        ...named,
        ...(failure ? { failure } : {}),
        ...denied,
        ...strange.counts(),
      };
    },
  };
}
