/** An expected outcome that can be a failure: a value, never a throw. */
import type { FailureReason } from './failure-reasons.ts';

export type { FailureReason };

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** What went wrong, where, and what to do next; every user-facing error has this shape. */
export interface Failure {
  /** Programs match on it; `failureReasons` says what each means. */
  readonly reason: FailureReason;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The next step for the person, as a sentence or a command. */
  readonly hint?: string;
}

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const fail = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** `file:line:column: message` and the hint on its own line. */
export function describeFailure(failure: Failure): string {
  const place = [failure.file, failure.line, failure.line === undefined ? undefined : failure.column]
    .filter(part => part !== undefined)
    .join(':');
  const head = place ? `${place}: ${failure.message}` : failure.message;
  return failure.hint ? `${head}\n  ${failure.hint.replaceAll(/\n\s*/g, '\n  ')}` : head;
}

/** The result of `act`; undefined if it throws and the error does not matter. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** What was thrown, in words. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Ends an exhaustive switch; reached only through a bug. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}
