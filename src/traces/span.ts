/** A span before it has a wire format, and the ids that identify the same span again. */
import { crypto } from '../util/crypto.ts';

export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: Attributes;
}

export interface Span {
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events?: readonly SpanEvent[];
  /** Why it counts as failed. */
  readonly error?: string;
}

const hex = (words: readonly (string | number)[], bytes: number): string =>
  crypto()
    .createHash('sha256')
    .update(JSON.stringify(words))
    .digest('hex')
    .slice(0, 2 * bytes);

/** A run's name is not unique in the world; with its start and its first commit it is. */
export const traceId = (run: { readonly run: string; readonly at: number; readonly base: string }): string =>
  hex(['trace', run.run, run.at, run.base], 16);

/** The same record gives the same id, whenever and however often it is exported. */
export const spanId = (trace: string, ...words: readonly (string | number)[]): string => hex([trace, ...words], 8);
