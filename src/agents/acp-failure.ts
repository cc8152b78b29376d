/** Why a turn over the Agent Client Protocol failed: its error, its stop reason, then how the process ended. */
import type { AgentFailure, FailureClass, ProcessEnd } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import type { AcpComplaints } from './acp-log-errors.ts';
import type { Quirks } from './acp-quirks.ts';
import { classOfError, classOfStatus, cutOff, failureOfEnd, namesNoModel } from './failures.ts';
import { amountAt, type Json, recordAt, recordsOf, textAt } from './json-lines.ts';

export interface AcpEnd {
  readonly end: ProcessEnd;
  /** The result of the prompt. */
  readonly answer: Json | undefined;
  /** The error of any request. */
  readonly refused: Json | undefined;
  readonly message: string;
  /** A tool was called or a token was written: a model was there. */
  readonly reached: boolean;
  readonly started: boolean;
  /** The agent called the turn a failure of its own beside the answer. */
  readonly systemError: boolean;
  readonly complaints: Pick<AcpComplaints, 'failure' | 'enough'>;
  readonly quirks: Pick<Quirks, 'countsTokens'>;
}

/** JSON-RPC's number for "log in first", as the protocol uses it. */
const AUTH_REQUIRED = -32_000;

const KINDS: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
  ['rate_limit', 'rate-limit'],
  ['authentication_failed', 'auth'],
  ['billing_error', 'auth'],
  ['overloaded', 'overload'],
  ['server_error', 'overload'],
  ['invalid_request', 'validation'],
  ['max_output_tokens', 'logic'],
]);

const STOPS: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'the agent ran out of tokens for its answer'],
  ['max_turn_requests', 'the agent reached its own limit of turns'],
  ['refusal', 'the model refused the request'],
  ['cancelled', 'the turn was cancelled'],
]);

export function acpFailure(ended: AcpEnd): AgentFailure | undefined {
  const { end, answer, refused, message, reached, started } = ended;
  // A turn that was called off came to no end of its own.
  const cancelled = textAt(answer, 'stopReason') === 'cancelled';
  const finished = (answer !== undefined && !cancelled) || refused !== undefined;
  const stream = { started, finished, answered: reached };
  const exit = failureOfEnd(end, stream);
  if (end.reason === 'not-started' || end.reason === 'stopped') return exit;
  const waited = exit?.class === 'timeout' || ended.complaints.enough() ? ended.complaints.failure() : undefined;
  if (waited && (!answer || cancelled)) return waited;
  if (refused) return ofError(refused, reached);
  if (!answer) return exit ?? cutOff(stream);
  if (cancelled && exit?.class === 'timeout') return exit;
  const stopped = STOPS.get(textAt(answer, 'stopReason'));
  if (stopped) return { class: 'logic', message: stopped };
  if (reached || !(ended.systemError || ended.quirks.countsTokens)) return undefined;
  // Nobody paid for a word and no tool was called: what it says is the program's own, and it says why.
  const words = oneLine(lastError(message), 500) || 'the agent ended its turn without asking a model';
  const found = classOfError(words);
  return found ? { class: found, message: words } : { class: 'logic', message: words, unanswered: true };
}

function ofError(error: Json, reached: boolean): AgentFailure {
  const data = recordAt(error, 'data');
  const words = unwrapped(textAt(error, 'message')) || 'the agent answered with an error';
  const detail = textAt(data, 'details') || textAt(data, 'message');
  const message = oneLine(detail && !words.includes(detail) ? `${words}: ${detail}` : words, 500);
  const code = typeof error.code === 'number' ? error.code : 0;
  const status = code >= 400 && code <= 599 ? code : amountAt(data, 'statusCode') || amountAt(data, 'status');
  const found =
    KINDS.get(textAt(data, 'errorKind')) ??
    (code === AUTH_REQUIRED ? 'auth' : undefined) ??
    (namesNoModel(message) ? 'setup' : undefined) ??
    classOfStatus(status) ??
    classOfError(message);
  if (found && !(found === 'validation' && reached)) return { class: found, message };
  // The session was not even opened: a flag, a model, a mode it does not know.
  const early = textAt(error, 'method') !== 'session/prompt';
  if (early) return { class: 'setup', message };
  return { class: 'logic', message, ...(reached ? {} : { unanswered: true }) };
}

/** What it tried before is not why it gave up. */
function lastError(message: string): string {
  const at = message.lastIndexOf('Error: ');
  if (at >= 0) return message.slice(at);
  return (
    message
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  );
}

/** Some hand the provider's whole answer on as their message. */
function unwrapped(message: string): string {
  const [record] = recordsOf(message);
  return textAt(recordAt(record, 'error'), 'message') || message;
}
