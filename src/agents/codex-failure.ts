/** Why a Codex run failed: its own sentence in `turn.failed`, which no model writes, and the exit state. */
import type { AgentFailure, FailureClass, ProcessEnd } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { classOfStatus, cutOff, failureOfEnd, type StreamState } from './failures.ts';
import { resetTimeIn } from './reset-time.ts';

export interface CodexEnd {
  readonly end: ProcessEnd;
  readonly words: {
    /** Of the last turn, if it failed. */
    readonly failed: string | undefined;
    /** The last `error` event that was not about reconnecting. */
    readonly complaint: string | undefined;
    /** The reconnecting that was going on when the stream ended. */
    readonly retry: string | undefined;
  };
  /** The model answered at least once. */
  readonly worked: boolean;
  readonly stream: StreamState;
  /** A turn came to its end. */
  readonly ended: boolean;
  readonly now: number;
}

export function codexFailure({ end, words, worked, stream, ended, now }: CodexEnd): AgentFailure | undefined {
  const exit = failureOfEnd(end, stream);
  if (end.reason === 'not-started' || end.reason === 'stopped') return exit;
  if (exit?.class === 'timeout') {
    if (words.retry === undefined) return exit;
    return { class: classOfWords(words.retry) ?? 'network', message: oneLine(`${exit.message}: ${words.retry}`, 500) };
  }
  // A complaint counts only if the process failed as well; `turn.failed` always does.
  const said = words.failed ?? (exit ? words.complaint : undefined);
  if (said === undefined) return exit ?? (ended ? undefined : cutOff(stream));
  const message = oneLine(said, 500) || exit?.message || 'the turn failed';
  const found = classOfWords(said);
  // A key that is not there, a provider that is not known: said before anything was asked.
  if (found === undefined) return { class: 'logic', message, ...(worked ? {} : { unanswered: true }) };
  if (found === 'rate-limit') {
    const resetAt = /\btry again at\b/i.test(said) ? resetTimeIn(afterPhrase(said), now) : undefined;
    return { class: found, message, ...(resetAt ? { resetAt } : {}) };
  }
  // What a first request is refused for, the next process is refused for too; later it was the conversation.
  return { class: found === 'validation' && worked ? 'logic' : found, message };
}

const afterPhrase = (text: string): string => text.slice(text.search(/\btry again at\b/i) + 'try again at'.length);

function classOfWords(words: string): FailureClass | undefined {
  const text = words.slice(0, 2000);
  if (/^You.{0,4}ve (hit|reached) your usage limit/i.test(text)) return 'rate-limit';
  // Paid for nothing more: waiting does not help, a person does.
  if (/\bquota exceeded\b|\binsufficient_quota\b|\bbilling\b|\bnot logged in\b|\blog ?in again\b/i.test(text))
    return 'auth';
  const status = /\bstatus:? ([45]\d\d)\b/i.exec(text);
  if (status) return classOfStatus(Number(status[1]));
  if (/\brate limit/i.test(text)) return 'rate-limit';
  if (/\bcontext window\b|\bcontext length\b/i.test(text)) return 'logic';
  if (/\bat capacity\b|\boverloaded\b|\bhigh demand\b/i.test(text)) return 'overload';
  if (
    /\bstream (disconnected|closed|error)\b|\berror sending request\b|\bconnect|\btimed? ?out\b|\bdns\b/i.test(text)
  ) {
    return 'network';
  }
  return undefined;
}
