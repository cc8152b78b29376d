/** Why an agent's process failed. */

/** Derived only from structured signals and exit states, never from text that a model wrote. */
export interface AgentFailure {
  readonly class: FailureClass;
  readonly message: string;
  /** When the limit ends, in epoch milliseconds, if the agent announced it. */
  readonly resetAt?: number;
  /** The process failed before the agent's first answer. */
  readonly unanswered?: true;
}

export type FailureClass =
  | 'network'
  | 'rate-limit'
  | 'overload'
  | 'timeout'
  | 'auth'
  /** The agent cannot work with its current settings (program, flag, model): neither another try nor another item helps. */
  | 'setup'
  /** The agent refused its input before its first answer: another try cannot help. */
  | 'validation'
  | 'logic';
