/** The interface of a target: settings in, a function that delivers one message out. */
import { fail, ok, type Result } from '../util/result.ts';
import type { Message } from './message.ts';

/** Why a message was not delivered. */
export interface Trouble {
  readonly why: string;
  /** A retry may help. */
  readonly again?: true;
  /** How long the server asks to wait. */
  readonly afterMs?: number;
}

/** Never rejects. Undefined means that the message was accepted. */
export type Sender = (message: Message, signal: AbortSignal) => Promise<Trouble | undefined>;

export interface Given {
  /** The settings with variables filled in. */
  readonly fields: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** For programs: without the secrets of other targets. */
  readonly env: NodeJS.ProcessEnv;
  /** The repository, in which an agent may change anything. */
  readonly root: string;
}

/** Returns a sender, or why the target cannot be used with these settings. */
export type Target = (given: Given) => Result<Sender, string>;

export function addressOf(
  text: string | undefined,
  schemes: readonly string[] = ['https:', 'http:'],
): Result<URL, string> {
  const url = URL.canParse(text ?? '') ? new URL(text ?? '') : undefined;
  const known = schemes.map(scheme => `${scheme}//`).join(' or ');
  return url && schemes.includes(url.protocol) ? ok(url) : fail(`its address does not begin with ${known}`);
}
