/** The stream of `codex exec --json`: events made into signals while it runs and into an outcome at its end. */
import type { AgentReader, AgentSignal, Clock, Usage } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { oneLine } from '../util/show.ts';
import { codexFailure } from './codex-failure.ts';
import { itemResult, toolCall } from './codex-items.ts';
import { amountAt, type Json, recordAt, recordsOf, textAt } from './json-lines.ts';
import { endOfMessage } from './message.ts';
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
