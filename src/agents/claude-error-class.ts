/** Which class of failure a Claude Code error is: from its codes, else from the words that Claude Code itself wrote. */
import type { FailureClass } from '../protocol.ts';
import type { ClaudeTrouble } from './claude-trouble.ts';
import { classOfStatus } from './failures.ts';
import { amountAt, type Json, textAt } from './json-lines.ts';

/** Claude Code's and the API's own names for what went wrong. */
export const CLASSES: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
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
export function structuredClass(result: Json | undefined, trouble: ClaudeTrouble): FailureClass | undefined {
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
export function classOfWords(words: string): FailureClass | undefined {
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
