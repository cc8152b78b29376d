/** The stream of Claude Code: a JSON event per line, made into signals while it runs and into an outcome at its end. */
import type { AgentReader, AgentSignal, Clock, ProcessEnd, Usage } from '../protocol.ts';
import { addUsage, noUsage } from '../state.ts';
import { showDuration } from '../util/show.ts';
import { claudeFailure } from './claude-failure.ts';
import { afterAnswer, type ClaudeTrouble, noTrouble, withRateLimit, withRetry } from './claude-trouble.ts';
import { claudeUsage, streamedUsage } from './claude-usage.ts';
import { amountAt, type Json, recordAt, recordsAt, recordsOf, textAt } from './json-lines.ts';
import { endOfMessage } from './message.ts';
import { toolDetail } from './tool-detail.ts';
import { answerText, toolResult } from './tool-result.ts';
import { unknownEvents } from './unknown-events.ts';

/** Reads one run's stream; the clock only turns `resets 9pm` of old versions into a moment. */
export function claudeReader(clock: Pick<Clock, 'now'>): AgentReader {
  let started = false;
  let trouble: ClaudeTrouble = noTrouble;
  let result: Json | undefined;
  let usage: Usage = noUsage;
  // Until a result corrects it: a run that is cut off has used something, too.
  let soFar: Usage = noUsage;
  let streamed = streamedUsage();
  let text = '';
  let textId = '';
  let model = '';
  let keySource = '';
  let denied: readonly string[] = [];
  // A background task makes a run continue after its first result; what counts is the last one, if nothing followed it.
  let finished = false;
  const strange = unknownEvents(QUIET);

  function assistant(event: Json): readonly AgentSignal[] {
    const message = recordAt(event, 'message');
    const id = textAt(message, 'id');
    const signals: AgentSignal[] = [];
    const inner = event.parent_tool_use_id !== null && event.parent_tool_use_id !== undefined;
    const from = fromOf(event);
    trouble = afterAnswer(trouble, event);
    finished = false;
    const since = streamed(message);
    if (since) {
      soFar = addUsage(usage, since);
      signals.push({ type: 'usage', usage: soFar });
    }
    for (const block of recordsAt(message, 'content')) {
      if (block.type === 'tool_use') {
        const called = textAt(block, 'id');
        const detail = toolDetail(recordAt(block, 'input'));
        signals.push({ type: 'tool', name: textAt(block, 'name'), detail, ...(called ? { id: called } : {}), ...from });
        // What was said before a tool call was not the final message.
        if (!inner) text = '';
      } else if (block.type === 'text' && inner) {
        const said = textAt(block, 'text');
        if (said) signals.push({ type: 'text', text: said, ...from });
      } else if (block.type === 'text') {
        const said = textAt(block, 'text');
        // Each block of one message is an event of its own.
        text = id !== '' && id === textId && text !== '' ? `${text}\n${said}` : said;
        textId = id;
        if (said) signals.push({ type: 'text', text: said });
      }
    }
    return signals;
  }

  function finish(event: Json): readonly AgentSignal[] {
    usage = claudeUsage(event, usage);
    soFar = usage;
    streamed = streamedUsage();
    result = event;
    finished = true;
    const costUsd = amountAt(event, 'total_cost_usd');
    const words = event.is_error === true ? textAt(event, 'result') : '';
    const errors: readonly AgentSignal[] = words ? [{ type: 'error', text: words }] : [];
    denied = recordsAt(event, 'permission_denials').map(denial =>
      `${textAt(denial, 'tool_name')} ${toolDetail(recordAt(denial, 'tool_input'))}`.trim(),
    );
    const texts = denied.map(what => ({ type: 'text' as const, text: `permission denied: ${what}` }));
    return [...errors, ...texts, { type: 'usage', usage, ...(costUsd ? { costUsd } : {}) }, { type: 'finished' }];
  }

  function read(event: Json): readonly AgentSignal[] {
    if (typeof event.type === 'string') started = true;
    switch (event.type) {
      case 'assistant':
        return assistant(event);
      case 'user':
        return toolResults(event);
      case 'result':
        return finish(event);
      case 'rate_limit_event':
        trouble = withRateLimit(trouble, recordAt(event, 'rate_limit_info'));
        return [];
      case 'system':
        if (event.subtype === 'init') model = textAt(event, 'model') || model;
        if (event.subtype === 'init') keySource = textAt(event, 'apiKeySource');
        if (event.subtype !== 'api_retry') return strange.see(`system/${textAt(event, 'subtype')}`);
        trouble = withRetry(trouble, event, keySource);
        return [{ type: 'retrying', detail: retryDetail(event), ...(trouble.hopeless ? { hopeless: true } : {}) }];
      default:
        return strange.see(textAt(event, 'type'));
    }
  }

  return {
    line: line => recordsOf(line).flatMap(read),
    model: () => model || undefined,
    end: (end: ProcessEnd) => {
      const failure = claudeFailure({
        end,
        result,
        trouble,
        stream: { started, finished, answered: trouble.worked || soFar.outputTokens > 0 },
        now: clock.now(),
      });
      return {
        // Capped Stop hooks leave an empty result although the agent had its say.
        message: endOfMessage(textAt(result, 'result') || text),
        usage: soFar,
        costUsd: amountAt(result, 'total_cost_usd'),
        ...(model ? { model } : {}),
        ...(started ? { billing: keySource === '' || LOGIN.test(keySource) ? 'notional' : 'billed' } : {}),
        ...(failure ? { failure } : {}),
        ...(denied.length > 0 ? { denied } : {}),
        ...strange.counts(),
      };
    },
  };
}

/** A subscription: its figures are what the same work would have cost by the token. */
const LOGIN = /^(none|oauth|\/login managed key)$/i;

/** Known, and nothing to tell. */
const QUIET = [
  'stream_event',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'keep_alive',
  'control_request',
  'control_response',
  ...['init', 'status', 'compact_boundary', 'hook_started', 'hook_progress', 'hook_response'].map(
    subtype => `system/${subtype}`,
  ),
  ...['task_started', 'task_progress', 'task_updated', 'task_notification'].map(subtype => `system/${subtype}`),
];

/** The sub-agent that an event is of, by the call that started it. */
function fromOf(event: Json): { readonly from?: string } {
  const from = textAt(event, 'parent_tool_use_id');
  return from ? { from } : {};
}

function toolResults(event: Json): readonly AgentSignal[] {
  return recordsAt(recordAt(event, 'message'), 'content')
    .filter(block => block.type === 'tool_result')
    .map(block =>
      toolResult({
        text: answerText(block.content),
        failed: block.is_error === true,
        id: textAt(block, 'tool_use_id'),
        ...fromOf(event),
      }),
    );
}

function retryDetail(event: Json): string {
  const status = amountAt(event, 'error_status');
  const what = [status ? String(status) : '', textAt(event, 'error')].filter(Boolean).join(' ') || 'an API error';
  const wait = showDuration(amountAt(event, 'retry_delay_ms'));
  return `${what}, try ${amountAt(event, 'attempt')} of ${amountAt(event, 'max_retries')}, waiting ${wait}`;
}
