/** What a target is: its settings in, a function that delivers one message out. */
import { fail, ok, type Result } from '../util/result.ts';
import type { Message } from './message.ts';

/** Why a message was not delivered. */
export interface Trouble {
  readonly why: string;
  /** It may be over soon. */
  readonly again?: true;
  /** What the other side asks to be waited. */
  readonly afterMs?: number;
}

/** Never rejects. Undefined: it was taken. */
export type Sender = (message: Message, signal: AbortSignal) => Promise<Trouble | undefined>;

export interface Given {
  /** With the values of variables in them. */
  readonly fields: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** For programs: without the secrets of other targets. */
  readonly env: NodeJS.ProcessEnv;
  /** The repository, in which an agent may change anything. */
  readonly root: string;
}

/** Or why it cannot be used as it is set up. */
export type Target = (given: Given) => Result<Sender, string>;

export function addressOf(
  text: string | undefined,
  schemes: readonly string[] = ['https:', 'http:'],
): Result<URL, string> {
  const url = URL.canParse(text ?? '') ? new URL(text ?? '') : undefined;
  const known = schemes.map(scheme => `${scheme}//`).join(' or ');
  return url && schemes.includes(url.protocol) ? ok(url) : fail(`its address does not begin with ${known}`);
}
