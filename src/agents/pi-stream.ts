/** The stream of pi: a JSON event per line. Its exit code is 0 whatever happens, so only its events say how it went. */
import type { AgentFailure, AgentReader, AgentSignal, ProcessEnd, Usage } from '../protocol.ts';
import { addUsage, noUsage } from '../state.ts';
import { oneLine } from '../util/show.ts';
import { classOfError, cutOff, failureOfEnd } from './failures.ts';
import { amountAt, type Json, recordAt, recordsAt, recordsOf, textAt } from './json-lines.ts';
import { endOfMessage } from './message.ts';
import { resetAfterIn } from './reset-time.ts';
import { toolDetail } from './tool-detail.ts';
import { answerText, toolResult } from './tool-result.ts';
import { unknownEvents } from './unknown-events.ts';

/** Known, and nothing to tell. */
const QUIET = [
  'session',
  'turn_start',
  'turn_end',
  'message_start',
  'message_update',
  'tool_execution_update',
  'auto_retry_end',
  'compaction_start',
  'compaction_end',
  'queue_update',
];

export function piReader(): AgentReader {
  let started = false;
  let ended = false;
  let worked = false;
  let message = '';
  let usage: Usage = noUsage;
  let costUsd = 0;
  let model = '';
  /** What the last answer failed with; an answer that succeeds clears it. */
  let error = '';
  let retrying = '';
  const strange = unknownEvents(QUIET);

  function answer(said: Json | undefined): readonly AgentSignal[] {
    if (textAt(said, 'role') !== 'assistant') return [];
    model = textAt(said, 'model') || model;
    const spent = recordAt(said, 'usage');
    usage = addUsage(usage, {
      inputTokens: amountAt(spent, 'input') + amountAt(spent, 'cacheWrite'),
      outputTokens: amountAt(spent, 'output'),
      cachedTokens: amountAt(spent, 'cacheRead'),
    });
    costUsd += amountAt(recordAt(spent, 'cost'), 'total');
    const failed = textAt(said, 'stopReason') === 'error' || textAt(said, 'stopReason') === 'aborted';
    error = failed ? textAt(said, 'errorMessage') || 'the model could not be asked' : '';
    if (failed) return [{ type: 'error', text: error }];
    worked = true;
    retrying = '';
    const texts = recordsAt(said, 'content').filter(part => part.type === 'text');
    const text = texts.map(part => textAt(part, 'text')).join('\n');
    // What was said before a tool call was not the final message.
    message = recordsAt(said, 'content').some(part => part.type === 'toolCall') ? '' : text;
    const words: readonly AgentSignal[] = text ? [{ type: 'text', text }] : [];
    return [...words, { type: 'usage', usage, ...(costUsd ? { costUsd } : {}) }];
  }

  function read(event: Json): readonly AgentSignal[] {
    if (typeof event.type === 'string') started = true;
    const id = textAt(event, 'toolCallId');
    const named = id ? { id } : {};
    switch (event.type) {
      case 'agent_start':
        ended = false;
        return [];
      case 'message_end':
        return answer(recordAt(event, 'message'));
      case 'tool_execution_start':
        return [
          { type: 'tool', name: textAt(event, 'toolName'), detail: toolDetail(recordAt(event, 'args')), ...named },
        ];
      case 'tool_execution_end':
        return [
          toolResult({
            text: answerText(recordAt(event, 'result')?.content),
            failed: event.isError === true,
            ...named,
          }),
        ];
      case 'auto_retry_start': {
        retrying = textAt(event, 'errorMessage') || 'an API error';
        const nth = `try ${amountAt(event, 'attempt')} of ${amountAt(event, 'maxAttempts')}`;
        const hopeless = classOfError(retrying) === 'auth' ? { hopeless: true as const } : {};
        return [{ type: 'retrying', detail: oneLine(`${retrying}, ${nth}`, 200), ...hopeless }];
      }
      case 'agent_end':
        // After an error it may try again by itself; it leaves at once where it does not.
        ended = true;
        return error === '' ? [{ type: 'finished' }] : [];
      default:
        return strange.see(textAt(event, 'type'));
    }
  }

  return {
    line: line => recordsOf(line).flatMap(read),
    model: () => model || undefined,
    end: end => {
      const failure = piFailure({ end, started, ended, worked, error, retrying, now: Date.now() });
      return {
        message: endOfMessage(message),
        usage,
        costUsd,
        ...(model ? { model } : {}),
        ...(failure ? { failure } : {}),
        ...strange.counts(),
      };
    },
  };
}

/** Why a session of pi failed: the error of its last answer, what it was trying again for, then how the process ended. */
interface PiEnd {
  readonly end: ProcessEnd;
  readonly started: boolean;
  /** It said that it was finished. */
  readonly ended: boolean;
  /** An answer succeeded. */
  readonly worked: boolean;
  /** What the last answer failed with. */
  readonly error: string;
  /** What it was trying again for. */
  readonly retrying: string;
  readonly now: number;
}

function piFailure({ end, started, ended, worked, error, retrying, now }: PiEnd): AgentFailure | undefined {
  const stream = { started, finished: ended && error === '', answered: worked };
  const exit = failureOfEnd(end, stream);
  const words = error || (exit?.class === 'timeout' ? retrying : '');
  if (end.reason === 'not-started' || end.reason === 'stopped' || words === '')
    return exit ?? (ended ? undefined : cutOff(stream));
  const found = classOfError(words) ?? (exit?.class === 'timeout' ? 'network' : 'logic');
  const resetAt = found === 'rate-limit' ? resetAfterIn(words, now) : undefined;
  return {
    class: found,
    message: oneLine(words, 500),
    ...(resetAt ? { resetAt } : {}),
    ...(found === 'logic' && !worked ? { unanswered: true } : {}),
  };
}
