/**
 * Why a Claude Code run failed. A model may write any sentence about limits and errors, so words count only where
 * Claude Code itself wrote them: in the result of a run that failed.
 */
import type { AgentFailure, ProcessEnd } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { CLASSES, classOfWords, structuredClass } from './claude-error-class.ts';
import { type ClaudeTrouble, epoch } from './claude-trouble.ts';
import { classOfStatus, cutOff, failureOfEnd, type StreamState } from './failures.ts';
import { amountAt, type Json, recordAt, textAt } from './json-lines.ts';
import { resetTimeIn } from './reset-time.ts';

export interface ClaudeEnd {
  readonly end: ProcessEnd;
  readonly result: Json | undefined;
  readonly trouble: ClaudeTrouble;
  readonly stream: StreamState;
  readonly now: number;
}

export function claudeFailure({ end, result, trouble, stream, now }: ClaudeEnd): AgentFailure | undefined {
  const exit = failureOfEnd(end, stream);
  if (end.reason === 'not-started' || end.reason === 'stopped') return exit;
  if (exit?.class === 'timeout') return trouble.retry ? stuckRetrying(exit.message, trouble.retry) : exit;
  // Ended by the runner, because no retry could help.
  if (trouble.hopeless && !result) return stuckRetrying('the agent was ended', trouble.hopeless);
  const failed = result !== undefined && (result.is_error === true || textAt(result, 'subtype').startsWith('error'));
  // A stream that broke off after an API error of its own has no result to say so.
  const broken = result === undefined && exit !== undefined && trouble.event !== undefined;
  if (!failed && !broken) return exit ?? (result ? unasked(result, stream) : cutOff(stream));
  const words = textAt(result, 'result') || spoken(trouble.event);
  const message = oneLine(words || errorsOf(result) || exit?.message || 'the agent reported an error', 500);
  const ranOut = textAt(result, 'subtype').startsWith('error');
  const found = ranOut ? 'logic' : (structuredClass(result, trouble) ?? classOfWords(words) ?? 'logic');
  if (found === 'rate-limit') {
    const resetAt = trouble.resetAt ?? resetOfEvent(trouble.event) ?? resetOfWords(words, now);
    return { class: found, message, ...(resetAt ? { resetAt } : {}) };
  }
  // What a first request is refused for, the next process is refused for too; later it was the conversation.
  return { class: found === 'validation' && trouble.worked ? 'logic' : found, message };
}

/** A brief that begins like a command of its own is answered by the program itself, as a success, for nothing. */
function unasked(result: Json, { answered }: StreamState): AgentFailure | undefined {
  const words = textAt(result, 'result');
  if (answered || !/^Unknown (slash )?command\b/i.test(words)) return undefined;
  return { class: 'logic', message: `no model was asked: ${oneLine(words, 300)}`, unanswered: true };
}

function stuckRetrying(how: string, retry: Json): AgentFailure {
  const status = amountAt(retry, 'error_status');
  const found = classOfStatus(status) ?? CLASSES.get(textAt(retry, 'error')) ?? 'network';
  const what = [status || 'no answer', textAt(retry, 'error')].filter(Boolean).join(' ');
  return { class: found, message: `${how} while it was retrying (${what})` };
}

function resetOfEvent(event: Json | undefined): number | undefined {
  return epoch(amountAt(recordAt(recordAt(event, 'api_error_params'), 'rate_limit_info'), 'resetsAt'));
}

function resetOfWords(words: string, now: number): number | undefined {
  const stamped = /\|(\d{10,13})\b/.exec(words.slice(0, 200));
  if (stamped) return epoch(Number(stamped[1]));
  return /\bresets\b/i.test(words) ? resetTimeIn(words, now) : undefined;
}

function spoken(event: Json | undefined): string {
  const content = recordAt(event, 'message')?.content;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string'
    ? first.text
    : '';
}

function errorsOf(result: Json | undefined): string {
  const errors = result?.errors;
  const said = Array.isArray(errors) ? errors.filter(error => typeof error === 'string').join('; ') : '';
  return [textAt(result, 'subtype').replaceAll('_', ' '), said].filter(Boolean).join(': ');
}
