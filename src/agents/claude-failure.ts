/**
 * Why a Claude Code run failed. A model may write any sentence about limits and errors, so words count only where
 * Claude Code itself wrote them: in the result of a run that failed.
 */
import type { AgentFailure, FailureClass, ProcessEnd } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { classOfStatus, cutOff, failureOfEnd, type StreamState } from './failures.ts';
import { amountAt, type Json, recordAt, textAt } from './json-lines.ts';
import { resetTimeIn } from './reset-time.ts';

/** What the stream said about trouble so far. */
export interface ClaudeTrouble {
  /** The model answered at least once. */
  readonly worked: boolean;
  /** The last assistant event that stands for an API error. */
  readonly event?: Json;
  /** The retry that was going on when the stream ended. */
  readonly retry?: Json;
  /** A retry that cannot help: the key was refused. */
  readonly hopeless?: Json;
  /** A usage limit was reported as reached, and not lifted since. */
  readonly limited: boolean;
  /** When that limit ends, in epoch milliseconds. */
  readonly resetAt?: number;
}

export const noTrouble: ClaudeTrouble = { worked: false, limited: false };

/** Claude Code words an API error as a message of its own making; any other message means that the API works. */
export function afterAnswer(trouble: ClaudeTrouble, event: Json): ClaudeTrouble {
  const { event: _, retry: __, hopeless: ___, ...rest } = trouble;
  const own = textAt(recordAt(event, 'message'), 'model') === '<synthetic>';
  return own || textAt(event, 'error') ? { ...rest, event } : { ...rest, worked: true };
}

/** Where Claude Code has its key from, if it can renew it: a login, or a program that prints one. */
const RENEWED = /none|login|oauth|helper/i;

/** A login is renewed on the first refusal, a key in the environment never is. */
export function withRetry(trouble: ClaudeTrouble, event: Json, keySource: string): ClaudeTrouble {
  const refused = classOfStatus(amountAt(event, 'error_status')) === 'auth';
  const final = refused && (!RENEWED.test(keySource) || amountAt(event, 'attempt') >= 2);
  return { ...trouble, retry: event, ...(final ? { hopeless: event } : {}) };
}

/** `rate_limit_event` also comes with healthy runs: only its status says that a limit was reached. */
export function withRateLimit(trouble: ClaudeTrouble, info: Json | undefined): ClaudeTrouble {
  const { resetAt: _, ...rest } = trouble;
  if (textAt(info, 'status') !== 'rejected') return { ...rest, limited: false };
  const resetAt = epoch(amountAt(info, 'resetsAt'));
  return { ...rest, limited: true, ...(resetAt ? { resetAt } : {}) };
}

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

/** Claude Code's and the API's own names for what went wrong. */
const CLASSES: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
  ['authentication_failed', 'auth'],
  ['authentication_error', 'auth'],
  ['permission_error', 'auth'],
  ['oauth_org_not_allowed', 'auth'],
  ['billing_error', 'auth'],
  ['rate_limit', 'rate-limit'],
  ['rate_limit_error', 'rate-limit'],
  ['overloaded', 'overload'],
  ['overloaded_error', 'overload'],
  ['server_error', 'overload'],
  ['api_error', 'overload'],
  ['timeout_error', 'network'],
  ['invalid_request', 'validation'],
  ['invalid_request_error', 'validation'],
  ['model_not_found', 'validation'],
  ['not_found_error', 'validation'],
  ['request_too_large', 'validation'],
  ['max_output_tokens', 'logic'],
]);

/** Statuses and codes first: the sentence around them changes with every version. */
function structuredClass(result: Json | undefined, trouble: ClaudeTrouble): FailureClass | undefined {
  const status = amountAt(result, 'api_error_status') || amountAt(trouble.event, 'api_error_status');
  if (trouble.limited && (status === 0 || status === 429)) return 'rate-limit';
  if (textAt(result, 'terminal_reason') === 'prompt_too_long') return 'logic';
  for (const source of [result, trouble.event]) {
    // Money is missing, not time: Anthropic answers 400 to that.
    if (textAt(source, 'error') === 'billing_error' || textAt(source, 'api_error_type') === 'billing_error')
      return 'auth';
  }
  for (const source of [result, trouble.event]) {
    const found = classOfStatus(amountAt(source, 'api_error_status')) ?? CLASSES.get(textAt(source, 'api_error_type'));
    // 400 is also how too little credit is answered; Claude Code's own sentence tells the two apart.
    if (found && found !== 'validation') return found;
    if (found) return classOfWords(textAt(result, 'result')) ?? found;
  }
  return CLASSES.get(textAt(trouble.event, 'error'));
}

/** Versions before 2.1 say it in words only. Used on results that are errors, never on what a model wrote. */
function classOfWords(words: string): FailureClass | undefined {
  const text = words.slice(0, 2000);
  if (/^Claude AI usage limit reached/i.test(text)) return 'rate-limit';
  if (/\b(hit your|reached your) .{0,40}limit\b|\blimit reached\b|\blimiting requests\b/i.test(text))
    return 'rate-limit';
  if (/\b(API key|not logged in|\/login|OAuth token|credit balance)\b/i.test(text)) return 'auth';
  if (/^prompt is too long/i.test(text)) return 'logic';
  const status = /^API Error:?[^{]{0,40}?\b([45]\d\d)\b/i.exec(text);
  if (status) return classOfStatus(Number(status[1]));
  if (/\b(connection error|unable to connect|network|timed out|fetch failed|socket)\b/i.test(text)) return 'network';
  if (/\bE(CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH)\b/.test(text)) return 'network';
  return undefined;
}

function resetOfEvent(event: Json | undefined): number | undefined {
  return epoch(amountAt(recordAt(recordAt(event, 'api_error_params'), 'rate_limit_info'), 'resetsAt'));
}

function resetOfWords(words: string, now: number): number | undefined {
  const stamped = /\|(\d{10,13})\b/.exec(words.slice(0, 200));
  if (stamped) return epoch(Number(stamped[1]));
  return /\bresets\b/i.test(words) ? resetTimeIn(words, now) : undefined;
}

/** Seconds to milliseconds; undefined for 0 and for what is no date of our time. */
function epoch(value: number): number | undefined {
  const ms = value < 1e11 ? value * 1000 : value;
  return ms > 1e12 && ms < 1e13 ? ms : undefined;
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
