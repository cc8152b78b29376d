/** Why an agent's process failed. */

/** From structured signals and exit states only, never from words a model wrote. */
export interface AgentFailure {
  readonly class: FailureClass;
  readonly message: string;
  /** When the limit ends, in epoch milliseconds, where the agent announced it. */
  readonly resetAt?: number;
  /** It failed before the agent's first answer. */
  readonly unanswered?: true;
}

export type FailureClass =
  | 'network'
  | 'rate-limit'
  | 'overload'
  | 'timeout'
  | 'auth'
  /** The agent cannot be used as it is set up (program, flag, model): neither another try nor another item helps. */
  | 'setup'
  /** The agent refused its input before its first answer: another try cannot help. */
  | 'validation'
  | 'logic';
