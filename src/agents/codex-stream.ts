/** The stream of `codex exec --json`: events made into signals while it runs and into an outcome at its end. */
import type { AgentReader, AgentSignal, Clock, Usage } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { oneLine } from '../util/show.ts';
import { codexFailure } from './codex-failure.ts';
import { amountAt, type Json, recordAt, recordsAt, recordsOf, textAt } from './json-lines.ts';
import { endOfMessage } from './message.ts';
import { toolDetail } from './tool-detail.ts';
import { answerText, toolResult } from './tool-result.ts';
import { unknownEvents } from './unknown-events.ts';

/** Reads one run's stream; the clock only turns `try again at 8:55 PM` into a moment. */
export function codexReader(clock: Pick<Clock, 'now'>): AgentReader {
  let started = false;
  let finished = false;
  let ended = false;
  let worked = false;
  let message = '';
  let usage: Usage = noUsage;
  let failed: string | undefined;
  let complaint: string | undefined;
  let retry: string | undefined;
  const strange = unknownEvents(['thread.started', 'turn.started', 'item.updated']);

  function item(event: Json, begun: boolean): readonly AgentSignal[] {
    const it = recordAt(event, 'item');
    const type = textAt(it, 'type');
    // An item of type `error` is a warning: only `turn.failed` is a failure.
    if (type === '' || type === 'error' || type === 'reasoning') return [];
    worked = true;
    finished = false;
    retry = undefined;
    if (type === 'agent_message') {
      if (begun) return [];
      message = textAt(it, 'text');
      return message ? [{ type: 'text', text: message }] : [];
    }
    // What was said before a tool call was not the final message.
    if (begun && type !== 'todo_list') message = '';
    // Commands are told when they begin, because they take long; everything else when it is there.
    const early = type === 'command_execution' || type === 'mcp_tool_call';
    const id = textAt(it, 'id');
    const called = early === begun ? [toolCall(it, type)] : [];
    return begun ? called : [...called, ...itemResult(it, id)];
  }

  function read(event: Json): readonly AgentSignal[] {
    if (typeof event.type === 'string') started = true;
    switch (event.type) {
      case 'item.started':
        return item(event, true);
      case 'item.completed':
        return item(event, false);
      case 'turn.completed':
        usage = codexUsage(recordAt(event, 'usage')) ?? usage;
        failed = undefined;
        finished = true;
        ended = true;
        return [{ type: 'usage', usage }, { type: 'finished' }];
      case 'turn.failed':
        failed = textAt(recordAt(event, 'error'), 'message') || complaint || 'the turn failed';
        finished = true;
        ended = true;
        return [{ type: 'error', text: failed }, { type: 'finished' }];
      case 'error': {
        const text = textAt(event, 'message');
        if (!/^Reconnecting\b/.test(text)) complaint = text;
        else {
          retry = text;
          return [{ type: 'retrying', detail: oneLine(text, 200) }];
        }
        return [];
      }
      default:
        return strange.see(textAt(event, 'type'));
    }
  }

  return {
    line: line => recordsOf(line).flatMap(read),
    end: end => {
      const words = { failed, complaint, retry };
      const stream = { started, finished, answered: worked };
      const failure = codexFailure({ end, words, worked, stream, ended, now: clock.now() });
      const outcome = { message: endOfMessage(message), usage, costUsd: 0 };
      return { ...outcome, ...(failure ? { failure } : {}), ...strange.counts() };
    },
  };
}

/** Codex counts cached input as input; here the two are apart, as with every other agent. The numbers are totals. */
function codexUsage(usage: Json | undefined): Usage | undefined {
  if (!usage) return undefined;
  const cachedTokens = amountAt(usage, 'cached_input_tokens');
  const inputTokens = Math.max(0, amountAt(usage, 'input_tokens') - cachedTokens);
  return { inputTokens, outputTokens: amountAt(usage, 'output_tokens'), cachedTokens };
}

/** What it does, by the item that says so. */
function toolCall(item: Json | undefined, type: string): AgentSignal {
  const id = textAt(item, 'id');
  return { type: 'tool', name: toolName(item, type), detail: itemDetail(item), ...(id ? { id } : {}) };
}

/** What came of a call; nothing where there is nothing to say. */
function itemResult(item: Json | undefined, id: string): readonly AgentSignal[] {
  const exit = item?.exit_code;
  const failed = textAt(item, 'status') === 'failed' || (typeof exit === 'number' && exit !== 0);
  const error = textAt(recordAt(item, 'error'), 'message');
  const text =
    textAt(item, 'aggregated_output') ||
    error ||
    answerText(recordAt(item, 'result')?.content) ||
    (failed ? 'failed' : '');
  if (text === '') return [];
  const code = failed && typeof exit === 'number' ? `exit code ${exit}\n` : '';
  return [toolResult({ text: code + text, failed, id })];
}

/** Commands are wrapped in a shell's call; what was meant is what is in it. */
const unwrapped = (command: string): string => /^\S*sh -l?c '([^']+)'$/.exec(command)?.[1] ?? command;

function toolName(item: Json | undefined, type: string): string {
  switch (type) {
    case 'command_execution':
      return 'Bash';
    case 'file_change':
      return 'Edit';
    case 'web_search':
      return 'WebSearch';
    case 'mcp_tool_call':
      return [textAt(item, 'server'), textAt(item, 'tool')].filter(Boolean).join('.') || type;
    default:
      return type;
  }
}

function itemDetail(item: Json | undefined): string {
  const files = recordsAt(item, 'changes').map(change => textAt(change, 'path'));
  if (files.length > 0) return oneLine(files.slice(0, 20).join(', '), 200);
  const command = textAt(item, 'command');
  if (command) return oneLine(unwrapped(command.slice(0, 1000)), 200);
  const { id: _, type: __, status: ___, ...rest } = item ?? {};
  return toolDetail(recordAt(item, 'arguments') ?? rest);
}
