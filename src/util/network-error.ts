/** Errors of sockets and requests, in words. */
import { oneLine } from './show.ts';

const SHOWN = 200;

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ECONNRESET: 'the connection was dropped',
  EPIPE: 'the connection was dropped',
  ETIMEDOUT: 'the connection took too long',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  HPE_: 'what answered there is not HTTP',
};

/** A system error's text contains the address, which may be a secret; its code does not. */
export function networkError({ code = '', message }: Error & { readonly code?: string }): string {
  const known = Object.keys(WORDS).find(each => code.startsWith(each) || message.includes(each));
  return WORDS[known ?? ''] ?? oneLine(message || code, SHOWN);
}
