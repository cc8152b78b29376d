/** Why an agent's process failed, from statuses and exit states. */
import type { AgentFailure, FailureClass, ProcessEnd } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

/** The class of an HTTP status that a provider answered with; undefined where the status alone does not say. */
export function classOfStatus(status: number): FailureClass | undefined {
  if (status === 401 || status === 403 || status === 402) return 'auth';
  if (status === 429) return 'rate-limit';
  if (status === 408) return 'network';
  if (status >= 500 && status <= 599) return 'overload';
  if (status >= 400 && status <= 499) return 'validation';
  return undefined;
}

/** Statuses in the words around them, then the few sentences that all clients share. */
export function classOfErrors(text: string): FailureClass | undefined {
  const status = /(?:\b(?:http|status|code|error)\b\W{0,12}(?:code\W{0,4})?|^\W*)(401|402|403|429|5\d\d)\b/im.exec(
    text,
  );
  const found = status ? classOfStatus(Number(status[1])) : undefined;
  if (found) return found;
  if (/\btoo many requests\b|\brate[ _-]?limit|\bquota\b|\bresource_exhausted\b/i.test(text)) return 'rate-limit';
  if (/\bunauthori[sz]ed\b|\bunauthenticated\b|\bapi[ _-]?key\b|\bnot logged in\b/i.test(text)) return 'auth';
  return undefined;
}

/** For the sentence of an error field, which is the agent's own: more of its words count than of a whole stderr. */
export function classOfError(words: string): FailureClass | undefined {
  const text = words.slice(0, 2000);
  // Money is missing, not time.
  if (/\bcredit balance\b|\bbilling\b|\binsufficient_quota\b|\bpayment required\b/i.test(text)) return 'auth';
  if (/\bauthentication\b|\bnot logged in\b|\blog ?in again\b/i.test(text)) return 'auth';
  if (/\b(prompt|input|context)\b.{0,40}\btoo (long|large)\b|\bcontext (window|length)\b/i.test(text)) return 'logic';
  const found = classOfErrors(text);
  if (found) return found;
  if (/\busage limit\b/i.test(text)) return 'rate-limit';
  if (/\boverloaded\b|\bat capacity\b|\bhigh demand\b|\btemporarily unavailable\b/i.test(text)) return 'overload';
  if (namesNoModel(text)) return 'setup';
  if (
    /\bconnection (error|refused|reset)\b|\bfetch failed\b|\btimed? ?out\b|\bsocket\b|\bstream (closed|ended)\b/i.test(
      text,
    )
  )
    return 'network';
  return /\bE(CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH)\b/.test(text) ? 'network' : undefined;
}

/** A model that is not there stays away, whatever status it is told with. */
export const namesNoModel = (words: string): boolean =>
  /\bmodel\b.{0,80}\b(not found|does not exist|not supported|unknown)\b|\bunknown model\b/i.test(words.slice(0, 2000));

export interface StreamState {
  /** Anything at all came through in the agent's own format. */
  readonly started: boolean;
  /** The agent said that it was finished, and did nothing after that. */
  readonly finished: boolean;
  /** The agent answered at least once. */
  readonly answered: boolean;
}

/** What the exit state alone says, for a run whose stream did not say it better. */
export function failureOfEnd(end: ProcessEnd, stream: StreamState): AgentFailure | undefined {
  switch (end.reason) {
    case 'not-started':
      return notStarted(end.error ?? 'the agent could not be started');
    case 'idle':
    case 'timeout': {
      if (stream.finished) return undefined;
      const why = end.reason === 'idle' ? 'the agent printed nothing for too long' : 'the agent ran out of time';
      return { class: 'timeout', message: why };
    }
    case 'stopped':
      return { class: 'logic', message: 'the agent was stopped by the runner' };
    case 'lingered':
      // Its exit state is the runner's own doing when the agent had finished before.
      return stream.finished || end.code === 0 || end.code === null ? undefined : exited(end, stream);
    case 'exited':
      return end.code === 0 ? undefined : exited(end, stream);
  }
}

function notStarted(error: string): AgentFailure {
  // The machine is out of something for now; any other reason stays as it is however often it is tried.
  const scarce = /\b(EAGAIN|ENOMEM|EMFILE|ENFILE|ETXTBSY)\b/.test(error);
  return { class: scarce ? 'overload' : 'setup', message: error };
}

function exited(end: ProcessEnd, stream: StreamState): AgentFailure {
  const how = end.signal ? `was ended by ${end.signal}` : `ended with exit code ${end.code ?? 'unknown'}`;
  const last = lastWords(end.stderr?.trim() ? end.stderr : end.tail);
  const message = `the agent ${how}${last ? `: ${last}` : ''}`;
  const killed = end.signal !== null || (end.code ?? 0) > 128;
  if (killed || stream.answered) return { class: 'logic', message };
  // Not a word in its own format and an error exit: it refused its flags, its config or its surroundings.
  return stream.started ? { class: 'logic', message, unanswered: true } : { class: 'setup', message };
}

/** An agent that speaks in events always ends with one that says how it went; without it the stream was cut off. */
export const cutOff = ({ started }: StreamState): AgentFailure =>
  started
    ? { class: 'network', message: 'the output of the agent ended before its result' }
    : { class: 'logic', message: 'the agent ended without a word in its own format', unanswered: true };

/** The last error, or else the last line, that is for people; a stream's own records are not. */
function lastWords(tail: string): string {
  const lines = tail.split('\n').filter(line => line.trim() !== '' && !line.trimStart().startsWith('{'));
  const error = lines.findLast(line => /^\s*error\b/i.test(line));
  // Some answer an unknown flag with nothing but their help, whose last line says nothing about it.
  if (error === undefined && lines.some(line => /^options:$/i.test(line.trim()))) {
    return 'it printed its help, as programs do for a flag that they do not know';
  }
  return oneLine(error ?? lines.at(-1) ?? '', 300);
}
