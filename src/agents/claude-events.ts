/** Single events of Claude Code's stream, read without what came before them. */
import type { AgentSignal } from '../protocol.ts';
import { showDuration } from '../util/show.ts';
import { amountAt, type Json, recordAt, recordsAt, textAt } from './json-lines.ts';
import { answerText, toolResult } from './tool-result.ts';

/** Known, and nothing to tell. */
export const QUIET = [
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
export function fromOf(event: Json): { readonly from?: string } {
  const from = textAt(event, 'parent_tool_use_id');
  return from ? { from } : {};
}

export function toolResults(event: Json): readonly AgentSignal[] {
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

export function retryDetail(event: Json): string {
  const status = amountAt(event, 'error_status');
  const what = [status ? String(status) : '', textAt(event, 'error')].filter(Boolean).join(' ') || 'an API error';
  const wait = showDuration(amountAt(event, 'retry_delay_ms'));
  return `${what}, try ${amountAt(event, 'attempt')} of ${amountAt(event, 'max_retries')}, waiting ${wait}`;
}
